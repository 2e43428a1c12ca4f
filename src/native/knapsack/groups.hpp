// Items that fall into few classes of nearly equal weight: decide how many of each, then which.
//
// Where the weights lie in a few narrow bands, a choice is first of all a vector of counts, how many items of each
// band; which ones is a question of what is left of the weights beyond each band's lightest item, and of the light
// items that fill up. All vectors of counts are bounded, then those that come near the bound are filled. The threshold
// starts just below the bound, which is mostly off by a few units, and falls until a choice reaches it: that choice is
// optimal, since all counts that could hold a better one were tried.
#pragma once

#include <array>
#include <optional>

#include "knapsack/relaxation.hpp"

namespace prunus::knapsack {

constexpr std::int64_t group_scale = 1024;  // prices are whole multiples of one over this: all sums are exact

struct GroupItem {
    std::int64_t weight;  // beyond the base
    std::int64_t profit;
    std::int64_t number;
};

/// Items of nearly equal weight.
struct Group {
    std::int64_t base;  // the weight of the lightest
    std::int64_t most;  // how many fit
    std::vector<GroupItem> items;
};

/// The groups, the heaviest first, and the free items, any number of which may be chosen (their base is 0).
struct Groups {
    std::vector<Group> groups;
    std::vector<GroupItem> free;
    std::int64_t capacity = 0;
    std::int64_t highest = 0;  // the highest price at which all sums are exact, times the scale
};

struct GroupLimits {
    std::int64_t sums = 4'000'000;    // of weight after one group
    std::int64_t coarser = 16;        // by how much coarser the grid is if there are more
    std::int64_t work = 300'000'000;  // looks at sums for a group
    std::int64_t slice = 10'000'000;  // of them between two looks at the clock
    std::int64_t vectors = 2'000;     // of counts that are filled for one threshold
    int refused = 0;                  // for tests: so often vectors are too many, whatever they are
};

/// How far it came.
struct GroupsFound {
    bool done = false;                  // the best value known is optimal
    std::int64_t value = 0, limit = 0;  // the best known; no choice is worth more
    std::vector<std::int64_t> chosen;   // if a better one was found
    std::int64_t sums = 0, vectors = 0;
};

using Counts = std::vector<std::int64_t>;  // how many items of each group

/// Vectors of counts that come near the bound, and upper bounds on what they are worth, falling.
struct CountsFound {
    std::int64_t bound = 0;  // over all vectors
    std::vector<Counts> counts;
    std::vector<std::int64_t> bounds;
};

/// A bound of one vector of counts, times the scale.
struct PricedCounts {
    std::int64_t price, bound;
};

struct GroupKernels {
    /// Sorts items into groups; none if their weights form none.
    std::optional<Groups> (*classify)(const Items&);
    /// Seeks choices worth more than `value`, which is known to be reached; none is worth more than `limit`.
    GroupsFound (*search)(const Groups&, std::int64_t value, std::int64_t limit, const GroupLimits&, Look);
    /// For tests: the price with the least bound of a vector, its bound at a price, the best choice with such counts if
    /// it is worth at least so much, and all vectors whose bound on a grid is at least so much.
    PricedCounts (*least)(const Groups&, const Counts&);
    std::int64_t (*bound_at)(const Groups&, const Counts&, std::int64_t price);
    Choice (*fill)(const Groups&, const Counts&, const PricedCounts&, std::int64_t least);
    CountsFound (*near)(const Groups&, std::int64_t grid, std::int64_t least);
};

}  // namespace prunus::knapsack

PRUNUS_KERNELS(knapsack::GroupKernels)
