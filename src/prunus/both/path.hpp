// The naive bound of a tour that begins in city 0: the length of the path so far (Gmys et al. 2017).
#pragma once
#include "both/portable.hpp"

BOTH_BEGIN

// The length of a path that goes on from `last` to a city and, if `closing`, from there to city 0.
template <class Length>
DEVICE Length path_bound(Length length, const Length* distances, int cities, int last, int city, bool closing) {
    length += distances[last * cities + city];
    if (closing) length += distances[city * cities];
    return length;
}

BOTH_END
