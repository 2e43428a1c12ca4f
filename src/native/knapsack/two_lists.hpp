// The core and the rim: two lists of states over different items that grow toward one another.
//
// One list that swallows all items of the core grows as long as there are choices that might be better. Two lists over
// half of the deviations each have about the square root of that many states: the first takes items from the break item
// outwards, the second those at whose deviation most is lost, always the shorter one takes the next. When no item is
// left, the best pair of states that fits is the optimum (the idea of E. Horowitz and S. Sahni 1974, Computing
// partitions with applications to the knapsack problem, with the dominance and bounds of an expanding core).
#pragma once

#include "knapsack/expanding_core.hpp"
#include "look.hpp"

namespace prunus::knapsack {

struct TwoListLimits {
    int threads = 1;
    std::int64_t memory = 0;               // bytes that lists may take
    std::int64_t states = 0;               // to be merged before it returns
    std::int64_t piece_states = 1 << 16;   // of a range that is merged at once, and between two looks
    std::int64_t shared_states = 1 << 18;  // of a list from which a second thread pays
};

/// Why the search returned.
enum class TwoListStop { done, improved, budget, memory, uncounted, stopped };

/// A list of states and how it came to be.
struct StateList {
    StateMemory states;
    std::int64_t count = 0;
    History history;
    std::int64_t counted = 0;  // items for which those decided stand
};

/// A search that goes on where a core has become too long, which it takes its list from.
struct TwoLists {
    const Relaxation* relaxation = nullptr;
    FreeItems items;
    double side = 0.0;
    StateList lists[2];  // the core and the rim
    StateMemory following;
    std::vector<std::uint8_t> owner;      // of each item
    std::vector<std::int64_t> near, far;  // items by distance from the break item, and by what their deviation loses
    std::int64_t near_at = 0, far_at = 0, hopeless_at = 0;
    std::vector<std::int64_t> cw;  // of the items outside a list, as in `SortedItems`
    std::vector<double> cq, e;
    std::int64_t joined = 0;  // states when the lists were last joined
    std::int64_t best = 0;    // value, relative to the break solution
    std::int64_t copied_bytes = 0;
    std::int64_t states = 0;           // made
    std::int64_t merged = 0;           // looked at for that
    std::vector<std::int64_t> chosen;  // the best choice found here
    bool done = false;

    std::int64_t size() const { return lists[0].count + lists[1].count; }
};

struct TwoListKernels {
    TwoLists (*begin)(ExpandingCore&&);
    TwoListStop (*advance)(TwoLists&, const TwoListLimits&, Look);
    /// A value that no choice exceeds.
    std::int64_t (*bound)(TwoLists&);
};

}  // namespace prunus::knapsack

PRUNUS_KERNELS(knapsack::TwoListKernels)
