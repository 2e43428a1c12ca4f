// The tree of all tours from city 0, bounded by the length of the path so far.
#pragma once

#include <memory>

#include "dispatch.hpp"
#include "treesearch/search.hpp"

namespace prunus::atsp {

struct PathKernels {
    /// Makes a search of a matrix of cities² distances, at least two cities; no tour's length
    /// exceeds 63 bits. Item i is city i + 1.
    std::unique_ptr<treesearch::Search> (*make)(const std::int64_t* distances, int cities);
};

}  // namespace prunus::atsp

PRUNUS_KERNELS(atsp::PathKernels)
