// What the items left can still add to a state, if as many are added as dropped, or one more, or ...
//
// A linear relaxation fills what is left of the capacity with a fraction of an item. Where all items left weigh about
// the same, that is worth much more than anything that fits. So a price is paid not only for weight but also for items:
// at prices `lam` an item and `mu` a unit of weight, whatever the items left add to a state with `rho` of the capacity
// left is at most
//
//     loose + lam * d + mu * rho
//
// if they make `d` items more; `loose` is what those items add that are worth more than both prices, and those drop
// that are worth less. That is so for any prices, so the least over a few pairs of them counts; and `d` is a whole
// number, so the greatest over all `d` is the bound. The least of linear functions is concave in `d`: the greatest is
// found by walking.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "knapsack/relaxation.hpp"
#include "look.hpp"

namespace prunus::PRUNUS_SET {

class CountedBound {
  public:
    CountedBound(const knapsack::FreeItems& free_items, double efficiency_of_break, std::int64_t weight_of_break)
        : items(free_items),
          efficiency(efficiency_of_break),
          weight(static_cast<double>(weight_of_break)),
          scratch(free_items.size()) {}

    /// Begins anew, with the price of the relaxation, where items `first` to `last - 1` are left; a state leaves at
    /// most `room` of the capacity, or exceeds it by that.
    void start(std::int64_t first, std::int64_t last, std::int64_t room) {
        low = first, high = last;
        most_room = static_cast<double>(room);
        reach = static_cast<double>(high - low);
        pairs = 0;
        add(efficiency, 0.0);
    }

    /// Adds pairs that lower the bound of a state that leaves `rho`; one below `enough` is low enough. Asks before
    /// each pair whether to stop.
    void sharpen(std::int64_t rho, double enough, Look look) {
        constexpr int most_cuts = 3;
        constexpr double worth = 0.5;  // by how much a pair must lower the bound
        for (int cut = 0; cut < most_cuts; cut++) {
            double d = first_step(rho);
            const double bound = most_added(static_cast<double>(rho), d);
            if (bound < enough || pairs == most_pairs || look()) return;
            const Pair found = best_pair(d, static_cast<double>(rho));
            if (!(found.bound < bound - worth) || !std::isfinite(found.bound)) return;
            add(found.mu, found.lam);
        }
    }

    /// About how many items more fill what is left.
    double first_step(std::int64_t rho) const { return std::floor(static_cast<double>(rho) / weight); }

    /// The most that items can add to a state that leaves `rho`, which is below 0 if that must be made up for. The walk
    /// begins at `d` items more, if there can be so many, and leaves there how many it takes.
    double most_added(double rho, double& d) const {
        constexpr int most_steps = 32;
        d = std::min(std::max(d, -reach), reach);
        double best = at(d, rho), step = 1.0, value = at(d + step, rho);
        if (!(value > best)) step = -1.0, value = at(d + step, rho);
        for (int steps = 0; value > best;) {
            const double gain = value - best;
            best = value;
            d += step;
            if (++steps == most_steps) {
                // No further step gains more than this one did, as far as there can be more, or fewer.
                best += gain * (reach + std::abs(d));
                break;
            }
            value = at(d + step, rho);
        }
        return best;
    }

    /// No longer counts an item among those left.
    void decide(std::int64_t item) {
        const double sign = item >= items.middle ? 1.0 : -1.0;
        for (int k = 0; k < pairs; k++) loose[k] -= std::max(0.0, sign * worth_of(item, mu[k], lam[k]));
    }

    void add(double price_of_weight, double price_of_item) {
        double free = 0.0, size = 0.0;
        for (std::int64_t j = low; j < high; j++) {
            const double q = worth_of(j, price_of_weight, price_of_item);
            free += std::max(0.0, j < items.middle ? -q : q);
            size += static_cast<double>(items.p[j]) + price_of_weight * static_cast<double>(items.w[j]) +
                    std::abs(price_of_item);
        }
        // Rounding takes nothing from the bound, nor does what is taken from it item by item.
        size += price_of_weight * most_room;
        loose[pairs] = free + 1e-6 + 1e-15 * size + 4e-16 * reach * free;
        mu[pairs] = price_of_weight, lam[pairs] = price_of_item;
        pairs++;
    }

