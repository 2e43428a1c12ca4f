// Trees whose nodes are branched by a function that is known by its address alone.
#pragma once

#include <memory>

#include "dispatch.hpp"
#include "treesearch/best_first_search.hpp"

namespace prunus::treesearch {

/// Branches a node with a bound: writes the children that may hold a solution below `cutoff`, a row
/// of words each, and their bounds, no less than the node's; returns how many they are. A solution
/// that it meets goes to `found`: its objective, then the numbers that describe it.
using BranchFunction = int (*)(const std::int64_t* node, std::int64_t bound, std::int64_t cutoff, int hurried,
                               std::int64_t* children, std::int64_t* bounds, std::int64_t* found);

struct BestFirstKernels {
    /// A node has so many words and at most so many children; a solution so many numbers.
    std::unique_ptr<BestFirstSearch> (*function_tree)(BranchFunction, int words, int children, int solution);
};

}  // namespace prunus::treesearch

PRUNUS_KERNELS(treesearch::BestFirstKernels)
