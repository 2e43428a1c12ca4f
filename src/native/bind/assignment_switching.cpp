#include "assignment/switching.hpp"
#include "assignment_parts.hpp"
#include "benefits.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using Numbers = Array<const std::int64_t>;
using assignment::Benefits;
using assignment::Switching;

/// A state of switching with the arrays that it reads.
struct HeldSwitching {
    explicit HeldSwitching(const BenefitsTuple& values) : arrays(values), benefits(view(values)) {
        if (benefits.rows > benefits.columns) throw std::invalid_argument("more rows than columns");
        state = kernels<assignment::SwitchingKernels>().make(benefits);
    }

    BenefitsTuple arrays, by_columns;
    Benefits benefits;
    bool transposed = false, assigned = false, queued = false;
    std::unique_ptr<Switching> state;
};

void check_rows(const Numbers& rows, std::int64_t end) {
    for (std::size_t q = 0; q < rows.size(); q++)
        if (rows(q) < 0 || rows(q) >= end) throw std::invalid_argument("no such row");
}

void check_part(std::int64_t first, std::int64_t last, std::int64_t end) {
    if (first < 0 || last > end) throw std::invalid_argument("no such part");
}

void check_pair(const HeldSwitching& held, std::int64_t i, std::int64_t j) {
    if (!held.assigned || i < 0 || i >= held.benefits.rows || j < 0 || j >= held.benefits.columns)
        throw std::invalid_argument("no such pair");
}

template <class T>
nb::object shown(const HeldSwitching& held, const T* data, std::size_t count) {
    return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(data, {count}, nb::find(held)));
}

}  // namespace

