// What local search begins with: tours, and which cities are near.
#pragma once

#include <cstdint>

#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::atsp {

struct FirstTourKernels {
    /// Goes to the nearest city not yet visited, the first of equal ones, again and again; returns
    /// the length of the tour.
    std::int64_t (*nearest_neighbour)(int cities, const std::int64_t* distances, int start, std::int64_t* tour);
    /// Writes for each row of a matrix the `count` other columns with the least values, the first of
    /// equal ones, by their numbers.
    void (*least_columns)(int cities, const std::int64_t* values, int count, std::int64_t* columns);
    /// Joins the cycles of an assignment to one tour (Karp 1979, A patching algorithm for the
    /// nonsymmetric traveling-salesman problem, SIAM Journal on Computing 8, 561-573): the smallest
    /// one first, with whichever other it is cheapest to exchange an arc with. Once it is stopped,
    /// those that are left are joined in any way.
    void (*patch_cycles)(int cities, const std::int64_t* distances, std::int64_t* following, const Limits&);
};

}  // namespace prunus::atsp

PRUNUS_KERNELS(atsp::FirstTourKernels)
