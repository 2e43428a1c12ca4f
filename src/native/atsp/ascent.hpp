// Prices of the cities that raise the bound: subgradient steps on the Lagrangean dual.
//
// In a tour one arc leaves each city. A 1-arborescence need not heed that, but pays for it: with
// price u[v] off every arc out of v, and the sum of all prices added, its cost bounds every tour from
// below for any prices (Held and Karp 1971, The traveling-salesman problem and minimum spanning
// trees: part II, Mathematical Programming 1, 6-25). A step raises the price of cities that no arc
// leaves and lowers that of those that several leave, by Polyak's length toward the value that would
// prune. The best prices give the bound of the subtour relaxation. Arcs whose reduced cost fills the
// gap are left out as soon as they do, at whatever prices.
//
// Where cities are in clusters, the prices of a whole cluster must rise by as much as it is far from
// the next one, and a city whose price rises alone draws all arcs of its cluster. So a step moves the
// neighbours of a city on a good tour along: the direction is a sum over segments of the tour of 1,
// 2, 4, 8 ... cities, each with the sum of its imbalances over the root of its size, a multilevel
// preconditioner.
#pragma once

#include <algorithm>
#include <cmath>

#include "atsp/arborescence.hpp"
#include "atsp/kernels.hpp"

namespace prunus::PRUNUS_SET {

/// Units of prices and bounds; see `atsp::Units`.
struct UnitsOfLength {
    int shift;

    std::int64_t cost(std::int64_t length) const { return shift >= 0 ? length << shift : length >> -shift; }

    /// The least bound that means at least a length; no more than all bounds. A given tour may be
    /// longer, by far, than those that the units were made for.
    std::int64_t bound(std::int64_t length) const {
        if (length >= impossible >> std::max(shift, 0)) return impossible;
        return shift >= 0 ? ((length - 1) << shift) + 1 : -(-length >> -shift);
    }

    /// The least length that a bound allows.
    std::int64_t length(std::int64_t bound) const { return shift >= 0 ? -(-bound >> shift) : bound << -shift; }
};

/// What an ascent comes to: a bound in units, `impossible` if no tour is left; whether the last
/// 1-arborescence is a tour, of which the bound is then the cost.
struct Ascended {
    std::int64_t bound;
    bool tour;
};

/// Steps on the prices of a graph.
class Stepping {
  public:
    Arborescence arborescence;
    std::vector<double> frequency;  // how often each arc was chosen lately, by its number

    /// `tour` has the cities in the order of a good tour; it is empty where prices are to move one by
    /// one.
    Stepping(int cities, std::size_t arcs, std::vector<std::int32_t> tour = {})
        : arborescence(cities, arcs),
          frequency(arcs),
          best_(cities),
          imbalance_(cities),
          spread_(cities),
          direction_(cities),
          tour_(std::move(tour)) {}

    /// Raises the bound step by step; prices and graph are changed in place. Ends early when the
    /// bound reaches `target`, when a 1-arborescence is a tour, or when it is to hurry. Polyak's
    /// steps are those toward the bound `aim`.
    Ascended ascend(Graph& graph, std::vector<std::int64_t>& price, std::int64_t target, std::int64_t aim,
                    const atsp::StepRule& rule, const Limits& limits) {
        const int n = graph.cities();
        std::int64_t best = -impossible;
        double weight = 1.0, length = rule.length;
        std::ranges::fill(direction_, 0.0);
        best_ = price;
        for (int p = 0; p < graph.arcs(); p++) frequency[graph.arc[p].number] = 0.0;
        for (int step = 0, waited = 0; step < rule.steps; step++) {
            std::int64_t bound = arborescence.solve(graph, price);
            if (bound == impossible) return {impossible, false};
            for (int v = 0; v < n; v++) bound += price[v];
            if (bound >= target) return {bound, false};
            std::ranges::fill(imbalance_, 1);
            for (int v = 0; v < n; v++) {
                const Arc& arc = graph.arc[arborescence.into[v]];
                imbalance_[arc.tail]--;
                frequency[arc.number] += weight;
            }
            weight /= decay;
            if (bound > best) {
                best = bound;
                waited = 0;
                best_ = price;
            } else if (++waited >= rule.patience) {
                length *= shortening;
                waited = 0;
            }
            spread(turn * step % n);
            double norm = 0, along = 0;
            for (int v = 0; v < n; v++) {
                const double imbalance = imbalance_[v];
                norm += imbalance * spread_[v];
                direction_[v] = spread_[v] + momentum * direction_[v];
                along += imbalance * direction_[v];
            }
            // An arc into and out of each city, and all reached from the root.
            if (norm == 0) return {bound, true};
            graph.filter([&](int p, int) { return arborescence.reduced[p] < target - bound; });
            if (step + 1 == rule.steps || treesearch::hurried(limits)) break;
            if (along <= 0.1 * norm) {
                along = norm;
                direction_ = spread_;
            }
            const double stride = length * std::max(1.0, static_cast<double>(std::min(aim, target) - bound)) / along;
            for (int v = 0; v < n; v++) {
                const double move = std::clamp(std::rint(stride * direction_[v]), -2.0 * most_price, 2.0 * most_price);
                price[v] = std::clamp(price[v] + static_cast<std::int64_t>(move), -most_price, most_price);
            }
        }
        price = best_;
        return {best, false};
    }

  private:
    static constexpr double momentum = 0.4;    // the part of the last direction that goes into the next one
                                               // (Camerini, Fratta, Maffioli 1975)
    static constexpr double decay = 0.9;       // the weight of the past in the average of 1-arborescences
    static constexpr double shortening = 0.7;  // of steps when the bound does not rise any more
    static constexpr std::int64_t most_price = std::int64_t{1} << 46;  // so that sums fit in 64 bits
    static constexpr int turn = 97;  // by so many cities segments begin later in each step, lest one always be cut

    /// Adds to the imbalance of each city those of the segments around it, from a place on.
    void spread(int begin) {
        const int n = static_cast<int>(tour_.size());
        for (std::size_t v = 0; v < spread_.size(); v++) spread_[v] = imbalance_[v];
        const auto city = [&](int k) { return tour_[begin + k < n ? begin + k : begin + k - n]; };
        for (int size = 2; size < n; size *= 2)
            for (int first = 0; first < n; first += size) {
                const int last = std::min(n, first + size);
                int total = 0;
                for (int k = first; k < last; k++) total += imbalance_[city(k)];
                if (total == 0) continue;
                const double share = total / std::sqrt(static_cast<double>(size));
                for (int k = first; k < last; k++) spread_[city(k)] += share;
            }
    }

    std::vector<std::int64_t> best_;       // the prices of the best bound
    std::vector<std::int32_t> imbalance_;  // of each city: one less the arcs that leave it
    std::vector<double> spread_, direction_;
    std::vector<std::int32_t> tour_;
};

}  // namespace prunus::PRUNUS_SET
