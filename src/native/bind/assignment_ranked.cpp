#include <nanobind/stl/variant.h>

#include <algorithm>
#include <stdexcept>

#include "assignment/ranked.hpp"
#include "assignment_parts.hpp"
#include "benefits.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using assignment::Ended;
using assignment::Ranked;
using assignment::RankedRecords;

using Memory = Array<const std::uint8_t>;
using Columns = Array<const std::int32_t>;
using Prices = std::variant<Array<const std::int64_t>, Array<const double>>;

/// One instance, with the memory in which its lists stand.
struct HeldRanked {
    HeldRanked(const Memory& given, int listed, int kind, bool prices_are_whole, int sign, std::int64_t n,
               std::int64_t m)
        : memory(given), rows(n), columns(m), whole(prices_are_whole) {
        using R = RankedRecords;
        const int bytes = kind == 0 || kind == 2 ? 4 : 8, step = R::key + R::width + R::portion * bytes;
        const std::int64_t size = R::head + std::int64_t{listed} / R::portion * step;
        if (listed < R::portion || listed % R::portion != 0 || kind < 0 || kind > 3 || (whole && kind != 3) || n < 1 ||
            n > m || static_cast<std::int64_t>(memory.size()) < n * size ||
            reinterpret_cast<std::uintptr_t>(memory.data()) % 8 != 0)
            throw std::invalid_argument("no such lists");
        state = kernels<assignment::RankedKernels>().make({reinterpret_cast<const char*>(memory.data()), size, step},
                                                          kind, whole, sign, n, m);
    }

    const void* data(const Prices& prices, std::int64_t count) const {
        if (whole != (prices.index() == 0)) throw std::invalid_argument("prices of another type");
        return std::visit(
            [&](const auto& array) -> const void* {
                if (static_cast<std::int64_t>(array.size()) < count) throw std::invalid_argument("too few numbers");
                return array.data();
            },
            prices);
    }

    const std::int32_t* data(const Columns& array) const {
        const bool inside =
            static_cast<std::int64_t>(array.size()) >= rows &&
            std::all_of(array.data(), array.data() + rows, [&](std::int32_t j) { return j >= -1 && j < columns; });
        if (!inside) throw std::invalid_argument("no such columns");
        return array.data();
    }

    nb::object shown(const void* numbers, std::size_t count) const {
        return whole ? shown(static_cast<const std::int64_t*>(numbers), count)
                     : shown(static_cast<const double*>(numbers), count);
    }

    /// A copy, as the lists that grow do not stay where they are.
    template <class T>
    static nb::object shown(const T* numbers, std::size_t count) {
        T* copy = new T[count];
        std::copy_n(numbers, count, copy);
        nb::capsule owner(copy, [](void* p) noexcept { delete[] static_cast<T*>(p); });
        return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(copy, {count}, owner));
    }

    nb::object shown(const std::vector<std::int64_t>& numbers) const { return shown(numbers.data(), numbers.size()); }

    Memory memory;
    std::int64_t rows, columns;
    bool whole;
    std::unique_ptr<Ranked> state;
};

}  // namespace

