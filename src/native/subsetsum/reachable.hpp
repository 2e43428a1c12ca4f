// Sets of reachable sums, a bit each.
#pragma once

#include <cstdint>

#include "dispatch.hpp"

namespace prunus::subsetsum {

struct ReachableKernels {
    /// Writes words `low` to `high - 1` of `from | from << weight`.
    void (*add)(const std::uint64_t* from, std::uint64_t* to, std::int64_t weight, std::int64_t low, std::int64_t high);
};

}  // namespace prunus::subsetsum

PRUNUS_KERNELS(subsetsum::ReachableKernels)
