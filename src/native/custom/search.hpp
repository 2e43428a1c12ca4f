// What is done with a user's tree: depth-first search, a first solution, a walk down one path.
#pragma once

#include <memory>

#include "custom/problem.hpp"
#include "dispatch.hpp"
#include "treesearch/search.hpp"

namespace prunus::custom {

struct SearchKernels {
    std::unique_ptr<treesearch::Search> (*make)(const Problem&);
    /// Goes from the root to the child of least cost, again and again; writes the items of the path
    /// and returns the leaf's cost, `infeasible` if none is below.
    std::int64_t (*dive)(const Problem&, std::int64_t* order);
    /// Walks down a path of so many items, calling the functions as the search does; writes the states
    /// and the costs of all nodes below the root.
    void (*trace)(const Problem&, const std::int64_t* order, int depth, std::int64_t* states, std::int64_t* costs);
};

}  // namespace prunus::custom

PRUNUS_KERNELS(custom::SearchKernels)
