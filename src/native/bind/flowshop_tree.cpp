#include <nanobind/stl/unique_ptr.h>

#include <stdexcept>

#include "arrays.hpp"
#include "flowshop/flowtime_search.hpp"
#include "flowshop/makespan_search.hpp"
#include "parts.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using flowshop::MakespanTree;

std::unique_ptr<treesearch::Search> makespan_search(Array<const std::int64_t, 2> times,
                                                    Array<const std::int32_t, 2> ends,
                                                    Array<const std::int64_t, 3> steps, int bound, int rule) {
    const MakespanTree tree{.jobs = static_cast<int>(times.shape(0)),
                            .machines = static_cast<int>(times.shape(1)),
                            .times = times.data(),
                            .bound = bound,
                            .rule = rule,
                            .pairs = static_cast<int>(ends.shape(0)),
                            .ends = ends.data(),
                            .steps = steps.data()};
    if (times.size() == 0 || ends.shape(1) != 2 || steps.shape(0) != ends.shape(0) ||
        steps.shape(1) != times.shape(0) || steps.shape(2) != 4 || bound < 0 || bound > 2 || rule < 0 || rule > 4)
        throw std::invalid_argument("no tree of a flow shop");
    return kernels<flowshop::MakespanKernels>().make(tree);
}

}  // namespace

void bind_flowshop_tree(nb::module_& m) {
    m.def(
        "flowtime_search",
        [](Array<const std::int64_t, 2> times) {
            if (times.size() == 0) throw std::invalid_argument("no tree of a flow shop");
            return kernels<flowshop::FlowtimeKernels>().make(times.data(), static_cast<int>(times.shape(0)),
                                                             static_cast<int>(times.shape(1)));
        },
        nb::arg("times"), "Make a search of all schedules by total flow time; 64 bits hold four times any bound.");
    m.def("makespan_search", &makespan_search, nb::arg("times"), nb::arg("ends"), nb::arg("steps"), nb::arg("bound"),
          nb::arg("rule"), "Make a search of all schedules by makespan.\n\n`ends` and `steps` are Johnson's pairs.");
}

}  // namespace prunus
