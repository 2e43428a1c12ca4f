// The expanding core: exact, and fast wherever few items matter.
//
// Only items whose efficiency is near the break item's are ever looked at: those between are the core, which grows
// alternately to the right (an item that may be added) and to the left (one that may be removed) until no state is left
// whose bound beats the best choice known (D. Pisinger 1997, A minimal algorithm for the 0-1 knapsack problem;
// S. Martello, D. Pisinger, P. Toth 1999, Dynamic programming and strong bounds for the 0-1 knapsack problem).
#pragma once

#include "knapsack/history.hpp"
#include "limits.hpp"

namespace prunus::knapsack {

/// Why a core stopped.
enum class CoreStop { done, budget, memory, uncounted };

/// A search over the deviations from one break solution. Values are relative to that solution.
struct ExpandingCore {
    const Relaxation* relaxation = nullptr;
    FreeItems items;
    std::int64_t target = 0;  // no choice is worth more
    double side = 0.0;        // of the constraint on the number of items
    StateMemory list, following;
    std::int64_t count = 1;
    History history;
    std::int64_t left, right;         // free items up to `left` and from `right` on are outside the core
    bool to_left = false;             // whether the next item is one that may be removed
    std::int64_t counted = 0;         // items for which those in the core stand
    std::int64_t states = 0;          // ever made
    std::int64_t peak = 0;            // the length of the longest list
    std::int64_t probe_length = 256;  // of a list at which to look for good states next
    std::int64_t best = 0;            // value
    State best_state = first_state;
    std::int64_t best_step = -1, best_emptied_at = 0;  // when it was found; negative: it was given
    std::int64_t best_extra = 0;  // 1 + an item outside the core that it adds, or -1 - one that it drops
    std::int64_t copied_bytes = 0;
};

struct ExpandingCoreKernels {
    /// Seeks choices worth more than `value`, which is known to be reached; none is worth more than `limit`.
    ExpandingCore (*begin)(const Relaxation&, std::int64_t value, std::int64_t limit);
    /// Expands the core until about as many states were made as the budget says; lists and their copies may take so
    /// many bytes.
    CoreStop (*advance)(ExpandingCore&, Limits&, std::int64_t memory);
    /// A value that no choice exceeds.
    std::int64_t (*bound)(const ExpandingCore&);
    /// The items of the best choice, numbered as in what was relaxed.
    std::vector<std::int64_t> (*chosen)(const ExpandingCore&);
};

}  // namespace prunus::knapsack

PRUNUS_KERNELS(knapsack::ExpandingCoreKernels)
