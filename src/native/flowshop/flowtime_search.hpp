// The tree of schedules with the total flow time, branched from the beginning on.
#pragma once

#include <memory>

#include "dispatch.hpp"
#include "treesearch/search.hpp"

namespace prunus::flowshop {

struct FlowtimeKernels {
    /// Makes a search of jobs x machines processing times, in the narrowest numbers in which no bound
    /// can overflow; 64 bits hold them all.
    std::unique_ptr<treesearch::Search> (*make)(const std::int64_t* times, int jobs, int machines);
};

}  // namespace prunus::flowshop

PRUNUS_KERNELS(flowshop::FlowtimeKernels)
