#include "knapsack/groups.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "knapsack/group_counts.hpp"
#include "knapsack/group_fill.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using knapsack::Choice;
using knapsack::Counts;
using knapsack::CountsFound;
using knapsack::Group;
using knapsack::group_scale;
using knapsack::GroupItem;
using knapsack::GroupLimits;
using knapsack::Groups;
using knapsack::GroupsFound;
using knapsack::Items;
using knapsack::PricedCounts;

std::int64_t spread_of(const Groups& groups) {
    std::int64_t widest = 0;
    for (const Group& group : groups.groups)
        for (const GroupItem& item : group.items) widest = std::max(widest, item.weight);
    return widest;
}

/// The gap between sorted weights from which on groups are apart; 0 if there is none much wider than the others.
std::int64_t cut_of(const std::vector<std::int64_t>& sorted_weights) {
    constexpr std::size_t most_groups = 64;
    constexpr double wider = 16.0;  // than the gaps within groups
    std::vector<std::int64_t> gaps;
    for (std::size_t k = 1; k < sorted_weights.size(); k++) gaps.push_back(sorted_weights[k] - sorted_weights[k - 1]);
    const std::size_t some = std::min(most_groups + 1, gaps.size());
    std::partial_sort(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(some), gaps.end(), std::greater<>());
    double best = 0.0;
    std::int64_t cut = 0;
    for (std::size_t k = 0; k + 1 < some; k++) {
        const double ratio = static_cast<double>(gaps[k]) / static_cast<double>(std::max<std::int64_t>(gaps[k + 1], 1));
        if (ratio > best) best = ratio, cut = gaps[k];
    }
    return best < wider ? 0 : cut;
}

std::optional<Groups> classify(const Items& items) {
    constexpr std::int64_t most_sum = std::int64_t{1} << 61;
    constexpr std::int64_t least_price = 8 * group_scale;  // the least highest price worth starting with
    const std::int64_t n = items.size();
    if (n < 2) return std::nullopt;
    std::vector<std::int64_t> order(n), weights;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return items.w[a] < items.w[b]; });
    for (const std::int64_t j : order) weights.push_back(items.w[j]);
    const std::int64_t cut = cut_of(weights);
    if (cut == 0) return std::nullopt;
    Groups found;
    found.capacity = items.capacity;
    for (std::int64_t k = 0; k < n; k++) {
        const std::int64_t j = order[k];
        if (k == 0 || weights[k] - weights[k - 1] >= cut) found.groups.push_back({weights[k], 0, {}});
        Group& group = found.groups.back();
        group.items.push_back({items.w[j] - group.base, items.p[j], j});
    }
    // A group as wide as it is heavy is none.
    Group& light = found.groups.front();
    if (light.items.back().weight >= light.base) {
        found.free = std::move(light.items);
        for (GroupItem& item : found.free) item.weight += light.base;
        found.groups.erase(found.groups.begin());
    }
    std::reverse(found.groups.begin(), found.groups.end());
    double all = static_cast<double>(items.capacity);
    for (const GroupItem& item : found.free) all += static_cast<double>(item.weight);
    for (Group& group : found.groups) {
        group.most = std::min<std::int64_t>(static_cast<std::int64_t>(group.items.size()), items.capacity / group.base);
        for (const GroupItem& item : group.items) all += static_cast<double>(item.weight);
    }
    found.highest = std::min<std::int64_t>(group_scale * group_scale,
                                           static_cast<std::int64_t>(static_cast<double>(most_sum) / (4.0 * all)));
    const bool exact = static_cast<double>(items.profit) + static_cast<double>(items.capacity) <
                       static_cast<double>(most_sum / group_scale);
    if (!exact || found.highest <= least_price || 2 * spread_of(found) >= found.groups.back().base) return std::nullopt;
    return found;
}

class Search {
  public:
    Search(const Groups& item_groups, std::int64_t value, std::int64_t limit, const GroupLimits& limits, Look look)
        : groups(item_groups), how(limits), ask(look) {
        found.value = value, found.limit = limit;
    }

    GroupsFound run() {
        try {
            found.done = search();
        } catch (const GroupsStopped&) {
        } catch (const TooManySums&) {
        }
        return std::move(found);
    }

