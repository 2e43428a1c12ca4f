#include "assignment/lists.hpp"
#include "assignment_parts.hpp"
#include "benefits.hpp"
#include "numpy.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using assignment::Benefits;
using assignment::ListKernels;
using assignment::ListSolve;
using assignment::Paths;

/// A solve with the arrays that it reads.
struct HeldLists {
    HeldLists(const BenefitsTuple& values, int listed) : arrays(values), benefits(view(values)) {
        if (benefits.rows > benefits.columns) throw std::invalid_argument("more rows than columns");
        if (benefits.columns > INT32_MAX / 4) throw std::invalid_argument("too many columns");
        solve = kernels<ListKernels>().make(benefits, listed);
    }

    BenefitsTuple arrays;
    Benefits benefits;
    std::unique_ptr<ListSolve> solve;
    bool room = false;
};

int price_type(const Benefits& benefits) { return are_whole(benefits) ? NPY_INT64 : NPY_DOUBLE; }

template <class T>
nb::object shown(const HeldLists& held, const T* data, std::int64_t count) {
    return nb::cast(
        nb::ndarray<nb::numpy, const T, nb::ndim<1>>(data, {static_cast<std::size_t>(count)}, nb::find(held)));
}

/// Prices of all columns, in the type that belongs to the values.
using ReadPrices = std::variant<Array<const std::int64_t>, Array<const double>>;

nb::object best_net_values(const BenefitsTuple& values, const ReadPrices& prices, std::int64_t first,
                           std::int64_t last) {
    const Benefits benefits = view(values);
    if (first < 0 || last > benefits.rows || first > last) throw std::invalid_argument("no such rows");
    const auto [price, count] = std::visit(
        [](const auto& array) { return std::pair<const void*, std::size_t>(array.data(), array.size()); }, prices);
    if (are_whole(benefits) != (prices.index() == 0) || static_cast<std::int64_t>(count) != benefits.columns)
        throw std::invalid_argument("not one price of the same type a column");
    nb::object best = new_array(price_type(benefits), last - first);
    void* out = data_of<double>(best) - first;  // both types are of 64 bits
    nb::gil_scoped_release released;
    kernels<ListKernels>().best_net_values(benefits, price, first, last, out);
    return best;
}

}  // namespace

