#include <nanobind/stl/unique_ptr.h>

#include <stdexcept>

#include "arrays.hpp"
#include "flowshop/beam.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using Times = Array<const std::int64_t, 2>;

flowshop::BeamInput input_of(const Times& times, std::int64_t cutoff, double weight, int threads, int piece_nodes) {
    if (threads < 1 || piece_nodes < 1 || times.shape(0) > (1 << 30))
        throw std::invalid_argument("numbers out of range");
    return {times.data(), static_cast<int>(times.shape(0)), static_cast<int>(times.shape(1)), cutoff, weight, threads};
}

}  // namespace

void bind_flowshop_beams(nb::module_& m) {
    m.def(
        "makespan_beam",
        [](const Times& times, std::int64_t cutoff, double weight, Array<const float> emphasis, int threads,
           int piece_nodes, int sampled, double sample_factor, int sample_least, int least_room) {
            const auto input = input_of(times, cutoff, weight, threads, piece_nodes);
            if (emphasis.size() != (times.shape(1) + 3) / 4)
                throw std::invalid_argument("no number for each four machines");
            if (sampled < 2 || sample_least < 0 || least_room < 0) throw std::invalid_argument("numbers out of range");
            return kernels<flowshop::BeamKernels>().makespan(input, emphasis.data(), piece_nodes, sampled,
                                                             sample_factor, sample_least, least_room);
        },
        nb::arg("times"), nb::arg("cutoff"), nb::arg("weight"), nb::arg("emphasis"), nb::arg("threads"),
        nb::arg("piece_nodes"), nb::arg("sampled"), nb::arg("sample_factor"), nb::arg("sample_least"),
        nb::arg("least_room"),
        "Begin a beam by makespan, from both ends of the schedule.\n\n"
        "Idle time counts by `weight`, and by `emphasis` on each four machines. One of `sampled` nodes is rated\n"
        "first; `sample_factor` times as many children are allowed for as its best ones let expect, and\n"
        "`sample_least` more.");
    m.def(
        "flowtime_beam",
        [](const Times& times, std::int64_t cutoff, double weight, Array<const float, 2> shares, int threads,
           int piece_nodes, std::uint64_t seed) {
            const auto input = input_of(times, cutoff, weight, threads, piece_nodes);
            if (shares.shape(0) != times.shape(0) || shares.shape(1) != times.shape(1))
                throw std::invalid_argument("no number for each place and machine");
            return kernels<flowshop::BeamKernels>().flowtime(input, shares.data(), piece_nodes, seed);
        },
        nb::arg("times"), nb::arg("cutoff"), nb::arg("weight"), nb::arg("shares"), nb::arg("threads"),
        nb::arg("piece_nodes"), nb::arg("seed"),
        "Begin a beam by total flow time, from the beginning of the schedule on.\n\n"
        "Idle time counts by `weight`, and by `shares` (place, machine).");
}

}  // namespace prunus
