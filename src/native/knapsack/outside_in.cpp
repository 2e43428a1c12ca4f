#include "knapsack/outside_in.hpp"

#include "knapsack/bounds.hpp"
#include "knapsack/counted_bound.hpp"
#include "knapsack/states.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using knapsack::Fixing;
using knapsack::FixingLimits;
using knapsack::FreeItems;
using knapsack::Relaxation;

/// Relative to the break solution.
struct LinkedState {
    std::int64_t weight, profit;
    std::int64_t node;  // its last deviation, -1 for none
};

struct Deviation {
    std::int64_t parent;  // the one before, -1 for none
    std::int64_t item;
};

/// The bound of a relaxation's state where items `first` to `last - 1` are left.
CountedBound bound_of(const Relaxation& r, const FreeItems& items) {
    const std::int64_t at = std::min(r.middle, r.size() - 1);
    return {items, r.e[r.middle], r.size() > 0 ? r.w[at] : 1};
}

class Search {
  public:
    Search(const Relaxation& relaxation, std::int64_t value, const FixingLimits& limits, Look look)
        : r(relaxation), how(limits), ask(look), items(free_items(r, value)), counted(bound_of(r, items)) {
        found.value = value;
        found.limit = static_cast<std::int64_t>(std::floor(r.bound + r.slack));
        found.size = items.size();
        high = items.size();
        best = value - r.profit;
        if (r.room >= 0 && r.profit > value) best = 0, found.improved = true;
        list = {{0, 0, -1}};
    }

    Fixing run() {
        while (!list.empty() && high > low)
            if (!round()) return finish(false);
        return finish(true);
    }

  private:
    Fixing finish(bool done) {
        found.done = done;
        found.value = best + r.profit;
        if (done) found.limit = found.value;
        if (!found.improved) return found;
        std::vector<std::uint8_t> flags(r.size());
        std::fill_n(flags.begin(), r.middle, 1);
        for (std::int64_t node = best_node; node >= 0; node = deviations[node].parent)
            flags[items.number[deviations[node].item]] ^= 1;
        for (std::int64_t j = 0; j < r.size(); j++)
            if (flags[j] != 0) found.chosen.push_back(r.number[j]);
        return found;
    }

    double least() const { return static_cast<double>(best + 1) - r.slack; }

    /// Decides some items at the same prices; says whether to go on.
    bool round() {
        constexpr double left_share = 0.85;        // of the items left, until new prices are sought
        constexpr std::int64_t fewest = 3;         // items that are decided at the same prices
        constexpr std::int64_t priced_states = 4;  // for which prices are sought
        const auto n = static_cast<std::int64_t>(list.size());
        const std::int64_t lightest = r.room - list[0].weight, heaviest = r.room - list[n - 1].weight;
        counted.start(low, high, std::max(std::abs(lightest), std::abs(heaviest)));
        for (std::int64_t k = 0, before = -1; k < priced_states; k++) {
            const std::int64_t at = k * (n - 1) / (priced_states - 1);
            if (at == before) continue;
            before = at;
            counted.sharpen(r.room - list[at].weight, least() - static_cast<double>(list[at].profit), ask);
        }
        drop_hopeless();
        const auto share = static_cast<std::int64_t>(left_share * static_cast<double>(high - low));
        const std::int64_t until = std::max<std::int64_t>(0, std::min(share, high - low - fewest));
        while (high - low > until && !list.empty()) {
            decide();
            if (static_cast<std::int64_t>(list.size()) > how.longest || found.states > how.states || !fits())
                return false;
            if (found.states - looked_at >= how.between_looks) {
                looked_at = found.states;
                if (ask()) return false;
            }
        }
        return !ask();
    }

    bool fits() const {
        const auto bytes = 2 * list.capacity() * sizeof(LinkedState) + deviations.capacity() * sizeof(Deviation);
        return static_cast<std::int64_t>(bytes) <= how.memory;
    }

