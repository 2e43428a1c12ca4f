// The ascent at the root: round by round on all arcs that are of use, or on few of them.
//
// The cheapest 1-arborescence of a few arcs comes with a dual solution: what is taken from the arcs
// into each set of cities that was contracted. An arc that was not among them costs its length less
// the price of its tail and what the sets that it enters take. Where that is negative the head of the
// arc takes so much less, and the bound is one of all arcs. The arcs that cost less than nothing join
// the few, and the ascent goes on: columns are generated as for a linear program.
#include "atsp/ascent.hpp"

#include "atsp/arborescence_tree.hpp"
#include "atsp/assignment_tree.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using atsp::Arcs;
using atsp::StepRule;
using atsp::Units;
using Lengths = std::vector<std::int64_t>;

Instance in_units(const Arcs& arcs, UnitsOfLength units) {
    Lengths costs(arcs.length, arcs.length + arcs.count);
    for (auto& cost : costs) cost = units.cost(cost);
    return {arcs.cities, arcs.count, arcs.tail, arcs.head, costs.data()};
}

class RootAscent final : public atsp::Ascent {
  public:
    RootAscent(const Arcs& arcs, const Units& units, Lengths prices, std::vector<std::int32_t> order)
        : units_{units.shift},
          aim_(units.aim),
          graph_(in_units(arcs, units_).graph),
          stepping_(arcs.cities, arcs.count, std::move(order)),
          chains_(arcs.cities) {
        price = std::move(prices);
    }

    std::int64_t ascend(std::int64_t cutoff, const StepRule& rule, Limits& limits) override {
        const std::int64_t target = units_.bound(cutoff);
        tour = false;
        if (!chains_.tighten(graph_)) return cutoff;
        const Ascended round = stepping_.ascend(graph_, price, target, aim_, rule, limits);
        if (round.bound >= target) return cutoff;
        tour = round.tour;
        if (tour) {
            following.resize(price.size());
            for (std::size_t v = 0; v < price.size(); v++)
                following[graph_.arc[stepping_.arborescence.into[v]].tail] = static_cast<std::int32_t>(v);
        }
        return units_.length(round.bound);
    }

    void ascend_sparse(const StepRule& rule, Limits& limits) override {
        stepping_.ascend(graph_, price, impossible, aim_, rule, limits);
        value_ = stepping_.arborescence.solve(graph_, price);
        for (const std::int64_t p : price) value_ += p;
    }

    std::int64_t price_all(const std::int64_t* arriving, bool* chosen, Limits& limits) override {
        if (!look_at_all(arriving, 0, chosen, limits)) return INT64_MIN;
        return units_.length(value_);
    }

    void useful(const std::int64_t* arriving, std::int64_t cutoff, bool* chosen, Limits& limits) override {
        look_at_all(arriving, std::max<std::int64_t>(1, units_.bound(cutoff) - value_), chosen, limits);
    }

    std::vector<std::int32_t> left() const override {
        std::vector<std::int32_t> numbers(graph_.arcs());
        for (int p = 0; p < graph_.arcs(); p++) numbers[p] = graph_.arc[p].number;
        return numbers;
    }

  private:
    /// Looks at all arcs by their heads; says whether it came to an end.
    ///
    /// Adds arcs with a reduced cost below `limit`, after what their head takes less if `limit` is
    /// positive; if it is 0 before that, and `value_` becomes a bound of all arcs.
    bool look_at_all(const std::int64_t* arriving, std::int64_t limit, bool* chosen, Limits& limits) {
        const int n = static_cast<int>(price.size());
        const auto& sets = stepping_.arborescence.sets;
        list_sets();
        Lengths reduced(n);
        std::int64_t losses = 0;
        for (int head = 0; head < n; head++, arriving += n, chosen += n) {
            if (limits.stopped()) return false;
            int low = position_[head], high = low;
            std::int64_t taken = sets[head].least, least = 0;
            for (int inside = head; inside >= 0;) {
                inside = sets[inside].up;
                const int first = inside >= 0 ? position_[sets[inside].first] : 0;
                const int last = inside >= 0 ? position_[sets[inside].last] : n - 1;
                const auto look = [&](int from, int to) {
                    for (int at = from; at < to; at++) {
                        const int tail = order_[at];
                        reduced[tail] = units_.cost(arriving[tail]) - price[tail] - taken;
                        least = std::min(least, reduced[tail]);
                    }
                };
                look(first, low);
                look(high + 1, last + 1);
                if (inside < 0) break;
                low = first;
                high = last;
                taken += sets[inside].least;
            }
            losses -= least;
            const std::int64_t below = limit > 0 ? least + limit : 0;
            reduced[head] = impossible;
            for (int tail = 0; tail < n; tail++) chosen[tail] |= reduced[tail] < below;
        }
        if (limit == 0) value_ -= losses;
        return true;
    }

    /// Orders the cities so that those of a set, and of each set in it, stand one after the other.
    void list_sets() {
        const auto& sets = stepping_.arborescence.sets;
        const int n = static_cast<int>(price.size());
        order_.clear();
        position_.resize(n);
        for (int v = 0; v < n; v++) {
            int top = v;
            while (sets[top].up >= 0) top = sets[top].up;
            if (sets[top].first != v) continue;
            for (int city = v;; city = stepping_.arborescence.following[city]) {
                position_[city] = static_cast<int>(order_.size());
                order_.push_back(city);
                if (city == sets[top].last) break;
            }
        }
    }

    UnitsOfLength units_;
    std::int64_t aim_;
    Graph graph_;
    Stepping stepping_;
    Chains chains_;
    std::int64_t value_ = 0;  // of the sparse graph, then of all arcs
    std::vector<std::int32_t> order_, position_;
};

std::unique_ptr<treesearch::BestFirstSearch> assignment_tree(const Arcs& arcs, std::int64_t cap, int children) {
    Instance whole(arcs.cities, arcs.count, arcs.tail, arcs.head, arcs.length);
    return std::make_unique<BestFirst<AssignmentTree>>(AssignmentTree(std::move(whole), cap, children));
}

std::unique_ptr<treesearch::BestFirstSearch> arborescence_tree(const Arcs& arcs, const Units& units) {
    Lengths lengths(arcs.length, arcs.length + arcs.count);
    return std::make_unique<BestFirst<ArborescenceTree>>(
        ArborescenceTree(in_units(arcs, {units.shift}), std::move(lengths), units));
}

std::unique_ptr<atsp::Ascent> ascent(const Arcs& arcs, const Units& units, Lengths price,
                                     std::vector<std::int32_t> tour) {
    return std::make_unique<RootAscent>(arcs, units, std::move(price), std::move(tour));
}

}  // namespace

const atsp::Kernels& kernels(const atsp::Kernels*) {
    static constexpr atsp::Kernels table{
        .assignment_tree = assignment_tree, .arborescence_tree = arborescence_tree, .ascent = ascent};
    return table;
}

}  // namespace prunus::PRUNUS_SET