void bind_ranked(nb::module_& m) {
    using Held = HeldRanked;
    nb::enum_<Ended>(m, "Ended", "What a search in ranked lists ends with.")
        .value("ALL_MATCHED", Ended::all_matched, "No row waits.")
        .value("OUT_OF_BUDGET", Ended::out_of_budget)
        .value("LIST_EXHAUSTED", Ended::list_exhausted, "The stuck row needs more candidates.")
        .value("EXTENDED_DONE", Ended::extended_done, "One has ended whose lists were given more candidates.")
        .value("NO_PATH", Ended::no_path, "There is none to a free column.");
    nb::class_<Held>(m, "RankedMatching", "The end of a solve whose ranked lists a GPU makes; see ranked.hpp.")
        .def(nb::init<const Memory&, int, int, bool, int, std::int64_t, std::int64_t>(), nb::arg("memory"),
             nb::arg("listed"), nb::arg("kind"), nb::arg("whole"), nb::arg("sign"), nb::arg("rows"), nb::arg("columns"))
        .def_prop_ro(
            "column", [](const Held& held) { return held.shown(held.state->column); },
            nb::sig("def column(self) -> numpy.typing.NDArray[numpy.int64]"), "The column of each row, -1 for none.")
        .def_prop_ro(
            "owner", [](const Held& held) { return held.shown(held.state->owner); },
            nb::sig("def owner(self) -> numpy.typing.NDArray[numpy.int64]"),
            "The row of each column, -1 for none, -2 for one that stays free.")
        .def_prop_ro(
            "waiting", [](const Held& held) { return held.shown(held.state->waiting); },
            nb::sig("def waiting(self) -> numpy.typing.NDArray[numpy.int64]"), "Rows, or columns, to be matched.")
        .def_prop_ro(
            "prices",
            [](const Held& held) { return held.shown(held.state->prices(), static_cast<std::size_t>(held.columns)); },
            nb::sig("def prices(self) -> numpy.typing.NDArray[typing.Any]"))
        .def_prop_ro(
            "in_tree", [](const Held& held) { return held.state->tree_rows > 0; }, "The stuck row is not the root.")
        .def_prop_ro(
            "searching", [](const Held& held) { return held.state->root >= 0; }, "A search was interrupted.")
        .def_prop_ro(
            "stuck", [](const Held& held) { return held.state->stuck(); }, "The row whose list is at its end.")
        .def(
            "keep",
            [](const Held& held, const Prices& prices, const Columns& own, const Prices& benefit, const Columns& best,
               const Prices& most, double rounding) {
                held.state->keep(held.data(prices, held.columns), held.data(own), held.data(benefit, held.rows),
                                 held.data(best), held.data(most, held.rows), rounding);
            },
            nb::arg("prices"), nb::arg("own"), nb::arg("benefit"), nb::arg("best"), nb::arg("most"),
            nb::arg("rounding"), "Take prices, and let rows keep columns to which no other is better.")
        .def(
            "reduce",
            [](const Held& held, std::int64_t bids) {
                nb::gil_scoped_release released;
                held.state->reduce(bids);
            },
            nb::arg("bids"), "Let waiting rows bid, so often at most.")
        .def(
            "begin", [](const Held& held) { held.state->begin(); }, "Begin to search.")
        .def(
            "begin_levelling", [](const Held& held) { held.state->begin_levelling(); },
            "Let columns that stay free wait where they are dearer than the cheapest.")
        .def(
            "end_levelling", [](const Held& held) { held.state->end_levelling(); },
            "Give what stays free the price 0, and nothing less.")
        .def(
            "search",
            [](const Held& held, std::int64_t budget) {
                Limits limits{.budget = budget};
                nb::gil_scoped_release released;
                return held.state->search(limits);
            },
            nb::arg("budget"), "Search until none waits, or so many rows were in trees.")
        .def(
            "price_left_free", [](const Held& held) { held.state->price_left_free(); },
            "Let columns that stay free have the price of the others that do.")
        .def(
            "reach_all",
            [](const Held& held, const Prices& benefits) {
                if (held.state->tree_rows == 0) throw std::invalid_argument("there is no tree");
                held.state->reach_all(held.data(benefits, held.columns));
            },
            nb::arg("benefits"), "Go from the stuck row to all columns.")
        .def(
            "choose_extended",
            [](const Held& held, std::int64_t together) {
                if (together < 1) throw std::invalid_argument("no rows are chosen");
                held.state->choose_extended(together);
                return nb::make_tuple(held.shown(held.state->extended),
                                      held.shown(held.state->ceilings(), held.state->extended.size()));
            },
            nb::arg("together"),
            nb::sig("def choose_extended(self, together: int) -> tuple[numpy.typing.NDArray[numpy.int64], "
                    "numpy.typing.NDArray[typing.Any]]"),
            "Choose rows of the tree to be listed anew, with what their next candidates are worth at most.")
        .def(
            "threshold",
            [](const Held& held, std::int64_t row) {
                if (row < 0 || row >= held.rows) throw std::invalid_argument("no such row");
                return held.state->threshold(row);
            },
            nb::arg("row"), "No column outside the row's list has a larger net value.");
}

}  // namespace prunus
