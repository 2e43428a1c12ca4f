// The tree of all permutations, without bounds: for tests that no leaf is lost or repeated.
#pragma once

#include <memory>

#include "dispatch.hpp"
#include "treesearch/search.hpp"

namespace prunus::treesearch {

struct PermutationKernels {
    std::unique_ptr<Search> (*make)(int items);
};

}  // namespace prunus::treesearch

PRUNUS_KERNELS(treesearch::PermutationKernels)
