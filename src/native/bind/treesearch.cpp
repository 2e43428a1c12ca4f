#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "parts.hpp"
#include "treesearch/permutations.hpp"
#include "treesearch/search.hpp"

namespace nb = nanobind;

namespace prunus {

void bind_best_first(nb::module_& m);        // in best_first.cpp
void bind_interval_batches(nb::module_& m);  // in interval_batches.cpp
void bind_treesearch_beam(nb::module_& m);   // in treesearch_beam.cpp

namespace {

using treesearch::Extent;
using treesearch::Search;
using treesearch::Status;
using Path = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

void check_rows(const Search& search, std::size_t digits, std::size_t directions) {
    const auto levels = static_cast<std::size_t>(search.levels());
    if (digits != levels || directions != levels) throw std::invalid_argument("paths of another tree");
}

void load(Search& search, Array<const std::uint32_t> digits, Array<const std::uint8_t> directions, Path extent,
          StopFlag cutoff) {
    check_rows(search, digits.size(), directions.size());
    const auto [depth, end_level, end_digit] = extent;
    const std::int64_t levels = search.levels();
    bool good = 0 <= depth && depth <= levels && 0 <= end_level && (end_level < depth || end_level == 0);
    for (int level = 0; good && level < levels; level++) {
        good = digits(level) < static_cast<std::uint32_t>(search.children(level)) && directions(level) < 2;
        if (depth > 0 && level == end_level) good &= 0 <= end_digit && end_digit <= search.children(level);
    }
    if (!good || cutoff.size() == 0) throw std::invalid_argument("no interval of the tree");
    const Extent begun{static_cast<int>(depth), static_cast<int>(end_level), static_cast<int>(end_digit)};
    nb::gil_scoped_release released;
    search.load(digits.data(), directions.data(), begun, cutoff(0));
}

/// The arrays of a sample of nodes, one a row: digits, directions, level, bound, and how many nodes
/// each stands for.
using Sample = std::tuple<Array<std::uint32_t, 2>, Array<std::uint8_t, 2>, Array<std::int64_t>, Array<std::int64_t>,
                          Array<double>>;

int sample(const Search& search, std::int64_t cutoff, int most, Array<std::uint64_t> random, const Sample& rows) {
    const auto& [digits, directions, level, bound, weight] = rows;
    const std::size_t size = level.size();
    check_rows(search, digits.shape(1), directions.shape(1));
    if (digits.shape(0) != size || directions.shape(0) != size || bound.size() != size || weight.size() != size)
        throw std::invalid_argument("samples of different sizes");
    if (random.size() == 0) throw std::invalid_argument("no state of random numbers");
    return search.sample(
        cutoff, most, random(0),
        {digits.data(), directions.data(), level.data(), bound.data(), weight.data(), static_cast<int>(size)});
}

Path path_of(Extent extent) { return {extent.depth, extent.end_level, extent.end_digit}; }

}  // namespace

void bind_treesearch(nb::module_& m) {
    bind_best_first(m);
    bind_interval_batches(m);
    bind_treesearch_beam(m);
    nb::enum_<Status>(m, "Status", "Why a search returned.")
        .value("PAUSED", Status::paused, "Out of budget, or told to stop.")
        .value("EXHAUSTED", Status::exhausted, "The interval is done.")
        .value("FOUND", Status::found, "A leaf below the cutoff was reached.");
    m.attr("NO_BOUND") = treesearch::no_bound;
    nb::class_<Search>(m, "Search", "Depth-first search of one interval of a tree at a time.")
        .def_prop_ro("levels", &Search::levels, "The depth of the tree.")
        .def_prop_ro("bits", &Search::bits, "Of the numbers that bounds are.")
        .def_prop_ro("nodes", &Search::nodes, "Nodes branched so far, in all intervals.")
        .def_prop_ro("leaves", &Search::leaves, "Leaves reached so far, in all intervals.")
        .def("load", &load, nb::arg("digits"), nb::arg("directions"), nb::arg("extent"), nb::arg("cutoff"),
             "Go to where an interval begins.\n\n"
             "The extent is its depth, end level and end digit; see ``Intervals``.")
        .def(
            "explore",
            [](Search& search, StopFlag cutoff, StopFlag stop, std::int64_t budget) {
                if (cutoff.size() == 0) throw std::invalid_argument("no cutoff");
                Limits limits{.budget = budget, .stop = stop_of(stop)};
                nb::gil_scoped_release released;
                return search.explore(cutoff.data(), limits);
            },
            nb::arg("cutoff"), nb::arg("stop"), nb::arg("budget"),
            "Branch so many nodes at most.\n\nStops early if the interval is done, or at a better leaf.")
        .def(
            "rest",
            [](const Search& search, Array<std::uint32_t> digits, Array<std::uint8_t> directions) {
                check_rows(search, digits.size(), directions.size());
                return path_of(search.rest(digits.data(), directions.data()));
            },
            nb::arg("digits"), nb::arg("directions"),
            "Write the path of what is left of the interval; return its extent, of depth 0 if nothing is.")
        .def(
            "split",
            [](Search& search, double fraction, Array<std::uint32_t> digits, Array<std::uint8_t> directions) {
                check_rows(search, digits.size(), directions.size());
                return path_of(search.split(fraction, digits.data(), directions.data()));
            },
            nb::arg("fraction"), nb::arg("digits"), nb::arg("directions"),
            "Cut off the last part of the interval at its shallowest level with siblings.\n\n"
            "Writes the path of the part; returns its extent, of depth 0 if there is none.")
        .def("least_open_bound", &Search::least_open_bound,
             "Return the least bound of the open nodes, ``NO_BOUND`` if there are none.")
        .def(
            "leaf",
            [](const Search& search, Array<std::int64_t> items, Array<std::int64_t> directions) {
                check_rows(search, items.size(), directions.size());
                return search.leaf(items.data(), directions.data());
            },
            nb::arg("items"), nb::arg("directions"), "Write the path of the leaf that was reached; return its bound.")
        .def("sample", &sample, nb::arg("cutoff"), nb::arg("most"), nb::arg("random"), nb::arg("rows"),
             "Draw open nodes below the cutoff: all of the first level with any, some of each other.\n\n"
             "Returns how many; they are in the order of their levels.");
    m.def(
        "permutations",
        [](int items) {
            if (items < 1) throw std::invalid_argument("no items");
            return kernels<treesearch::PermutationKernels>().make(items);
        },
        nb::arg("items"), "Make a search of all permutations, without bounds, branched at both ends: for tests.");
}

}  // namespace prunus
