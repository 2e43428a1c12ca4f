// Reducing a problem, and tying identical items into bundles.
#include "knapsack/items.hpp"

#include <algorithm>
#include <numeric>

#include "knapsack/order.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using knapsack::Items;
using knapsack::Reduced;

Reduced reduce(const std::int64_t* w, const std::int64_t* p, std::int64_t n, std::int64_t capacity) {
    Reduced found;
    found.size = n;
    Items& items = found.items;
    items.members.reserve(n);
    std::int64_t weights = 0, profits = 0;
    for (std::int64_t j = 0; j < n; j++) {
        if (p[j] == 0 || w[j] > capacity) continue;
        if (w[j] == 0) {
            found.packed.push_back(j);
            found.profit += p[j];
            continue;
        }
        items.members.push_back(j);
        if (weights != 1) weights = divisor_with(weights, w[j]);
        if (profits != 1) profits = divisor_with(profits, p[j]);
    }
    const std::size_t kept = items.members.size();
    if (kept > 0) found.weight_unit = weights, found.unit = profits;
    items.capacity = capacity / found.weight_unit;
    items.w.resize(kept), items.p.resize(kept), items.start.resize(kept);
    items.count.assign(kept, 1);
    for (std::size_t k = 0; k < kept; k++) {
        const std::int64_t j = items.members[k];
        items.w[k] = weights == 1 ? w[j] : w[j] / weights;
        items.p[k] = profits == 1 ? p[j] : p[j] / profits;
        items.start[k] = static_cast<std::int64_t>(k);
        items.weight += items.w[k];
        items.profit += items.p[k];
    }
    return found;
}

/// The items in an order in which identical ones are neighbours.
std::vector<std::int64_t> by_kind(const Items& items) {
    const std::int64_t n = items.size();
    std::vector<std::uint64_t> keys(items.p.begin(), items.p.end());
    const std::vector<std::uint32_t> by_profit = order_of(keys);
    for (std::int64_t k = 0; k < n; k++) keys[k] = static_cast<std::uint64_t>(items.w[by_profit[k]]);
    std::vector<std::int64_t> order;
    for (const std::uint32_t k : order_of(keys)) order.push_back(by_profit[k]);
    return order;
}

Items bundle(const Items& items) {
    Items tied;
    tied.capacity = items.capacity;
    const std::vector<std::int64_t> order = by_kind(items);
    const std::int64_t n = items.size();
    struct Kind {
        std::int64_t first, copies;  // of the order
    };
    std::vector<Kind> kinds;
    for (std::int64_t k = 0; k < n; k++) {
        const std::int64_t j = order[k], before = k > 0 ? order[k - 1] : j;
        if (k == 0 || items.w[j] != items.w[before] || items.p[j] != items.p[before]) kinds.push_back({k, 0});
        kinds.back().copies++;
        tied.members.push_back(items.members[j]);
    }
    // The bundles of one size of all kinds, then those of the next size.
    for (Kind& kind : kinds) kind.copies = std::min(kind.copies, items.capacity / items.w[order[kind.first]]);
    for (std::int64_t size = 1; !kinds.empty(); size *= 2) {
        for (Kind& kind : kinds) {
            const std::int64_t j = order[kind.first], take = std::min(size, kind.copies);
            tied.w.push_back(take * items.w[j]);
            tied.p.push_back(take * items.p[j]);
            tied.count.push_back(take);
            tied.start.push_back(kind.first);
            tied.weight += tied.w.back();
            tied.profit += tied.p.back();
            kind.first += take, kind.copies -= take;
        }
        std::erase_if(kinds, [](const Kind& kind) { return kind.copies == 0; });
    }
    return tied;
}

constexpr std::int64_t sample_items = 1000;

bool repetitive(const Items& items) {
    const std::int64_t n = items.size();
    if (n < 2 * sample_items) return false;
    std::vector<std::pair<std::int64_t, std::int64_t>> sample;
    for (std::int64_t j = 0; j < n; j += n / sample_items) sample.emplace_back(items.w[j], items.p[j]);
    const auto drawn = static_cast<std::int64_t>(sample.size());
    std::sort(sample.begin(), sample.end());
    const auto distinct = std::unique(sample.begin(), sample.end()) - sample.begin();
    // Among k kinds, m items drawn at random repeat one of them about m * m / 2 k times.
    return static_cast<double>(drawn - distinct) > 2.0 * static_cast<double>(drawn * drawn) / static_cast<double>(n);
}

std::vector<std::int64_t> expand(const Reduced& reduced, const Items& items, const std::vector<std::int64_t>& chosen) {
    std::vector<std::uint8_t> flags(reduced.size);
    std::size_t many = reduced.packed.size();
    for (const std::int64_t j : reduced.packed) flags[j] = 1;
    for (const std::int64_t j : chosen) {
        many += items.count[j];
        for (std::int64_t k = items.start[j]; k < items.start[j] + items.count[j]; k++) flags[items.members[k]] = 1;
    }
    std::vector<std::int64_t> inside;
    inside.reserve(many);
    for (std::int64_t j = 0; j < reduced.size; j++)
        if (flags[j] != 0) inside.push_back(j);
    return inside;
}

}  // namespace

const knapsack::ItemKernels& kernels(const knapsack::ItemKernels*) {
    static constexpr knapsack::ItemKernels table{reduce, bundle, repetitive, expand};
    return table;
}

}  // namespace prunus::PRUNUS_SET
