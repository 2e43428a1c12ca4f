// The best place for jobs of a sequence, one after another, by makespan: the step NEH is made of.
#pragma once

#include <cstdint>

#include "dispatch.hpp"

namespace prunus::flowshop {

struct InsertionKernels {
    /// Inserts `count` jobs into a sequence of `size` jobs, each where it is best; returns the
    /// makespan. `sequence` has room for all; `times` has `machines` a job.
    std::int64_t (*insert)(const std::int64_t* times, int jobs, int machines, std::int32_t* sequence, int size,
                           const std::int32_t* inserted, int count);
};

}  // namespace prunus::flowshop

PRUNUS_KERNELS(flowshop::InsertionKernels)
