// Beams of a user's problem.
#pragma once

#include <memory>

#include "custom/problem.hpp"
#include "dispatch.hpp"
#include "treesearch/beam.hpp"

namespace prunus::custom {

struct BeamInput {
    std::int64_t cutoff;        // only solutions that cost less are of use
    double weight;              // of what completions cost; bounds, or the guide, have the rest
    const std::int64_t* order;  // the items of the solution that completions follow
    int threads;
    int piece_nodes;
    std::uint64_t seed;  // of the choice among equals
};

struct BeamKernels {
    std::unique_ptr<treesearch::Beam> (*make)(const Problem&, const BeamInput&);
};

}  // namespace prunus::custom

PRUNUS_KERNELS(custom::BeamKernels)
