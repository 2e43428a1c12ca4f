// Sorting by efficiency, the break solution, the items that are left, and first choices.
#include "knapsack/relaxation.hpp"

#include <algorithm>
#include <cmath>

#include "knapsack/bounds.hpp"
#include "knapsack/order.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using knapsack::Choice;
using knapsack::FreeItems;
using knapsack::Items;
using knapsack::Relaxation;
using knapsack::SortedItems;

/// Sums over the items so far. Whole numbers: what floats lose in a long sum can be more than the slack.
struct Sums {
    double multiplier;
    std::int64_t weight = 0, worth = 0, many = 0;

    void note(SortedItems& items, std::int64_t k) const {
        items.cw[k] = weight;
        items.cq[k] = static_cast<double>(worth) - multiplier * static_cast<double>(many);
    }

    void add(const SortedItems& items, std::int64_t k) {
        weight += items.w[k];
        if (items.e[k] > 0.0) worth += items.p[k], many += items.count[k];
    }
};

void resize(SortedItems& items, std::int64_t n) {
    items.number.resize(n), items.w.resize(n), items.p.resize(n), items.count.resize(n);
    items.e.resize(n + 1), items.cw.resize(n + 1), items.cq.resize(n + 1);
    items.e[n] = 0.0;
}

}  // namespace

std::vector<std::uint32_t> by_efficiency(const ItemView& items, double multiplier, std::vector<std::uint64_t>& keys) {
    keys.resize(items.n);
    for (std::int64_t j = 0; j < items.n; j++) {
        const double q = static_cast<double>(items.p[j]) - multiplier * static_cast<double>(items.count[j]);
        keys[j] = falling(q > 0.0 ? q / static_cast<double>(items.w[j]) : 0.0);
    }
    return order_of(keys);
}

Relaxation relaxed(const ItemView& items, std::int64_t capacity, double multiplier, std::int64_t side) {
    const std::int64_t n = items.n;
    std::vector<std::uint64_t> keys;
    const std::vector<std::uint32_t> order = by_efficiency(items, multiplier, keys);
    Relaxation r;
    resize(r, n);
    r.multiplier = multiplier, r.side = side, r.middle = n;
    Sums sums{multiplier};
    std::int64_t many = 0;
    for (std::int64_t k = 0; k < n; k++) {
        const std::int64_t j = order[k];
        r.number[k] = items.number != nullptr ? items.number[j] : j;
        r.w[k] = items.w[j], r.p[k] = items.p[j], r.count[k] = items.count[j];
        r.e[k] = std::bit_cast<double>(~keys[j]);
        sums.note(r, k);
        if (r.middle == n) {
            if (sums.weight + r.w[k] > capacity || r.e[k] <= 0.0)
                r.middle = k;
            else
                r.profit += r.p[k];
        }
        sums.add(r, k);
        many += r.count[k];
    }
    sums.note(r, n);
    r.room = capacity - r.cw[r.middle];
    r.bound = r.cq[r.middle] + static_cast<double>(r.room) * r.e[r.middle] + multiplier * static_cast<double>(side);
    const double paid = multiplier != 0.0 ? std::abs(multiplier) * static_cast<double>(many) : 0.0;
    r.slack = 1e-6 + 1e-14 * (std::abs(r.bound) + paid);
    return r;
}

namespace {

Relaxation relax(const Items& items, double multiplier, std::int64_t side) {
    return relaxed({items.w.data(), items.p.data(), items.count.data(), nullptr, items.size()}, items.capacity,
                   multiplier, side);
}

/// The bound if an item deviates from the break solution.
struct Forced {
    const Relaxation& r;
    double before, after, side;

    explicit Forced(const Relaxation& relaxation) : r(relaxation), side(0.0) {
        after = r.e[r.middle];
        before = r.middle > 0 ? r.e[r.middle - 1] : after;
        if (r.multiplier == 0.0) return;
        std::int64_t inside = 0;
        for (std::int64_t j = 0; j < r.middle; j++) inside += r.count[j];
        side = r.multiplier * static_cast<double>(r.side - inside);
    }

    double operator()(std::int64_t j) const {
        const double q = static_cast<double>(r.p[j]) - r.multiplier * static_cast<double>(r.count[j]);
        if (j < r.middle) return static_cast<double>(r.room + r.w[j]) * after - q + side;
        const auto left = static_cast<double>(r.room - r.w[j]);
        return q + left * (left >= 0.0 ? after : before) + side;
    }
};

std::vector<double> forced(const Relaxation& r) {
    const Forced bound(r);
    std::vector<double> found(r.size());
    for (std::int64_t j = 0; j < r.size(); j++) found[j] = bound(j);
    return found;
}

}  // namespace

FreeItems free_items(const Relaxation& r, std::int64_t value) {
    const Forced bound(r);
    const double least = static_cast<double>(value + 1 - r.profit) - r.slack;
    FreeItems left;
    std::vector<std::int64_t>& kept = left.number;
    for (std::int64_t j = 0; j < r.size(); j++) {
        const double b = bound(j);
        if (b < least) continue;
        kept.push_back(j);
        left.forced.push_back(b);
    }
    const auto n = static_cast<std::int64_t>(kept.size());
    resize(left, n);
    Sums sums{r.multiplier};
    for (std::int64_t k = 0; k < n; k++) {
        const std::int64_t j = kept[k];
        left.w[k] = r.w[j], left.p[k] = r.p[j], left.count[k] = r.count[j], left.e[k] = r.e[j];
        sums.note(left, k);
        sums.add(left, k);
        if (j < r.middle) left.middle = k + 1;
    }
    sums.note(left, n);
    return left;
}

namespace {

/// The break solution filled up greedily, or with one of its items exchanged for one of the first that follow.
Choice greedy(const Relaxation& r, std::int64_t value, std::int64_t exchanges) {
    const std::int64_t n = r.size(), middle = r.middle;
    std::int64_t free = r.room, filled = 0;
    for (std::int64_t j = middle; j < n; j++)
        if (r.w[j] <= free) free -= r.w[j], filled += r.p[j];
    std::int64_t dropped = -1, added = -1, exchange = -1;
    for (std::int64_t k = middle; k < n && k - middle < exchanges; k++)
        for (std::int64_t j = 0; j < middle; j++)
            if (r.w[j] >= r.w[k] - r.room && r.p[k] - r.p[j] > exchange)
                dropped = j, added = k, exchange = r.p[k] - r.p[j];
    Choice choice{r.profit + std::max(filled, exchange), {}};
    if (choice.value <= value) return choice;
    choice.items.assign(r.number.begin(), r.number.begin() + middle);
    if (exchange > filled) {
        choice.items[dropped] = r.number[added];
        return choice;
    }
    free = r.room;
    for (std::int64_t j = middle; j < n; j++)
        if (r.w[j] <= free) free -= r.w[j], choice.items.push_back(r.number[j]);
    return choice;
}

}  // namespace

const knapsack::RelaxationKernels& kernels(const knapsack::RelaxationKernels*) {
    static constexpr knapsack::RelaxationKernels table{relax,       forced,  free_items, greedy,
                                                       cardinality, tighten, lattice_of, lattice_floor};
    return table;
}

}  // namespace prunus::PRUNUS_SET