void bind_switching(nb::module_& m) {
    nb::class_<HeldSwitching>(m, "Switching", "An assignment of every row that is improved by exchanges, in steps.")
        .def(nb::init<const BenefitsTuple&>(), nb::arg("values"))
        .def_prop_ro(
            "column",
            [](const HeldSwitching& held) { return shown(held, held.state->column.data(), held.state->column.size()); },
            nb::sig("def column(self) -> numpy.typing.NDArray[numpy.int64]"), "The column of each row, as it is now.")
        .def_prop_ro(
            "owner",
            [](const HeldSwitching& held) { return shown(held, held.state->owner.data(), held.state->owner.size()); },
            nb::sig("def owner(self) -> numpy.typing.NDArray[numpy.int64]"),
            "The row of each column, -1 for none, as it is now.")
        .def_prop_ro("evaluations", [](const HeldSwitching& held) { return held.state->evaluations; })
        .def_prop_ro("switches", [](const HeldSwitching& held) { return held.state->switches; })
        .def(
            "transpose",
            [](HeldSwitching& held, const BenefitsTuple& by_columns) {
                const Benefits given = view(by_columns);
                if (given.kind != held.benefits.kind || given.rows != held.benefits.columns ||
                    given.columns != held.benefits.rows)
                    throw std::invalid_argument("not the same instance by columns");
                held.by_columns = by_columns;
                held.transposed = true;
                held.state->transpose(given);
            },
            nb::arg("by_columns"), "Take the instance by columns, which evaluations need.")
        .def(
            "assign",
            [](HeldSwitching& held, const Numbers& columns) {
                std::vector<char> taken(held.benefits.columns);
                if (static_cast<std::int64_t>(columns.size()) != held.benefits.rows)
                    throw std::invalid_argument("not one column a row");
                check_rows(columns, held.benefits.columns);
                for (std::size_t i = 0; i < columns.size(); i++)
                    if (std::exchange(taken[columns(i)], 1)) throw std::invalid_argument("a column is given twice");
                held.state->assign(columns.data());
                held.assigned = true;
            },
            nb::arg("columns"), "Start from a column for every row.")
        .def(
            "assign_greedily",
            [](HeldSwitching& held, const Numbers& rows, std::int64_t first, std::int64_t last) {
                if (static_cast<std::int64_t>(rows.size()) != held.benefits.rows ||
                    held.benefits.rows > held.benefits.columns)
                    throw std::invalid_argument("not an order of all rows");
                check_rows(rows, held.benefits.rows);
                check_part(first, last, held.benefits.rows);
                nb::gil_scoped_release released;
                held.state->assign_greedily(rows.data(), first, last);
                held.assigned = last == held.benefits.rows;
            },
            nb::arg("rows"), nb::arg("first"), nb::arg("last"),
            "Let rows, of an order of all, take the best free column in turn; from the first one on in turn.")
        .def(
            "queue",
            [](HeldSwitching& held, const Numbers& order) {
                if (static_cast<std::int64_t>(order.size()) != held.benefits.rows)
                    throw std::invalid_argument("not an order of all rows");
                check_rows(order, held.benefits.rows);
                held.state->queue(order.data());
                held.queued = true;
            },
            nb::arg("order"), "Queue all rows in an order.")
        .def(
            "take_block", [](HeldSwitching& held) { return held.state->take_block(); },
            "Take the next rows from the queue as a block; return how many, 0 at the end.")
        .def(
            "take",
            [](HeldSwitching& held, const Numbers& rows) {
                if (static_cast<std::int64_t>(rows.size()) > held.benefits.rows)
                    throw std::invalid_argument("more rows than there are");
                check_rows(rows, held.benefits.rows);
                held.state->take(rows.data(), static_cast<std::int64_t>(rows.size()));
            },
            nb::arg("rows"), "Take some rows as a block.")
        .def(
            "evaluate",
            [](HeldSwitching& held, std::int64_t first, std::int64_t last) {
                if (!held.transposed || !held.assigned) throw std::invalid_argument("nothing to evaluate yet");
                check_part(first, last, static_cast<std::int64_t>(held.state->block.size()));
                nb::gil_scoped_release released;
                held.state->evaluate(first, last);
            },
            nb::arg("first"), nb::arg("last"),
            "Find the best exchanges of a part of the block; several threads may do so at once.")
        .def_prop_ro(
            "gains",
            [](const HeldSwitching& held) {
                const std::size_t count = held.state->block.size();
                const void* gains = held.state->gains();
                return are_whole(held.benefits) ? shown(held, static_cast<const std::int64_t*>(gains), count)
                                                : shown(held, static_cast<const double*>(gains), count);
            },
            nb::sig("def gains(self) -> numpy.typing.NDArray[typing.Any]"), "What each row of the block gains at most.")
        .def_prop_ro(
            "targets",
            [](const HeldSwitching& held) { return shown(held, held.state->target.data(), held.state->block.size()); },
            nb::sig("def targets(self) -> numpy.typing.NDArray[numpy.int64]"), "The column with which it gains that.")
        .def(
            "exchange_block",
            [](HeldSwitching& held, double tiny) {
                if (!held.queued) throw std::invalid_argument("no row is queued yet");
                nb::gil_scoped_release released;
                held.state->exchange_block(tiny);
            },
            nb::arg("tiny"), "Make the exchanges of the block that still gain more than tiny; queue their rows.")
        .def(
            "gain",
            [](const HeldSwitching& held, std::int64_t i, std::int64_t j) {
                check_pair(held, i, j);
                return held.state->gain(i, j);
            },
            nb::arg("row"), nb::arg("column"), "What a row gains by swapping columns with the row of a column.")
        .def(
            "exchange",
            [](HeldSwitching& held, std::int64_t i, std::int64_t j) {
                check_pair(held, i, j);
                return held.state->exchange(i, j);
            },
            nb::arg("row"), nb::arg("column"), "Swap them; return the other row, -1 if the column was free.")
        .def(
            "sweep",
            [](const HeldSwitching& held, const PriceArray& prices, std::int64_t first, std::int64_t last) {
                void* data = prices_of(prices, held.benefits);
                check_part(first, last, held.assigned ? held.benefits.rows : 0);
                nb::gil_scoped_release released;
                held.state->sweep(data, first, last);
            },
            nb::arg("prices"), nb::arg("first"), nb::arg("last"),
            "Lower the price of each row's column until the row would not rather have another one.");
}

}  // namespace prunus
