#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "atsp/first_tours.hpp"
#include "atsp/tour_search.hpp"
#include "parts.hpp"

namespace nb = nanobind;

namespace prunus {

void bind_atsp_tours(nb::module_& m);

namespace {

using atsp::Tour;
using Matrix = Array<const std::int64_t, 2>;

/// A search and the distances that it reads.
struct BoundSearch {
    Matrix distances;
    int cities;
    std::unique_ptr<atsp::TourSearch> search;
};

int cities_of(const Matrix& distances) {
    if (distances.shape(0) != distances.shape(1) || distances.shape(0) == 0 || distances.shape(0) > INT32_MAX)
        throw std::invalid_argument("distances are a square matrix");
    return static_cast<int>(distances.shape(0));
}

void set_order(Tour& tour, const Array<const std::int64_t>& order) {
    const auto n = static_cast<std::int64_t>(order.size());
    std::vector<std::int32_t> place(order.size(), -1);
    for (std::int64_t k = 0; k < n; k++) {
        if (order(k) < 0 || order(k) >= n || place[order(k)] >= 0) throw std::invalid_argument("no tour");
        place[order(k)] = static_cast<std::int32_t>(k);
    }
    if (!tour.order.empty() && tour.order.size() != order.size()) throw std::invalid_argument("other cities");
    tour.order.resize(order.size());
    tour.place.resize(order.size());
    std::copy_n(order.data(), order.size(), tour.order.begin());
    std::copy_n(place.data(), order.size(), tour.place.begin());
}

}  // namespace

void bind_atsp_tours(nb::module_& m) {
    nb::class_<Tour>(m, "Tour", "A tour that several threads improve, each a part of it.")
        .def(
            "__init__",
            [](Tour* tour, Array<const std::int64_t> order) {
                new (tour) Tour();
                set_order(*tour, order);
            },
            nb::arg("order"))
        .def_prop_rw(
            "order", [](const Tour& tour) { return as_array<std::int64_t>(tour.order); }, set_order,
            "The cities, in order.", nb::rv_policy::automatic);
    nb::class_<BoundSearch>(m, "TourSearch", "What one thread needs to improve a part of a tour.")
        .def(
            "__init__",
            [](BoundSearch* search, Matrix distances, Array<const std::int32_t, 2> near, std::shared_ptr<Tour> tour,
               std::uint64_t seed, int longest_reversal, bool symmetric, int journal) {
                const int n = cities_of(distances);
                if (near.shape(0) != distances.shape(0) || tour->order.size() != near.shape(0) || journal < 0)
                    throw std::invalid_argument("near cities of other cities");
                for (std::size_t k = 0; k < near.size(); k++)
                    if (near.data()[k] < 0 || near.data()[k] >= n) throw std::invalid_argument("no such city");
                const atsp::TourRules rules{.cities = n,
                                            .distances = distances.data(),
                                            .near = near.data(),
                                            .neighbours = static_cast<int>(near.shape(1)),
                                            .longest_reversal = longest_reversal,
                                            .symmetric = symmetric,
                                            .journal = journal};
                new (search)
                    BoundSearch{distances, n, kernels<atsp::TourKernels>().tour_search(rules, std::move(tour), seed)};
            },
            nb::arg("distances"), nb::arg("near"), nb::arg("tour"), nb::arg("seed"), nb::arg("longest_reversal"),
            nb::arg("symmetric"), nb::arg("journal"),
            "``near`` has in a row the cities that new arcs out of a city may lead to, nearest first. No longer part\n"
            "of a tour than ``longest_reversal`` is reversed; so many reversals of a descent can be undone.")
        .def(
            "improve",
            [](BoundSearch& search, int lo, int hi, std::int64_t kicks, std::int64_t shaken,
               Array<const std::int64_t> first, StopFlag stop) {
                if (lo < 0 || hi >= search.cities) throw std::invalid_argument("no such places");
                const Limits limits{.budget = INT64_MAX, .stop = stop_of(stop)};
                nb::gil_scoped_release released;
                const auto done = search.search->improve(lo, hi, kicks, shaken, {first.data(), first.size()}, limits);
                return std::make_tuple(done.gain, done.kicked);
            },
            nb::arg("lo"), nb::arg("hi"), nb::arg("kicks"), nb::arg("shaken"), nb::arg("first"), nb::arg("stop"),
            "Kick and descend so many times between two places of the tour, whose cities stay.\n\n"
            "``shaken`` kicks at the beginning are never undone; the cities at the places ``first`` are looked at\n"
            "first. Returns by how much the tour is shorter, and how many kicks were made.");
    m.def(
        "nearest_neighbour",
        [](Matrix distances, int start) {
            const int n = cities_of(distances);
            if (start < 0 || start >= n) throw std::invalid_argument("no such city");
            auto tour = new_array<std::int64_t>({distances.shape(0)});
            nb::gil_scoped_release released;
            const std::int64_t length =
                kernels<atsp::FirstTourKernels>().nearest_neighbour(n, distances.data(), start, tour.data());
            return std::make_tuple(tour, length);
        },
        nb::arg("distances"), nb::arg("start"),
        "Go to the nearest city not yet visited, the first of equal ones; return the tour and its length.");
    m.def(
        "least_columns",
        [](Matrix values, int count) {
            const int n = cities_of(values);
            if (count < 1 || count >= n) throw std::invalid_argument("so many other columns");
            auto columns = new_array<std::int64_t, 2>({values.shape(0), static_cast<std::size_t>(count)});
            nb::gil_scoped_release released;
            kernels<atsp::FirstTourKernels>().least_columns(n, values.data(), count, columns.data());
            return columns;
        },
        nb::arg("values"), nb::arg("count"),
        "Return in each row the numbers of so many other columns with the least values, the first of equal ones.");
    m.def(
        "patch_cycles",
        [](Matrix distances, Array<const std::int64_t> following, StopFlag stop) {
            const int n = cities_of(distances);
            if (following.size() != distances.shape(0)) throw std::invalid_argument("an assignment of other cities");
            std::vector<bool> entered(n);
            for (int c = 0; c < n; c++) {
                if (following(c) < 0 || following(c) >= n || entered[following(c)])
                    throw std::invalid_argument("no assignment");
                entered[following(c)] = true;
            }
            auto joined = new_array<std::int64_t>({following.size()});
            std::copy_n(following.data(), following.size(), joined.data());
            const Limits limits{.budget = INT64_MAX, .stop = stop_of(stop)};
            nb::gil_scoped_release released;
            kernels<atsp::FirstTourKernels>().patch_cycles(n, distances.data(), joined.data(), limits);
            return joined;
        },
        nb::arg("distances"), nb::arg("following"), nb::arg("stop"),
        "Join the cycles of an assignment to one tour, the smallest first; return each city's next one.\n\n"
        "Once it is stopped, those that are left are joined in any way.");
}

}  // namespace prunus
