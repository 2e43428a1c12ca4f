// The linear relaxation, perhaps with a price for items in its objective, and what follows from it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dispatch.hpp"
#include "knapsack/items.hpp"
#include "look.hpp"

namespace prunus::knapsack {

/// Items by falling efficiency, and sums over those before each.
struct SortedItems {
    std::vector<std::int64_t> number;  // what each is called elsewhere
    std::vector<std::int64_t> w, p, count;
    std::vector<double> e;         // efficiencies, none below 0; n + 1, the last is 0
    std::vector<std::int64_t> cw;  // weight of the items before; n + 1
    std::vector<double> cq;        // their profit less the multiplier, where that is positive; n + 1
    std::int64_t middle = 0;       // those before it are in the break solution

    std::int64_t size() const { return static_cast<std::int64_t>(w.size()); }
};

/// The solved relaxation: sorted by efficiency, the items up to the break item fill the knapsack,
/// and the break item's share of the rest is the bound (Dantzig 1957).
struct Relaxation : SortedItems {
    std::int64_t room = 0;    // the capacity that the break solution leaves
    std::int64_t profit = 0;  // of the break solution
    double multiplier = 0.0;  // of the constraint on the number of items:
    std::int64_t side = 0;    // at most (multiplier > 0) or at least (< 0) so many; 0 without one
    double bound = 0.0;       // no choice is worth more
    double slack = 0.0;       // what rounding may have taken from a bound
};

/// The items in which a choice better than the best one known may deviate from the break solution;
/// numbered as in the relaxation.
struct FreeItems : SortedItems {
    std::vector<double> forced;  // the bound if the item deviates, relative to the break solution
};

/// A choice of items, numbered as in what was relaxed.
struct Choice {
    std::int64_t value = 0;
    std::vector<std::int64_t> items;
};

/// A constraint on the number of items that no better choice violates.
struct Cardinality {
    std::int64_t side;
    bool at_most;  // no more than it, else no fewer
};

/// Profits that follow from weights: a choice of weight W is worth `slope * W` and a multiple of
/// `step`; a step below 2 says nothing.
struct Lattice {
    std::int64_t slope = 0, step = 0;
};

struct RelaxationKernels {
    Relaxation (*relax)(const Items&, double multiplier, std::int64_t side);
    /// The bound if each item deviates from the break solution, relative to its profit.
    std::vector<double> (*forced)(const Relaxation&);
    /// What a choice worth more than `value` may deviate in.
    FreeItems (*free_items)(const Relaxation&, std::int64_t value);
    /// The best of a few quick choices if it is worth more than `value`; else no items. Each of so many items that
    /// follow the break solution is exchanged for the cheapest one that makes room.
    Choice (*greedy)(const Relaxation&, std::int64_t value, std::int64_t exchanges);
    /// The constraint on the number of items that cuts the relaxed solution off, if one does.
    std::optional<Cardinality> (*cardinality)(const Relaxation&, std::int64_t capacity, std::int64_t value);
    /// The relaxation with the best multiplier for a constraint, or the best found when the look
    /// said stop; none if none is better than without.
    std::optional<Relaxation> (*tighten)(const Relaxation&, std::int64_t capacity, const Cardinality&, Look);
    /// The lattice that weights and profits span.
    Lattice (*lattice)(const Items&);
    /// Rounds a bound down: no choice is worth more than what is returned, if none that weighs t
    /// less than the capacity is worth more than `bound - t * price`. Not below `value`.
    std::int64_t (*lattice_floor)(const Lattice&, double bound, double price, std::int64_t capacity,
                                  std::int64_t value);
};

}  // namespace prunus::knapsack

PRUNUS_KERNELS(knapsack::RelaxationKernels)