    /// Drops the states whose bound is too low, and takes the greatest bound of all.
    void drop_hopeless() {
        double greatest = -std::numeric_limits<double>::infinity(), d = counted.first_step(r.room - list[0].weight);
        found.states += static_cast<std::int64_t>(list.size());
        std::erase_if(list, [&](const LinkedState& s) {
            const double bound =
                static_cast<double>(s.profit) + counted.most_added(static_cast<double>(r.room - s.weight), d);
            greatest = std::max(greatest, bound);
            return bound < least();
        });
        if (!std::isfinite(greatest)) return;
        const auto most = static_cast<std::int64_t>(std::floor(greatest + r.slack)) + r.profit;
        found.limit = std::max(best + r.profit, std::min(found.limit, most));
    }

    /// Takes the next item: what is far less efficient than the break item goes before what is a little more so.
    std::int64_t next_item() {
        const std::int64_t m = items.middle;
        const bool left = low < m && (high <= m || items.e[low] - items.e[m] >= items.e[m] - items.e[high - 1]);
        return left ? low++ : --high;
    }

    /// Merges the list with itself shifted by the next item's deviation. Mostly nothing of that survives, and the list
    /// stays as it is.
    void decide() {
        const std::int64_t j = next_item();
        counted.decide(j);
        if (items.forced[j] < least()) return;
        const std::int64_t sign = j >= items.middle ? 1 : -1;
        const std::int64_t dw = sign * items.w[j], dp = sign * items.p[j];
        const std::size_t n = list.size();
        found.states += 2 * static_cast<std::int64_t>(n);
        double d = counted.first_step(r.room - list[0].weight - std::min<std::int64_t>(dw, 0));
        bool survives = false;
        std::size_t a = 0;
        std::int64_t last = -knapsack::end_weight;
        for (const LinkedState& s : list) {
            const std::int64_t x = s.weight + dw, y = s.profit + dp;
            while (a < n && list[a].weight <= x) {
                if (list[a].profit > last) {
                    last = list[a].profit;
                    if (survives) put(list[a]);
                }
                a++;
            }
            if (y <= last) continue;
            const double more = counted.most_added(static_cast<double>(r.room - x), d);
            if (static_cast<double>(y) + more < least()) continue;
            if (!survives) following.assign(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(a));
            survives = true;
            last = y;
            deviations.push_back({s.node, j});
            const auto node = static_cast<std::int64_t>(deviations.size()) - 1;
            if (x <= r.room && y > best) best = y, best_node = node, found.improved = true;
            put({x, y, node});
        }
        if (!survives) return;
        for (; a < n; a++)
            if (list[a].profit > last) last = list[a].profit, put(list[a]);
        list.swap(following);
        found.peak = std::max(found.peak, static_cast<std::int64_t>(list.size()));
    }

    /// Puts a state behind the lighter ones; of two of one weight the second is worth more.
    void put(const LinkedState& state) {
        if (!following.empty() && following.back().weight == state.weight)
            following.back() = state;
        else
            following.push_back(state);
    }

    const Relaxation& r;
    const FixingLimits how;
    const Look ask;
    const FreeItems items;
    CountedBound counted;
    Fixing found;
    std::int64_t low = 0, high;  // the items between are left
    std::int64_t best, best_node = -1, looked_at = 0;
    std::vector<LinkedState> list, following;
    std::vector<Deviation> deviations;
};

Fixing fix(const Relaxation& r, std::int64_t value, const FixingLimits& limits, Look look) {
    return Search(r, value, limits, look).run();
}

double most_added(const Relaxation& r, std::int64_t first, std::int64_t last, std::int64_t rho, bool sharpened,
                  double d, double lam) {
    const FreeItems items = free_items(r, -knapsack::end_weight);
    CountedBound counted = bound_of(r, items);
    std::int64_t weight = 0;
    for (const std::int64_t w : r.w) weight += w;
    counted.start(first, last, 2 * weight);
    if (lam != 0.0) counted.add(1.3, lam);
    if (sharpened) counted.sharpen(rho, -std::numeric_limits<double>::infinity(), {});
    return counted.most_added(static_cast<double>(rho), d);
}

}  // namespace

const knapsack::OutsideInKernels& kernels(const knapsack::OutsideInKernels*) {
    static constexpr knapsack::OutsideInKernels table{fix, most_added};
    return table;
}

}  // namespace prunus::PRUNUS_SET
