// Bounds better than the linear relaxation's: a constraint on the number of items, and lattices.
#include "knapsack/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "knapsack/order.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using knapsack::Cardinality;
using knapsack::Items;
using knapsack::Lattice;
using knapsack::Relaxation;
__extension__ typedef __int128 Int128;

/// How many items the relaxed solution has, the break item's share included.
double relaxed_count(const Relaxation& r) {
    std::int64_t whole = 0;
    for (std::int64_t j = 0; j < r.middle; j++) whole += r.count[j];
    const auto found = static_cast<double>(whole);
    if (r.middle == r.size() || r.e[r.middle] <= 0.0) return found;
    return found +
           static_cast<double>(r.room) / static_cast<double>(r.w[r.middle]) * static_cast<double>(r.count[r.middle]);
}

/// How many items, smallest or largest first, add up to no more than a limit.
std::int64_t how_many(const std::vector<std::int64_t>& values, const std::vector<std::int64_t>& count,
                      std::int64_t limit, bool largest) {
    std::vector<std::uint64_t> keys(values.size());
    for (std::size_t j = 0; j < values.size(); j++) {
        const auto one = static_cast<std::uint64_t>(values[j] / count[j]);
        keys[j] = largest ? ~one : one;
    }
    std::int64_t found = 0;
    for (const std::uint32_t j : order_of(keys)) {
        const std::int64_t value = values[j];
        if (value > limit) return found + limit / (value / count[j]);
        limit -= value;
        found += count[j];
    }
    return found;
}

/// The profit at weight 0 on the line through the items near the break item.
double guess(const Relaxation& root) {
    const std::int64_t n = root.size(), b = root.middle;
    const std::int64_t first = std::max<std::int64_t>(0, b - n / 4), last = std::min(n, b + n / 4 + 2);
    const auto x = [&](std::int64_t j) { return static_cast<double>(root.w[j]) / static_cast<double>(root.count[j]); };
    const auto y = [&](std::int64_t j) { return static_cast<double>(root.p[j]) / static_cast<double>(root.count[j]); };
    double x_mean = 0.0, y_mean = 0.0, variance = 0.0, slope = 0.0;
    for (std::int64_t j = first; j < last; j++) x_mean += x(j), y_mean += y(j);
    x_mean /= static_cast<double>(last - first), y_mean /= static_cast<double>(last - first);
    for (std::int64_t j = first; j < last; j++) {
        variance += (x(j) - x_mean) * (x(j) - x_mean);
        slope += (x(j) - x_mean) * (y(j) - y_mean);
    }
    return variance == 0.0 ? 0.0 : y_mean - slope / variance * x_mean;
}

/// The relaxation's bound at a multiplier, a tangent of the bound as a function of it.
struct Tangent {
    double multiplier, bound, slack, slope;
};

Tangent tangent_at(const ItemView& items, std::int64_t capacity, double multiplier, std::int64_t side) {
    std::vector<std::uint64_t> keys;
    const std::vector<std::uint32_t> order = by_efficiency(items, multiplier, keys);
    std::int64_t room = capacity, worth = 0, inside = 0, many = 0, k = 0;
    for (; k < items.n && items.w[order[k]] <= room && keys[order[k]] != falling(0.0); k++) {
        const std::uint32_t j = order[k];
        room -= items.w[j], worth += items.p[j], inside += items.count[j];
    }
    for (std::int64_t j = 0; j < items.n; j++) many += items.count[j];
    double efficiency = 0.0, count = static_cast<double>(inside);
    if (k < items.n && keys[order[k]] != falling(0.0)) {
        const std::uint32_t j = order[k];
        efficiency = std::bit_cast<double>(~keys[j]);
        count += static_cast<double>(room) / static_cast<double>(items.w[j]) * static_cast<double>(items.count[j]);
    }
    const double bound = static_cast<double>(worth) - multiplier * static_cast<double>(inside) +
                         static_cast<double>(room) * efficiency + multiplier * static_cast<double>(side);
    const double slack = 1e-6 + 1e-14 * (std::abs(bound) + std::abs(multiplier) * static_cast<double>(many));
    return {multiplier, bound, slack, static_cast<double>(side) - count};
}

}  // namespace

// Every choice that fits has at most k items, k being how many of the lightest fit; every choice better than the best
// one known has at least as many as are needed of the most profitable ones to beat it (S. Martello, P. Toth 1997,
// Upper bounds and algorithms for hard 0-1 knapsack problems).
std::optional<Cardinality> cardinality(const Relaxation& root, std::int64_t capacity, std::int64_t value) {
    const double relaxed = relaxed_count(root);
    const std::int64_t most = how_many(root.w, root.count, capacity, false);
    if (static_cast<double>(most) < relaxed) return Cardinality{most, true};
    const std::int64_t least = 1 + how_many(root.p, root.count, value, true);
    if (static_cast<double>(least) > relaxed) return Cardinality{least, false};
    return std::nullopt;
}

