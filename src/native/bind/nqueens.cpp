#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "arrays.hpp"
#include "nqueens/centres.hpp"
#include "nqueens/sweep.hpp"
#include "nqueens/tasks.hpp"
#include "parts.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using nqueens::CentreKernels;
using nqueens::Counts;
using nqueens::TaskKernels;
using nqueens::Tasks;

using TaskArrays = std::tuple<Array<const std::uint32_t>, Array<const std::uint32_t>, Array<const std::uint32_t>,
                              Array<const std::uint32_t>, Array<const std::int32_t>>;
using ChildArrays = std::tuple<Array<std::uint32_t>, Array<std::uint32_t>, Array<std::uint32_t>, Array<std::uint32_t>,
                               Array<std::int32_t>>;
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

int board_size(int n, int least) {
    if (n < least || n > 32) throw std::invalid_argument("a board has " + std::to_string(least) + " to 32 rows");
    return n;
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
    m.def(
        "count_children",
        [](Array<const std::uint32_t> free) {
            return kernels<TaskKernels>().count_children(free.data(), static_cast<std::int64_t>(free.size()));
        },
        nb::arg("free"), "Count the children of tasks with these free cells.");
    m.def(
        "least_queens",
        [](Array<const std::uint32_t> columns) {
            return kernels<TaskKernels>().least_queens(columns.data(), static_cast<std::int64_t>(columns.size()));
        },
        nb::arg("columns"), "Return the least number of columns in use in any task, 32 if there is none.");
    m.def(
        "expand",
        [](const TaskArrays& tasks, const GroupTable& groups, const ChildArrays& children) {
            const Tasks list = view(tasks, groups);
            const auto count = static_cast<std::int64_t>(std::get<0>(tasks).size());
            const auto& [columns, left, right, free, group] = children;
            const auto room = std::min({columns.size(), left.size(), right.size(), free.size(), group.size()});
            Counts counts;
            nb::gil_scoped_release released;
            const auto& table = kernels<TaskKernels>();
            if (static_cast<std::int64_t>(room) < table.count_children(list.free, count))
                throw std::invalid_argument("too little room for the children");
            const std::int64_t kept = table.expand(
                list, count, {columns.data(), left.data(), right.data(), free.data(), group.data()}, counts);
            return std::make_tuple(kept, counts.solutions, counts.nodes);
        },
        nb::arg("tasks"), nb::arg("groups"), nb::arg("children"),
        "Write the children of all tasks that can be extended further, in order.\n\n"
        "Returns how many there are, and the weighted solutions and nodes met.");
    m.def(
        "most_centres", [](int n) { return nqueens::most_centres(board_size(n, 4)); }, nb::arg("n"),
        "Return a number that the orbits of centres do not exceed.");
    m.def(
        "find_centres",
        [](int n, Array<std::int64_t, 2> centres, Array<std::int64_t> members) {
            const auto most = static_cast<std::size_t>(nqueens::most_centres(board_size(n, 4)));
            if (centres.shape(0) < most || centres.shape(1) != 4 || members.size() < most)
                throw std::invalid_argument("too little room for the centres");
            nb::gil_scoped_release released;
            return kernels<CentreKernels>().find(n, reinterpret_cast<nqueens::Centre*>(centres.data()), members.data());
        },
        nb::arg("n"), nb::arg("centres"), nb::arg("members"),
        "Write one centre of each orbit, and how many members the orbit has; return the number of orbits.");
    m.def(
        "write_centre_rows",
        [](int n, Array<const std::int64_t, 2> centres, Array<std::uint32_t, 2> masks, Array<std::uint8_t, 2> shifts,
           Array<std::uint32_t> columns, Array<std::uint32_t> free) {
            const std::size_t count = centres.shape(0), width = static_cast<std::size_t>(board_size(n, 6)) + 2;
            if (centres.shape(1) != 4 || masks.shape(0) != count || masks.shape(1) != width ||
                shifts.shape(0) != count || shifts.shape(1) != width || columns.size() != count || free.size() != count)
                throw std::invalid_argument("centres and rows of different sizes");
            for (std::size_t i = 0; i < centres.size(); i++)
                if (centres.data()[i] < 0 || centres.data()[i] >= n) throw std::invalid_argument("no such line");
            nb::gil_scoped_release released;
            kernels<CentreKernels>().write_rows(n, reinterpret_cast<const nqueens::Centre*>(centres.data()),
                                                static_cast<std::int64_t>(count),
                                                {masks.data(), shifts.data(), columns.data(), free.data()});
        },
        nb::arg("n"), nb::arg("centres"), nb::arg("masks"), nb::arg("shifts"), nb::arg("columns"), nb::arg("free"),
        "Write the row tables of every centre, its columns and the free cells of its first row.\n\n"
        "Each is first replaced by its image with the smallest expected tree. Masks are zero and shifts one before.");
}

}  // namespace prunus
