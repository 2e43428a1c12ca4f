#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "nqueens/sweep.hpp"
#include "parts.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using nqueens::Counts;
using nqueens::Tasks;

using TaskArrays = std::tuple<Array<const std::uint32_t>, Array<const std::uint32_t>, Array<const std::uint32_t>,
                              Array<const std::uint32_t>, Array<const std::int32_t>>;
using GroupTable = std::tuple<Array<const std::uint32_t, 2>, Array<const std::uint8_t, 2>, Array<const std::int64_t>,
                              Array<const std::int64_t>>;

Tasks view(const TaskArrays& tasks, const GroupTable& groups) {
    const auto& [columns, left, right, free, group] = tasks;
    const auto& [masks, shifts, solutions_weight, nodes_weight] = groups;
    const int n = static_cast<int>(masks.shape(1)) - 2;
    const std::size_t count = columns.size(), kinds = masks.shape(0);
    if (n > 32 || n < 1 || left.size() != count || right.size() != count || free.size() != count ||
        group.size() != count || shifts.shape(0) != kinds || shifts.shape(1) != masks.shape(1) ||
        solutions_weight.size() != kinds || nodes_weight.size() != kinds)
        throw std::invalid_argument("tasks and groups of different sizes");
    return {n,
            columns.data(),
            left.data(),
            right.data(),
            free.data(),
            group.data(),
            masks.data(),
            shifts.data(),
            solutions_weight.data(),
            nodes_weight.data()};
}

}  // namespace

void bind_nqueens(nb::module_& m) {
    m.def(
        "sweep",
        [](const TaskArrays& tasks, const GroupTable& groups, std::int64_t first, std::int64_t last, StopFlag stop) {
            const Tasks list = view(tasks, groups);
            const auto count = static_cast<std::int64_t>(std::get<0>(tasks).size());
            if (first < 0 || last > count) throw std::invalid_argument("no such tasks");
            Limits limits{.budget = INT64_MAX, .stop = stop.data()};
            Counts counts;
            nb::gil_scoped_release released;
            const std::int64_t reached = kernels<nqueens::Kernels>().sweep(list, first, last, limits, counts);
            return std::make_tuple(counts.solutions, counts.nodes, reached);
        },
        nb::arg("tasks"), nb::arg("groups"), nb::arg("first"), nb::arg("last"), nb::arg("stop"),
        "Count the placements below tasks first to last - 1.\n\n"
        "Returns the weighted solutions and nodes of the finished tasks, and the first that was not finished.");
}

}  // namespace prunus
