// The tree of schedules with the makespan, branched at both ends.
#pragma once

#include <memory>

#include "dispatch.hpp"
#include "treesearch/search.hpp"

namespace prunus::flowshop {

/// An instance and what bounds and branches its tree.
struct MakespanTree {
    int jobs, machines;
    const std::int64_t* times;  // jobs x machines
    int bound, rule;            // see both/makespan.hpp
    int pairs;                  // of machines, for LB2
    const std::int32_t* ends;   // pairs x 2: the machines u < v of each
    const std::int64_t* steps;  // pairs x jobs x 4: Johnson's order: job, time on u, lag, time on v
};

struct MakespanKernels {
    /// Makes a search in the narrowest numbers in which no bound can overflow.
    std::unique_ptr<treesearch::Search> (*make)(const MakespanTree& tree);
};

}  // namespace prunus::flowshop

PRUNUS_KERNELS(flowshop::MakespanKernels)
