// What the ATSP's kernels offer to the bindings.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dispatch.hpp"
#include "limits.hpp"
#include "treesearch/best_first_search.hpp"

namespace prunus::atsp {

/// The arcs that can be in a tour short enough, sorted by head, with their lengths.
struct Arcs {
    int cities;
    std::size_t count;
    const std::int64_t* tail;
    const std::int64_t* head;
    const std::int64_t* length;
};

/// Units of prices and bounds: 2^shift of them are a length of 1. `aim` is the bound, in units, that
/// Polyak's steps go towards.
struct Units {
    int shift;
    std::int64_t aim;
};

/// How an ascent steps: how many steps at most, of which length in Polyak's, and after how many
/// without a better bound they become shorter.
struct StepRule {
    int steps;
    double length;
    int patience;
};

/// Prices of all cities that raise the bound of 1-arborescences; see ascent.hpp.
class Ascent {
  public:
    std::vector<std::int64_t> price;      // in units
    std::vector<std::int32_t> following;  // of the tour, when `ascend` has met one
    bool tour = false;                    // whether it has

    virtual ~Ascent() = default;
    /// Raises the bound of the arcs that are left and leaves out those that no tour shorter than
    /// `cutoff` has; returns the bound, a length, of such tours: `cutoff` if there is none.
    virtual std::int64_t ascend(std::int64_t cutoff, const StepRule& rule, Limits& limits) = 0;
    /// Raises the bound of some of an instance's arcs; all of them stay.
    virtual void ascend_sparse(const StepRule& rule, Limits& limits) = 0;
    /// After `ascend_sparse`: prices all arcs, with the lengths of those into a city in a row.
    /// Returns the bound of all tours; arcs whose reduced cost is negative are added to `chosen`.
    /// Stopped before, it returns no bound: the least number there is.
    virtual std::int64_t price_all(const std::int64_t* arriving, bool* chosen, Limits& limits) = 0;
    /// After `price_all`: adds the arcs that a tour shorter than `cutoff` can have.
    virtual void useful(const std::int64_t* arriving, std::int64_t cutoff, bool* chosen, Limits& limits) = 0;
    /// The numbers of the arcs that are left.
    virtual std::vector<std::int32_t> left() const = 0;
};

struct Kernels {
    /// The tree of the assignment bound. Only tours shorter than `cap` are of interest; a node is
    /// divided into at most so many children.
    std::unique_ptr<treesearch::BestFirstSearch> (*assignment_tree)(const Arcs&, std::int64_t cap, int children);
    /// The tree of the bound by 1-arborescences.
    std::unique_ptr<treesearch::BestFirstSearch> (*arborescence_tree)(const Arcs&, const Units&);
    /// An ascent from given prices. `tour` has the cities in the order of a good tour; it is empty
    /// where prices are to move one by one.
    std::unique_ptr<Ascent> (*ascent)(const Arcs&, const Units&, std::vector<std::int64_t> price,
                                      std::vector<std::int32_t> tour);
};

}  // namespace prunus::atsp

PRUNUS_KERNELS(atsp::Kernels)
