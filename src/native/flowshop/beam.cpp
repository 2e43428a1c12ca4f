#include "flowshop/beam.hpp"

#include "flowshop/extent.hpp"
#include "flowshop/flowtime_beam.hpp"
#include "flowshop/makespan_beam.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using flowshop::BeamInput;
using treesearch::Beam;
using Made = std::unique_ptr<Beam>;

template <class T>
Made by_makespan(const BeamInput& input, const float* emphasis, std::int64_t latest, const BeamTuning& tuning) {
    using Node = MakespanBeamNode<T>;
    return std::make_unique<BeamSearch<Node>>(Node(input, emphasis, latest), tuning, input.threads, 0);
}

Made makespan(const BeamInput& given, const float* emphasis, int piece_nodes, int sampled, double sample_factor,
              int sample_least, int least_room) {
    const Extent extent(given.times, given.jobs, given.machines);
    BeamInput input = given;
    input.cutoff = static_cast<std::int64_t>(std::min<Wide>(given.cutoff, extent.all + 1));
    // No time of a child is later than its parent's bound and its job together; the root's is no later
    // than the load of a machine behind the shortest head, and before the shortest tail.
    const Wide root = extent.longest_machine + extent.shortest_job;
    const auto latest = static_cast<std::int64_t>(std::max<Wide>(input.cutoff, root) + extent.longest_job);
    const BeamTuning tuning{piece_nodes, sampled, sample_factor, sample_least, least_room};
    const auto made = latest <= UINT16_MAX  ? by_makespan<std::uint16_t>
                      : latest <= INT32_MAX ? by_makespan<std::int32_t>
                                            : by_makespan<std::int64_t>;
    return made(input, emphasis, latest, tuning);
}

template <class T>
Made by_flowtime(const BeamInput& input, const float* shares, int piece_nodes, std::uint64_t seed) {
    using Node = FlowtimeBeamNode<T>;
    return std::make_unique<BeamSearch<Node>>(Node(input, shares, seed), BeamTuning{.piece_nodes = piece_nodes},
                                              input.threads, seed);
}

Made flowtime(const BeamInput& input, const float* shares, int piece_nodes, std::uint64_t seed) {
    // Idle time counts four times at most, and is added up over the machines.
    const Wide longest = Extent(input.times, input.jobs, input.machines).longest_schedule;
    const Wide largest = 4 * (input.jobs + input.machines) * longest;
    return (largest <= INT32_MAX ? by_flowtime<std::int32_t> : by_flowtime<std::int64_t>)(input, shares, piece_nodes,
                                                                                          seed);
}

}  // namespace

const flowshop::BeamKernels& kernels(const flowshop::BeamKernels*) {
    static constexpr flowshop::BeamKernels table{.makespan = makespan, .flowtime = flowtime};
    return table;
}

}  // namespace prunus::PRUNUS_SET
