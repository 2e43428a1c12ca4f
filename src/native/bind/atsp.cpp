#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "atsp/kernels.hpp"
#include "parts.hpp"

namespace nb = nanobind;

namespace prunus {

void bind_atsp_paths(nb::module_& m);  // in atsp_paths.cpp
void bind_atsp_tours(nb::module_& m);  // in atsp_tours.cpp

namespace {

using atsp::Arcs;
using atsp::Ascent;

using ArcArrays = std::tuple<Array<const std::int64_t>, Array<const std::int64_t>, Array<const std::int64_t>>;
using Matrix = Array<const std::int64_t, 2>;

Arcs view(int cities, const ArcArrays& arrays) {
    const auto& [tail, head, length] = arrays;
    const std::size_t count = tail.size();
    if (cities < 1 || count > INT32_MAX || head.size() != count || length.size() != count)
        throw std::invalid_argument("arcs of different numbers");
    for (std::size_t p = 0; p < count; p++)
        if (tail(p) < 0 || tail(p) >= cities || head(p) < (p == 0 ? 0 : head(p - 1)) || head(p) >= cities)
            throw std::invalid_argument("arcs that are not sorted by head");
    return {cities, count, tail.data(), head.data(), length.data()};
}

void check(int shift) {
    if (shift < -63 || shift > 62) throw std::invalid_argument("units of such a size");
}

void check(const Ascent& ascent, const Matrix& arriving, const Array<bool, 2>& chosen) {
    const std::size_t n = ascent.price.size();
    if (arriving.shape(0) != n || arriving.shape(1) != n || chosen.shape(0) != n || chosen.shape(1) != n)
        throw std::invalid_argument("distances of other cities");
}

}  // namespace

void bind_atsp(nb::module_& m) {
    m.def(
        "assignment_tree",
        [](int cities, const ArcArrays& arcs, std::int64_t cap, int children) {
            if (children < 2) throw std::invalid_argument("a node has two children at least");
            return kernels<atsp::Kernels>().assignment_tree(view(cities, arcs), cap, children);
        },
        nb::arg("cities"), nb::arg("arcs"), nb::arg("cap"), nb::arg("children"),
        "Make a search of the tree of the assignment bound, without a node.\n\n"
        "The arcs, sorted by head, are tails, heads and lengths; tours shorter than ``cap`` are looked for. A\n"
        "node is divided into at most so many children.");
    m.def(
        "arborescence_tree",
        [](int cities, const ArcArrays& arcs, int shift, std::int64_t aim) {
            check(shift);
            return kernels<atsp::Kernels>().arborescence_tree(view(cities, arcs), {shift, aim});
        },
        nb::arg("cities"), nb::arg("arcs"), nb::arg("shift"), nb::arg("aim"),
        "Make a search of the tree of the bound by 1-arborescences, without a node.\n\n"
        "2**shift units of prices are a length of 1; Polyak's steps go towards the bound ``aim``, in units.");
    m.def(
        "ascent",
        [](int cities, const ArcArrays& arcs, int shift, std::int64_t aim, Array<const std::int64_t> price,
           Array<const std::int64_t> tour) {
            check(shift);
            const auto n = static_cast<std::size_t>(cities);
            if (price.size() != n || (tour.size() != n && tour.size() != 0))
                throw std::invalid_argument("prices of other cities");
            for (std::size_t k = 0; k < tour.size(); k++)
                if (tour(k) < 0 || tour(k) >= cities) throw std::invalid_argument("a tour of other cities");
            return kernels<atsp::Kernels>().ascent(view(cities, arcs), {shift, aim}, {price.data(), price.data() + n},
                                                   {tour.data(), tour.data() + tour.size()});
        },
        nb::arg("cities"), nb::arg("arcs"), nb::arg("shift"), nb::arg("aim"), nb::arg("price"), nb::arg("tour"),
        "Make an ascent on some arcs from given prices.\n\n"
        "Prices of neighbours on a good tour move along with one another; it may be empty.");
    nb::class_<Ascent>(m, "Ascent", "Prices that raise the bound of 1-arborescences, step by step.")
        .def_prop_ro(
            "price", [](const Ascent& ascent) { return as_array<std::int64_t>(ascent.price); },
            "Of each city, in units.", nb::rv_policy::automatic)
        .def_prop_ro(
            "left", [](const Ascent& ascent) { return as_array<std::int64_t>(ascent.left()); },
            "The numbers of the arcs that are left.", nb::rv_policy::automatic)
        .def_prop_ro(
            "following",
            [](const Ascent& ascent) -> std::optional<Array<std::int64_t>> {
                if (!ascent.tour) return std::nullopt;
                return as_array<std::int64_t>(ascent.following);
            },
            "Each city's next one, if the last 1-arborescence of ``ascend`` is a tour.", nb::rv_policy::automatic)
        .def(
            "ascend",
            [](Ascent& ascent, std::int64_t cutoff, int steps, double length, int patience, StopFlag stop) {
                Limits limits{.budget = INT64_MAX, .stop = stop_of(stop)};
                nb::gil_scoped_release released;
                return ascent.ascend(cutoff, {steps, length, patience}, limits);
            },
            nb::arg("cutoff"), nb::arg("steps"), nb::arg("length"), nb::arg("patience"), nb::arg("stop"),
            "Raise the bound; return it, at most ``cutoff``, which says that no tour is shorter.\n\n"
            "There are so many steps at most, of a length in Polyak's, which is shortened after so many without a\n"
            "better bound. A stop of 2 ends it after the step under way. Arcs that no tour shorter than ``cutoff``\n"
            "has are left out.")
        .def(
            "ascend_sparse",
            [](Ascent& ascent, int steps, double length, int patience, StopFlag stop) {
                Limits limits{.budget = INT64_MAX, .stop = stop_of(stop)};
                nb::gil_scoped_release released;
                ascent.ascend_sparse({steps, length, patience}, limits);
            },
            nb::arg("steps"), nb::arg("length"), nb::arg("patience"), nb::arg("stop"),
            "Raise the bound of arcs that are some of an instance's; none is left out.")
        .def(
            "price_all",
            [](Ascent& ascent, const Matrix& arriving, Array<bool, 2> chosen, StopFlag stop) {
                check(ascent, arriving, chosen);
                Limits limits{.budget = INT64_MAX, .stop = stop_of(stop)};
                nb::gil_scoped_release released;
                return ascent.price_all(arriving.data(), chosen.data(), limits);
            },
            nb::arg("arriving"), nb::arg("chosen"), nb::arg("stop"),
            "After ``ascend_sparse``, look at all arcs; return a bound of all tours.\n\n"
            "The lengths of arcs into a city are in its row. Those whose reduced cost is negative are added to the\n"
            "chosen ones. Stopped meanwhile, it returns the least number there is.")
        .def(
            "useful",
            [](Ascent& ascent, const Matrix& arriving, std::int64_t cutoff, Array<bool, 2> chosen, StopFlag stop) {
                check(ascent, arriving, chosen);
                Limits limits{.budget = INT64_MAX, .stop = stop_of(stop)};
                nb::gil_scoped_release released;
                ascent.useful(arriving.data(), cutoff, chosen.data(), limits);
            },
            nb::arg("arriving"), nb::arg("cutoff"), nb::arg("chosen"), nb::arg("stop"),
            "After ``price_all``, add the arcs that a tour shorter than ``cutoff`` can have to the chosen ones.");
    bind_atsp_paths(m);
    bind_atsp_tours(m);
}

}  // namespace prunus