  private:
    static constexpr int most_pairs = 16;

    struct Pair {
        double mu, lam, bound;
    };

    struct Point {
        double bound, slope, lam;
    };

    double worth_of(std::int64_t j, double price_of_weight, double price_of_item) const {
        return static_cast<double>(items.p[j]) - price_of_weight * static_cast<double>(items.w[j]) - price_of_item;
    }

    double at(double d, double rho) const {
        double value = std::numeric_limits<double>::infinity();
        for (int k = 0; k < pairs; k++) value = std::min(value, loose[k] + lam[k] * d + mu[k] * rho);
        return value;
    }

    /// The bound at a price of weight, with the best price of items, and its slope.
    Point priced(double d, double rho, double price) {
        const std::int64_t n = high - low;
        for (std::int64_t j = 0; j < n; j++) scratch[j] = worth_of(low + j, price, 0.0);
        const std::int64_t inside = std::max<std::int64_t>(0, std::min(items.middle, high) - low);
        const std::int64_t wanted = inside + static_cast<std::int64_t>(d);
        const auto begin = scratch.begin(), end = begin + n;
        double price_of_item;
        if (wanted <= 0) {
            price_of_item = *std::max_element(begin, end) + 1.0;
        } else if (wanted > n) {
            price_of_item = *std::min_element(begin, end) - 1.0;
        } else {
            std::nth_element(begin, begin + wanted - 1, end, std::greater<>());
            price_of_item = scratch[wanted - 1];
        }
        double free = 0.0, used = 0.0;
        std::int64_t above = 0;
        for (std::int64_t j = low; j < high; j++) {
            const double q = worth_of(j, price, price_of_item);
            if (q > 0.0) {
                above++;
                if (j >= items.middle) free += q, used += static_cast<double>(items.w[j]);
            } else if (j < items.middle) {
                free -= q, used -= static_cast<double>(items.w[j]);
            }
        }
        // Those on the line are taken until there are as many as wanted.
        for (std::int64_t j = low; j < high && above < wanted; j++)
            if (worth_of(j, price, price_of_item) == 0.0) above++, used += static_cast<double>(items.w[j]);
        return {free + price_of_item * d + price * rho, rho - used, price_of_item};
    }

    /// Prices with about the least bound of a state. It is convex in the price of weight: two tangents meet where to
    /// look next.
    Pair best_pair(double d, double rho) {
        constexpr double dearest = 1024.0;              // times the break item's efficiency
        constexpr double near = 0.3;                    // how close to the best prices to come, in units of profit
        constexpr std::int64_t looked_at = 10'000'000;  // items, if that allows for a few rounds
        double low_mu = 0.0, high_mu = dearest * efficiency;
        Point below = priced(d, rho, low_mu);
        Pair best{low_mu, below.lam, below.bound};
        if (below.slope >= 0.0) return best;
        Point above = priced(d, rho, high_mu);
        if (above.bound < best.bound || above.slope <= 0.0) best = {high_mu, above.lam, above.bound};
        if (above.slope <= 0.0) return best;
        const auto rounds = std::clamp<std::int64_t>(looked_at / std::max<std::int64_t>(1, high - low), 5, 25);
        double price = efficiency;
        for (std::int64_t round = 0; round < rounds; round++) {
            const Point found = priced(d, rho, price);
            if (found.bound < best.bound) best = {price, found.lam, found.bound};
            if (found.slope == 0.0) break;
            if (found.slope < 0.0)
                low_mu = price, below = found;
            else
                high_mu = price, above = found;
            price = (below.bound - above.bound + above.slope * high_mu - below.slope * low_mu) /
                    (above.slope - below.slope);
            if (best.bound - (below.bound + below.slope * (price - low_mu)) < near || !(low_mu < price) ||
                !(price < high_mu))
                break;
        }
        return best;
    }

    const knapsack::FreeItems& items;
    double efficiency, weight;  // of the break item
    std::vector<double> scratch;
    std::int64_t low = 0, high = 0;
    double most_room = 0.0, reach = 0.0;
    int pairs = 0;
    double loose[most_pairs], lam[most_pairs], mu[most_pairs];
};

}  // namespace prunus::PRUNUS_SET
