// From the outside inwards: what is far from the break item is decided first.
//
// An expanding core begins at the break item and bounds what is left by a linear relaxation. Where all items near the
// break item weigh about the same, as in the circle class of D. Pisinger (2005, Where are the hard knapsack problems?),
// that relaxation fills the last part of the capacity with a fraction of an item, and nothing that is decided near the
// break item changes it: lists grow to millions of states that differ in nothing that matters. Decided from the outside
// inwards, the items left are ever more alike, and a bound that counts them is ever sharper.
#pragma once

#include "knapsack/relaxation.hpp"

namespace prunus::knapsack {

/// When the search gives up, and how often it asks whether to stop.
struct FixingLimits {
    std::int64_t memory;         // bytes of lists and deviations
    std::int64_t longest;        // states of a list
    std::int64_t states;         // states looked at in all
    std::int64_t between_looks;  // states looked at between two looks
};

/// How far it came.
struct Fixing {
    bool done = false;                  // the best value known is optimal
    bool improved = false;              // the best value was found here
    std::int64_t value = 0;             // the best known
    std::int64_t limit = 0;             // no choice is worth more
    std::int64_t states = 0, peak = 1;  // states looked at, and the length of the longest list
    std::int64_t size = 0;              // items that deviate in choices that might be better
    std::vector<std::int64_t> chosen;   // numbered as in what was relaxed
};

struct OutsideInKernels {
    /// Seeks choices worth more than `value`, which is known to be reached; the relaxation has no constraint on the
    /// number of items.
    Fixing (*fix)(const Relaxation&, std::int64_t value, const FixingLimits&, Look);
    /// For tests: the most that the items `first` to `last - 1` of a relaxation can add to a state that leaves `rho`,
    /// sharpened for it or not, if the walk begins at `d` items more; `lam` is a price of items, 0 for none.
    double (*most_added)(const Relaxation&, std::int64_t first, std::int64_t last, std::int64_t rho, bool sharpened,
                         double d, double lam);
};

}  // namespace prunus::knapsack

PRUNUS_KERNELS(knapsack::OutsideInKernels)
