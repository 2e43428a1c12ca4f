#include <nanobind/stl/unique_ptr.h>

#include <stdexcept>

#include "arrays.hpp"
#include "parts.hpp"
#include "points/solve.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using points::Sets;
using points::Solve;
using Points = Array<const double, 2>;
using Order = Array<std::int32_t>;

Sets view(const Points& rows, const Points& columns, int metric) {
    if (rows.shape(0) != columns.shape(0) || rows.shape(1) != columns.shape(1) || rows.size() == 0)
        throw std::invalid_argument("sets of different sizes");
    if (metric < 0 || metric > 3) throw std::invalid_argument("no such metric");
    return {static_cast<std::int64_t>(rows.shape(0)), static_cast<int>(rows.shape(1)), rows.data(), columns.data(),
            static_cast<assignment::Metric>(metric)};
}

/// A solve, and what may be done next.
struct HeldSolve {
    HeldSolve(const Points& rows, const Points& columns, int metric)
        : count(static_cast<std::int64_t>(rows.shape(0))),
          state(kernels<points::Kernels>().make(view(rows, columns, metric))) {}

    void check_part(std::int64_t first, std::int64_t last, std::size_t end) const {
        if (first < 0 || last > static_cast<std::int64_t>(end)) throw std::invalid_argument("no such rows");
    }

    void check_listed() const {
        if (!listed) throw std::invalid_argument("there are no lists yet");
    }

    std::int64_t count;
    bool listed = false, matched = false;
    std::unique_ptr<Solve> state;
};

template <class T>
nb::object shown(const HeldSolve& held, const T* data) {
    const auto count = static_cast<std::size_t>(held.count);
    return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(data, {count}, nb::find(held)));
}

void check_order(const Order& order, std::int64_t count) {
    bool wrong = static_cast<std::int64_t>(order.size()) != count;
    for (std::size_t k = 0; k < order.size() && !wrong; k++) wrong = order(k) < 0 || order(k) >= count;
    if (wrong) throw std::invalid_argument("not an order of all points");
}

}  // namespace

void bind_points(nb::module_& m) {
    using Held = HeldSolve;
    m.def(
        "levels", [](std::int64_t count) { return kernels<points::Kernels>().levels(count); }, nb::arg("count"),
        "How often trees over so many points are halved.");
    m.def(
        "halve",
        [](const Points& rows, const Points& columns, int level, const Order& row_order, const Order& column_order) {
            const Sets sets = view(rows, columns, 0);
            check_order(row_order, sets.count);
            check_order(column_order, sets.count);
            if (level < 0 || level >= kernels<points::Kernels>().levels(sets.count))
                throw std::invalid_argument("no such level");
            nb::gil_scoped_release released;
            kernels<points::Kernels>().halve(sets, level, row_order.data(), column_order.data());
        },
        nb::arg("rows"), nb::arg("columns"), nb::arg("level"), nb::arg("row_order"), nb::arg("column_order"),
        "Halve all nodes of a level of trees over both sets, along the same coordinates: reorder what the level "
        "before has ordered.");
    nb::class_<Held>(m, "PointMatching", "A solve for two sets of points in the order of their trees; see solve.hpp.")
        .def(nb::init<const Points&, const Points&, int>(), nb::arg("rows"), nb::arg("columns"), nb::arg("metric"))
        .def_prop_ro(
            "column", [](const Held& held) { return shown(held, held.state->column()); },
            nb::sig("def column(self) -> numpy.typing.NDArray[numpy.int32]"), "The column of each row, -1 for none.")
        .def_prop_ro(
            "owner", [](const Held& held) { return shown(held, held.state->owner()); },
            nb::sig("def owner(self) -> numpy.typing.NDArray[numpy.int32]"), "The row of each column, -1 for none.")
        .def_prop_ro(
            "prices", [](const Held& held) { return shown(held, held.state->checked.data()); },
            nb::sig("def prices(self) -> numpy.typing.NDArray[numpy.float64]"), "The prices of the last check.")
        .def_prop_ro(
            "best", [](const Held& held) { return shown(held, held.state->best.data()); },
            nb::sig("def best(self) -> numpy.typing.NDArray[numpy.float64]"), "The best net values at these.")
        .def_prop_ro(
            "waiting", [](const Held& held) { return held.state->waiting(); }, "Rows that wait for a column.")
        .def_prop_ro(
            "to_list", [](const Held& held) { return held.state->to_list.size(); }, "Rows to be listed.")
        .def_prop_ro("bids", [](const Held& held) { return held.state->bids; })
        .def_prop_ro("lists_renewed", [](const Held& held) { return held.state->lists_renewed; })
        .def_prop_ro("searches", [](const Held& held) { return held.state->searches; })
        .def(
            "begin_lists",
            [](Held& held, int listed) {
                if (listed < 1) throw std::invalid_argument("no list is empty");
                held.state->begin_lists(listed);
                held.listed = true;
                held.matched = false;
            },
            nb::arg("listed"), "Make room for lists of so many columns; all rows are to be listed.")
        .def(
            "list",
            [](const Held& held, std::int64_t first, std::int64_t last) {
                held.check_listed();
                held.check_part(first, last, held.state->to_list.size());
                nb::gil_scoped_release released;
                held.state->list(first, last);
            },
            nb::arg("first"), nb::arg("last"), "List the cheapest columns of rows that are to be listed.")
        .def(
            "nearest_distance", [](const Held& held) { return held.state->nearest_distance(); },
            "The mean distance of the first listed column.")
        .def(
            "open", [](const Held& held) { held.state->open(); }, "Unassign all rows.")
        .def(
            "bid",
            [](const Held& held, double epsilon, int patience, std::int64_t budget) {
                held.check_listed();
                Limits limits{.budget = budget};
                nb::gil_scoped_release released;
                held.state->bid(epsilon, patience, limits);
            },
            nb::arg("epsilon"), nb::arg("patience"), nb::arg("budget"),
            "Let waiting rows bid until none waits, or the budget is spent.")
        .def(
            "know_prices", [](const Held& held) { held.state->know_prices(); }, "Let the tree know the prices.")
        .def(
            "begin_matching",
            [](Held& held) {
                held.check_listed();
                held.state->begin_matching();
                held.matched = true;
            },
            "Begin to match waiting rows in their lists.")
        .def(
            "match",
            [](const Held& held, std::int64_t budget) {
                if (!held.matched) throw std::invalid_argument("matching has not begun");
                Limits limits{.budget = budget};
                nb::gil_scoped_release released;
                return held.state->match(limits);
            },
            nb::arg("budget"), "Go on with that, for about so many pairs; return whether it has ended.")
        .def(
            "begin_check", [](const Held& held, bool cheaper, bool again) { held.state->begin_check(cheaper, again); },
            nb::kw_only(), nb::arg("cheaper") = false, nb::arg("again") = false,
            "Begin a check at the prices there are, or cheaper by what the last one found.")
        .def(
            "check",
            [](const Held& held, std::int64_t first, std::int64_t last) {
                held.check_part(first, last, static_cast<std::size_t>(held.count));
                nb::gil_scoped_release released;
                held.state->check(first, last);
            },
            nb::arg("first"), nb::arg("last"), "Find the best net values of rows, and what they lack of them.")
        .def(
            "collect", [](const Held& held, double tolerance) { return held.state->collect(tolerance); },
            nb::arg("tolerance"), "Collect rows that would rather have another column; return how many.")
        .def("release", [](const Held& held) { held.state->release(); }, "Take their columns from these.");
}

}  // namespace prunus
