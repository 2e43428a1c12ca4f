// Local search on a tour, as the bindings see it; tour_search.cpp has what it does.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::atsp {

/// A tour, and where in it each city is. Threads share it; each writes its own part only.
struct Tour {
    std::vector<std::int32_t> order, place;
};

/// What a local search goes by.
struct TourRules {
    int cities;
    const std::int64_t* distances;
    /// For each city `neighbours` others that new arcs may lead to, nearest first.
    const std::int32_t* near;
    int neighbours;
    /// No longer part of the tour is reversed: 0 where directions must not change.
    int longest_reversal;
    /// Whether all distances are the same there and back.
    bool symmetric;
    /// Reversals of a descent that can be undone.
    int journal;
};

struct Improved {
    std::int64_t gain;    // by so much the tour is shorter
    std::int64_t kicked;  // so many kicks were made
};

/// What one thread needs to improve a part of a tour.
class TourSearch {
  public:
    virtual ~TourSearch() = default;
    /// Kicks and descends so many times between two places of the tour, `lo` and `hi`, whose cities
    /// stay. What does not make the tour shorter, or leave it as long, is undone. To get away from a
    /// local optimum, `shaken` kicks are made at the beginning and never undone; the cities at the
    /// places `first` are looked at first.
    virtual Improved improve(int lo, int hi, std::int64_t kicks, std::int64_t shaken,
                             std::span<const std::int64_t> first, const Limits& limits) = 0;
};

struct TourKernels {
    /// `seed` is the state of the random numbers.
    std::unique_ptr<TourSearch> (*tour_search)(const TourRules&, std::shared_ptr<Tour>, std::uint64_t seed);
};

}  // namespace prunus::atsp

PRUNUS_KERNELS(atsp::TourKernels)
