#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include <stdexcept>

#include "arrays.hpp"
#include "assignment/pairs.hpp"
#include "assignment_parts.hpp"
#include "numpy.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using assignment::Matched;
using assignment::PairKernels;
using assignment::Pairs;
using assignment::PairSolve;

using PairBenefits = std::variant<Array<const std::int64_t>, Array<const double>>;

/// The NamedTuple `prunus.assignment.instance.pairs.PairLists`.
using PairTuple = std::tuple<Array<const std::int64_t>, Array<const std::int32_t>, PairBenefits, std::int64_t>;

Pairs pairs_of(const PairTuple& tuple) {
    const auto& [start, columns, benefits, count] = tuple;
    Pairs pairs{.rows = static_cast<std::int64_t>(start.size()) - 1,
                .columns = count,
                .start = start.data(),
                .column = columns.data(),
                .benefits = nullptr,
                .whole = benefits.index() == 0};
    const auto size = std::visit(
        [&](const auto& array) {
            pairs.benefits = array.data();
            return array.size();
        },
        benefits);
    bool wrong = pairs.rows < 0 || pairs.rows > count || columns.size() != size || start(0) != 0 ||
                 start(pairs.rows) != static_cast<std::int64_t>(size);
    for (std::int64_t i = 0; i < pairs.rows && !wrong; i++) wrong = start(i) > start(i + 1);
    for (std::size_t q = 0; q < size && !wrong; q++) wrong = columns(q) < 0 || columns(q) >= count;
    if (wrong) throw std::invalid_argument("not the pairs of so many columns");
    return pairs;
}

int price_type(const Pairs& pairs) { return pairs.whole ? NPY_INT64 : NPY_DOUBLE; }

struct HeldPairSolve {
    explicit HeldPairSolve(const PairTuple& tuple)
        : pairs(pairs_of(tuple)), solve(kernels<PairKernels>().solve(pairs)) {}
    Pairs pairs;  // without the arrays, of which the solve has its own copies
    std::unique_ptr<PairSolve> solve;
};

template <class T>
nb::object copied(const T* data, std::int64_t count, int type) {
    nb::object array = new_array(type, count);
    std::copy_n(data, count, data_of<T>(array));
    return array;
}

}  // namespace

void bind_pairs(nb::module_& m) {
    using Held = HeldPairSolve;
    nb::enum_<Matched>(m, "Matched", nb::is_arithmetic())
        .value("ALL", Matched::all)
        .value("MORE_TO_DO", Matched::more_to_do)
        .value("IMPOSSIBLE", Matched::impossible);
    nb::class_<Held>(m, "PairSolve", "Row reduction and shortest augmenting paths in lists of all allowed pairs.")
        .def(nb::init<const PairTuple&>(), nb::arg("pairs"))
        .def(
            "match",
            [](const Held& held, std::int64_t budget) {
                Limits limits{.budget = budget};
                nb::gil_scoped_release released;
                return held.solve->match(limits);
            },
            nb::arg("budget"), "Match waiting rows until none waits, or about so many pairs were looked at.")
        .def(
            "prices",
            [](const Held& held) {
                return copied(static_cast<const std::int64_t*>(held.solve->prices()), held.pairs.columns,
                              price_type(held.pairs));
            },
            nb::sig("def prices(self) -> " PRUNUS_ANY_ARRAY), "The prices of the columns.")
        .def(
            "column", [](const Held& held) { return copied(held.solve->column(), held.pairs.rows, NPY_INT32); },
            nb::sig("def column(self) -> " PRUNUS_ARRAY("int32")), "The column of each row, -1 for none.")
        .def_prop_ro("reducing", [](const Held& held) { return held.solve->reducing(); })
        .def_prop_ro("bids", [](const Held& held) { return held.solve->bids; })
        .def_prop_ro("searches", [](const Held& held) { return held.solve->searches; })
        .def_prop_ro("second_looks", [](const Held& held) { return held.solve->second_looks; });
    m.def(
        "best_net_values_of_pairs",
        [](const PairTuple& tuple, const PairBenefits& prices, std::int64_t first, std::int64_t last) {
            const Pairs pairs = pairs_of(tuple);
            const void* price =
                std::visit([](const auto& array) { return static_cast<const void*>(array.data()); }, prices);
            const auto count = std::visit([](const auto& array) { return array.size(); }, prices);
            if (pairs.whole != (prices.index() == 0) || static_cast<std::int64_t>(count) != pairs.columns)
                throw std::invalid_argument("not one price of the same type a column");
            if (first < 0 || last > pairs.rows || first > last) throw std::invalid_argument("no such rows");
            nb::object best = new_array(price_type(pairs), last - first);
            void* out = data_of<double>(best) - first;
            nb::gil_scoped_release released;
            kernels<PairKernels>().best_net_values(pairs, price, first, last, out);
            return best;
        },
        nb::arg("pairs"), nb::arg("prices"), nb::arg("first"), nb::arg("last"),
        nb::sig("def best_net_values_of_pairs(pairs: object, prices: " PRUNUS_ANY_ARRAY
                ", first: int, last: int) -> " PRUNUS_ANY_ARRAY),
        "Find the best net values of some rows at prices of the columns.");
}

}  // namespace prunus