  private:
    bool search() {
        std::optional<GroupSums> sums = first_sums();
        if (!sums) return false;
        found.sums = sums->size();
        if (ask()) return false;
        const GroupCounts whole(std::move(*sums), GroupCounts::usual_prices(), ask);
        limit_to(whole.bound);
        // How far below the bound choices are sought, in units of profit.
        for (const std::int64_t margin : {std::int64_t{100}, std::int64_t{10'000}, std::int64_t{1} << 50}) {
            const std::int64_t least = std::max(whole.bound - group_scale * margin, group_scale * (found.value + 1));
            std::optional<GroupCounts> counts = whole.narrowed(least);
            for (;;) {
                limit_to(counts->bound);
                if (ask()) return false;
                if (climb_down(*counts)) break;
                std::optional<GroupCounts> finer = counts->finer();
                if (!finer) return false;
                counts.emplace(std::move(*finer));
            }
            if (found.limit <= found.value) return true;
        }
        return false;
    }

    std::optional<GroupSums> first_sums() {
        const auto spread = static_cast<std::uint64_t>(spread_of(groups));
        std::int64_t grid = spread == 0 ? 1 : static_cast<std::int64_t>(std::bit_floor(spread));
        for (int attempt = 0; attempt < 3; attempt++, grid *= how.coarser) {
            try {
                return GroupSums(groups, found.value, grid, how, ask);
            } catch (const TooManySums&) {
            }
        }
        return std::nullopt;
    }

    void limit_to(std::int64_t bound) {
        const std::int64_t most = bound >= 0 ? bound / group_scale : -1;
        found.limit = std::max(found.value, std::min(found.limit, most));
    }

    /// Lowers the limit until it is reached or all counts are tried; false if those are too many.
    bool climb_down(const GroupCounts& counts) {
        if (how.refused > 0) {
            how.refused--;
            return false;
        }
        const std::int64_t rounded_up = counts.least > 0 ? (counts.least + group_scale - 1) / group_scale : 0;
        const std::int64_t lowest = std::max(found.value + 1, rounded_up);
        for (std::int64_t drop = 1; found.limit >= lowest; drop *= 4) {
            std::int64_t least = std::max(lowest, found.limit - drop);
            const CountsFound near = counts.near(group_scale * least, how.vectors);
            if (static_cast<std::int64_t>(near.counts.size()) > how.vectors) return false;
            for (std::size_t k = 0; k < near.counts.size(); k++) {
                least = std::max(least, found.value + 1);
                if (near.bounds[k] < group_scale * least) break;
                if (ask()) throw GroupsStopped{};
                try_counts(near.counts[k], least);
            }
            found.limit = std::max(found.value, least - 1);
            if (found.limit <= found.value) break;
        }
        return true;
    }

    void try_counts(const Counts& counts, std::int64_t least) {
        found.vectors++;
        const PricedCounts at = least_bound(groups, counts, price, group_scale * least);
        price = at.price;
        Choice choice = fill(groups, counts, at, least, ask);
        if (choice.value < 0) return;
        found.value = choice.value;
        found.chosen = std::move(choice.items);
    }

    const Groups& groups;
    GroupLimits how;
    const Look ask;
    GroupsFound found;
    std::int64_t price = group_scale;
};

GroupsFound search(const Groups& groups, std::int64_t value, std::int64_t limit, const GroupLimits& how, Look look) {
    return Search(groups, value, limit, how, look).run();
}

PricedCounts least(const Groups& groups, const Counts& counts) {
    return least_bound(groups, counts, group_scale, nothing);
}

std::int64_t bound_at(const Groups& groups, const Counts& counts, std::int64_t price) {
    return counts_bound(groups, counts, price).bound;
}

Choice fill_counts(const Groups& groups, const Counts& counts, const PricedCounts& at, std::int64_t least) {
    return fill(groups, counts, at, least, {});
}

CountsFound near(const Groups& groups, std::int64_t grid, std::int64_t least) {
    const GroupCounts whole(GroupSums(groups, 0, grid, {}, {}), GroupCounts::usual_prices(), {});
    CountsFound found = whole.narrowed(least).near(least, 10'000);
    found.bound = whole.bound;
    return found;
}

}  // namespace

const knapsack::GroupKernels& kernels(const knapsack::GroupKernels*) {
    static constexpr knapsack::GroupKernels table{classify, search, least, bound_at, fill_counts, near};
    return table;
}

}  // namespace prunus::PRUNUS_SET
