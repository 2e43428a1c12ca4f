// Beams of flow shops: what a beam of each objective is made from.
#pragma once

#include <cstdint>
#include <memory>

#include "dispatch.hpp"
#include "treesearch/beam.hpp"

namespace prunus::flowshop {

struct BeamInput {
    const std::int64_t* times;  // machines a job
    int jobs, machines;
    std::int64_t cutoff;  // only schedules that cost less are of use
    double weight;        // of idle time
    int threads;
};

struct BeamKernels {
    /// By makespan, from both ends of the schedule. `emphasis` says how many times idle time counts on
    /// each four machines, in the order in which a job of the side comes to them.
    std::unique_ptr<treesearch::Beam> (*makespan)(const BeamInput&, const float* emphasis, int piece_nodes, int sampled,
                                                  double sample_factor, int sample_least, int least_room);
    /// By total flow time, from the beginning on. `shares` (machines a place) says what idle time
    /// counts by the jobs that come before.
    std::unique_ptr<treesearch::Beam> (*flowtime)(const BeamInput&, const float* shares, int piece_nodes,
                                                  std::uint64_t seed);
};

}  // namespace prunus::flowshop

PRUNUS_KERNELS(flowshop::BeamKernels)
