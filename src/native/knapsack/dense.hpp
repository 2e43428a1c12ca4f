// The dense recursion over all items, with the live range trimmed from both sides.
//
// Bellman's recursion keeps the best value of every capacity. After some items no capacity below C minus the weight
// still to come can matter (P. Toth 1980, Dynamic programming algorithms for the zero-one knapsack problem), and above
// the weight so far nothing is new. In which order the items come decides how many cells are live: fewest with light
// items at both ends and heavy ones between.
//
// The items come back from decision bits where those fit in memory. Otherwise the items are halved: from the tables of
// both halves follows how the capacity is best shared between them, and each half is solved by itself. All levels of
// that together cost about as much as the first.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dispatch.hpp"
#include "look.hpp"

namespace prunus::knapsack {

struct DenseLimits {
    int threads = 1;
    std::int64_t memory = 0;              // bytes that tables and decision bits may take
    std::int64_t limit = 0;               // no choice is worth more
    std::int64_t tile_cells = 1 << 15;    // with what the items reach beyond it, a tile stays in a core's cache
    std::int64_t reach_cells = 1 << 14;   // how far the items of a pass may reach together
    std::int64_t slice_cells = 1 << 26;   // computed between two looks
    std::int64_t shared_cells = 1 << 21;  // below which a second core does not pay
    std::int64_t apart_weight = 1 << 20;  // from which a range is split at every weight, not copied
    std::int64_t bit_bytes = 1 << 25;     // from which halving is faster: fresh memory costs more than cells
};

struct DenseItem {
    std::int64_t w, p;
    std::int64_t number;               // of those given
    std::int64_t least = 0, most = 0;  // it is applied to these cells; those above hold the value of `most`
};

/// The items in the order in which they are applied, and the live range of each.
struct DensePlan {
    std::vector<DenseItem> items;
    std::int64_t cells = 0;  // live in all
};

/// What the recursion would cost.
struct DenseCost {
    std::int64_t cells = 0, work = 0;  // of the table, and until the items are known as well
    std::int64_t heavy_cells = 0;      // of items heavier than some weight
    bool fits = true;                  // the table in memory
};

enum class DenseStop { done, stopped, memory };

struct DenseChoice {
    DenseStop stop = DenseStop::done;
    std::vector<std::int64_t> chosen;
};

/// The optimum of every capacity, in 32 bits where that holds them, and the items of the last one, if bits fit.
struct DenseProfile {
    DenseStop stop = DenseStop::done;
    std::vector<std::int32_t> narrow;
    std::vector<std::int64_t> wide;
    std::optional<std::vector<std::int64_t>> chosen;
};

struct ItemSpan {
    const std::int64_t* w;
    const std::int64_t* p;
    std::int64_t n;
};

struct DenseKernels {
    /// Puts the items in the order with the fewest live cells; those from `need` to the capacity are wanted in the end.
    DensePlan (*plan)(const ItemSpan&, std::int64_t capacity, std::int64_t need);
    DenseCost (*cost)(const ItemSpan&, std::int64_t capacity, std::int64_t heavy, const DenseLimits&);
    /// The items of a best choice.
    DenseChoice (*choose)(const ItemSpan&, std::int64_t capacity, const DenseLimits&, Look);
    /// The values from `need` on; those below are too small, later ones are worth as much as the last.
    DenseProfile (*profile)(const ItemSpan&, std::int64_t capacity, std::int64_t need, const DenseLimits&, Look);
};

}  // namespace prunus::knapsack

PRUNUS_KERNELS(knapsack::DenseKernels)