// The bound is convex and piecewise linear in the multiplier; its slope is the constraint's side less the relaxed
// number of items. The tangents at both ends of an interval that holds the minimum cross where to look next.
std::optional<Relaxation> tighten(const Relaxation& root, std::int64_t capacity, const Cardinality& constraint,
                                  Look look) {
    const ItemView items{root.w.data(), root.p.data(), root.count.data(), root.number.data(), root.size()};
    const double sign = constraint.at_most ? 1.0 : -1.0;
    const auto side = static_cast<double>(constraint.side);
    // With this multiplier no item, or every item that fits, is worth taking: then the lightest are the most efficient.
    const auto dearest = static_cast<double>(*std::max_element(root.p.begin(), root.p.end()));
    const auto [lightest, heaviest] = std::minmax_element(root.w.begin(), root.w.end());
    const double reach =
        constraint.at_most ? dearest : 4.0 * dearest * static_cast<double>(*heaviest) / static_cast<double>(*lightest);
    Tangent low{root.multiplier, root.bound, root.slack, side - relaxed_count(root)}, best = low;
    std::optional<Tangent> high;
    double last = 0.0;
    bool last_is_low = true;
    const double first = sign * guess(root);
    for (int attempt = 0; attempt < 40; attempt++) {
        double multiplier = sign * reach;
        if (attempt == 0 && first > 0.0 && first < reach) {
            multiplier = sign * first;
        } else if (attempt == 1) {
            // Where many items are equally efficient the slope jumps: look just beyond the jump.
            const double beyond = 1e-7 * std::max(1.0, std::abs(last));
            multiplier = last + (last_is_low ? sign : -sign) * beyond;
        } else if (high) {
            const double rise = high->slope - low.slope;
            if (rise * sign <= 0.0) break;
            const double crossing =
                (low.bound - high->bound + high->slope * high->multiplier - low.slope * low.multiplier) / rise;
            const double floor = low.bound + low.slope * (crossing - low.multiplier);
            if (std::floor(best.bound + best.slack) <= std::floor(floor - best.slack)) break;
            multiplier = crossing;
        }
        if (look()) break;
        const double near = std::nearbyint(multiplier);
        if (attempt != 1 && near != 0.0 && std::abs(multiplier - near) < 1e-6 * std::max(1.0, std::abs(multiplier)))
            multiplier = near;
        if (multiplier == low.multiplier || (high && multiplier == high->multiplier)) break;
        const Tangent tangent = tangent_at(items, capacity, multiplier, constraint.side);
        if (tangent.bound < best.bound) best = tangent;
        if (std::abs(tangent.slope) < 1e-9) break;
        last = multiplier;
        last_is_low = tangent.slope * sign < 0.0;
        if (last_is_low)
            low = tangent;
        else
            high = tangent;
    }
    if (best.multiplier == root.multiplier) return std::nullopt;
    return relaxed(items, capacity, best.multiplier, constraint.side);
}

// The pairs (weight, profit) of all items span a lattice of the plane. Where it is coarse, the total profit of a choice
// is known from its weight up to multiples of a step: the profits of strongly correlated items exceed their weights by
// multiples of R/10. The known tests for divisibility and for the number of items (S. Martello, D. Pisinger, P. Toth
// 1999, Dynamic programming and strong bounds for the 0-1 knapsack problem) are special cases.
Lattice lattice_of(const Items& items) {
    constexpr std::int64_t most_step = std::int64_t{1} << 31;  // products of smaller ones fit
    const std::vector<std::int64_t>&w = items.w, &p = items.p;
    const std::int64_t n = items.size();
    if (n < 2) return {};
    std::int64_t heaviest = 0, dearest = 0;
    for (std::int64_t j = 0; j < n; j++) heaviest = std::max(heaviest, w[j]), dearest = std::max(dearest, p[j]);
    const Int128 most = static_cast<Int128>(heaviest) * dearest;
    if (most >= std::int64_t{1} << 62) return {};
    // Any step divides these; a few items mostly show that there is none.
    std::int64_t step = 0;
    for (std::int64_t j = 0; j < n; j++) {
        step = divisor_with(step, p[0] * w[j] - p[j] * w[0]);
        if (step == 1) return {};
    }
    if (step == 0 || step >= most_step) return {};
    // A vector of the lattice with weight 1, put together from a few items.
    std::int64_t weight = w[0], slope = p[0] % step;
    for (std::int64_t j = 1; j < n && weight != 1; j++) {
        // weight = a * (the weight so far) + b * w[j]
        std::int64_t x = weight, y = w[j], a = 1, b = 0, c = 0, d = 1;
        while (y != 0) {
            const std::int64_t quotient = x / y;
            x = std::exchange(y, x - quotient * y);
            a = std::exchange(c, a - quotient * c);
            b = std::exchange(d, b - quotient * d);
        }
        weight = x;
        slope = ((a % step) * slope + (b % step) * (p[j] % step)) % step;
    }
    if (weight != 1) return {};
    for (std::int64_t j = 0; j < n; j++) step = divisor_with(step, p[j] % step - slope * (w[j] % step));
    slope %= step;
    return {slope < 0 ? slope + step : slope, step};
}

std::int64_t lattice_floor(const Lattice& lattice, double bound, double price, std::int64_t capacity,
                           std::int64_t value) {
    constexpr std::int64_t far = 1 << 17;  // so far below the capacity weights are looked at one by one
    std::int64_t best = value;
    for (std::int64_t t = 0; t <= capacity; t++) {
        const auto top = static_cast<std::int64_t>(std::floor(bound - static_cast<double>(t) * price));
        if (top <= best) return best;
        if (t > far) return std::max(best, top);
        const auto beyond = static_cast<Int128>(top) - static_cast<Int128>(lattice.slope) * (capacity - t);
        auto over = static_cast<std::int64_t>(beyond % lattice.step);
        if (over < 0) over += lattice.step;
        best = std::max(best, top - over);
    }
    return best;
}

}  // namespace prunus::PRUNUS_SET