void bind_lists(nb::module_& m) {
    using Held = HeldLists;
    nb::enum_<Paths>(m, "Paths", nb::is_arithmetic())
        .value("ALL_MATCHED", Paths::all_matched)
        .value("MORE_TO_DO", Paths::more_to_do)
        .value("ROW_UNMATCHABLE", Paths::row_unmatchable)
        .value("PRICES_TOO_LARGE", Paths::prices_too_large);
    m.def("best_net_values", best_net_values, nb::arg("values"), nb::arg("prices"), nb::arg("first"), nb::arg("last"),
          nb::sig("def best_net_values(values: object, prices: " PRUNUS_ANY_ARRAY
                  ", first: int, last: int) -> " PRUNUS_ANY_ARRAY),
          "Find the best net values of some rows at prices of the columns.");
    nb::class_<Held>(m, "ListSolve", "An auction and shortest augmenting paths over candidate lists; see lists.hpp.")
        .def(nb::init<const BenefitsTuple&, int>(), nb::arg("values"), nb::arg("listed"))
        .def_prop_ro(
            "prices",
            [](const Held& held) {
                void* prices = held.solve->prices();
                return are_whole(held.benefits)
                           ? shown(held, static_cast<const std::int64_t*>(prices), held.benefits.columns)
                           : shown(held, static_cast<const double*>(prices), held.benefits.columns);
            },
            nb::sig("def prices(self) -> " PRUNUS_ANY_ARRAY), "The prices of the columns, as they are now.")
        .def_prop_ro(
            "column", [](const Held& held) { return shown(held, held.solve->column(), held.benefits.rows); },
            nb::sig("def column(self) -> " PRUNUS_ARRAY("int32")), "The column of each row, -1 for none, as it is now.")
        .def_prop_ro(
            "waiting", [](const Held& held) { return held.solve->waiting(); }, "Rows without a column.")
        .def_prop_ro("bids", [](const Held& held) { return held.solve->bids; })
        .def_prop_ro("row_scans", [](const Held& held) { return held.solve->row_scans; })
        .def_prop_ro("searches", [](const Held& held) { return held.solve->searches; })
        .def(
            "fill",
            [](const Held& held, std::int64_t first, std::int64_t last) {
                if (first < 0 || last > held.benefits.rows) throw std::invalid_argument("no such rows");
                nb::gil_scoped_release released;
                held.solve->fill(first, last);
            },
            nb::arg("first"), nb::arg("last"), "Make the lists of some rows.")
        .def(
            "best_listed",
            [](const Held& held) {
                nb::object best = new_array(price_type(held.benefits), held.benefits.rows);
                held.solve->best_listed(data_of<void>(best));
                return best;
            },
            nb::sig("def best_listed(self) -> " PRUNUS_ANY_ARRAY), "The best benefit of each row as listed.")
        .def(
            "open", [](const Held& held) { held.solve->open(); }, "Unassign all rows; prices stay.")
        .def(
            "bid",
            [](const Held& held, double epsilon, std::int64_t most_bids, std::int64_t budget) {
                Limits limits{.budget = budget};
                nb::gil_scoped_release released;
                held.solve->bid(epsilon, most_bids, limits);
            },
            nb::arg("epsilon"), nb::arg("most_bids"), nb::arg("budget"),
            "Let waiting rows bid until none waits, the budget is spent or there were so many bids in all.")
        .def(
            "open_help", [](const Held& held) { held.solve->open_help(); }, "Let helpers come.")
        .def(
            "close_help", [](const Held& held) { held.solve->close_help(); }, "Send helpers away.")
        .def(
            "help",
            [](const Held& held) {
                nb::gil_scoped_release released;
                held.solve->help();
            },
            "Look at rows for `bid`, in another thread, until sent away.")
        .def_prop_ro("stalled", [](const Held& held) { return held.solve->stalled(); })
        .def(
            "make_room",
            [](Held& held) {
                if (held.benefits.kind == assignment::ValueKind::distances) throw std::invalid_argument("no matrix");
                held.solve->make_room();
                held.room = true;
            },
            "Make room for a copy in float32, which must hold all values.")
        .def(
            "copy_narrow",
            [](const Held& held, std::int64_t first, std::int64_t last) {
                if (!held.room || first < 0 || last > held.benefits.rows) throw std::invalid_argument("no such rows");
                nb::gil_scoped_release released;
                held.solve->copy_narrow(first, last);
            },
            nb::arg("first"), nb::arg("last"), "Copy some rows.")
        .def(
            "use_narrow",
            [](const Held& held) {
                if (!held.room) throw std::invalid_argument("there is no copy");
                held.solve->use_narrow();
            },
            "Read the copy, of all rows, from now on.")
        .def(
            "round_prices", [](const Held& held) { held.solve->round_prices(); }, "Round prices up to whole ones.")
        .def(
            "reduce_rows",
            [](const Held& held, std::int64_t bids, std::int64_t budget) {
                Limits limits{.budget = budget};
                nb::gil_scoped_release released;
                return held.solve->reduce_rows(bids, limits);
            },
            nb::arg("bids"), nb::arg("budget"), "Let rows bid with an epsilon of 0; return whether that is done.")
        .def(
            "augment",
            [](const Held& held, std::int64_t budget) {
                Limits limits{.budget = budget};
                nb::gil_scoped_release released;
                return held.solve->augment(limits);
            },
            nb::arg("budget"), "Match waiting rows along shortest paths.");
}

}  // namespace prunus
