// Two sorted lists of sums: made by merging, searched along a staircase.
#pragma once

#include <cstdint>

#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::subsetsum {

/// A sum of up to 192 bits, of which the highest word is small.
struct Wide {
    std::uint64_t low = 0, middle = 0, high = 0;
};

/// Both lists, in ascending order.
template <class Sum>
struct ListPair {
    const Sum* a;
    std::int64_t n;
    const Sum* b;
    std::int64_t m;
};

enum class Found { none, some, stopped };

template <class Sum>
struct Best {
    Found found;
    Sum sum;
    std::int64_t step;  // at most 2^14 before the first pair with that sum
};

/// A place of each list; negative if there is none.
struct Places {
    std::int64_t i, j;
};

template <class Sum>
struct ListKernels {
    /// Writes places `first` to `last - 1` of the merge of n sums and the same plus a weight; after
    /// the n sums stands one that is larger than all, and so it does afterwards.
    void (*merge)(const Sum* x, std::int64_t n, Sum weight, Sum* out, std::int64_t first, std::int64_t last);
    /// How many steps the staircase has until one of the lists ends.
    std::int64_t (*steps)(const ListPair<Sum>&, Sum target);
    /// The largest sum not above the target on some steps, or the target as soon as it is met.
    Best<Sum> (*best_below)(const ListPair<Sum>&, Sum target, std::int64_t first, std::int64_t last, Limits&);
    /// A pair with the target as its sum.
    Places (*pair)(const ListPair<Sum>&, Sum target);
    /// How many pairs of places `first` to `last - 1` of `a` have the target as their sum; -2 if stopped.
    std::int64_t (*count)(const ListPair<Sum>&, Sum target, std::int64_t first, std::int64_t last, Limits&);
};

}  // namespace prunus::subsetsum

PRUNUS_KERNELS(subsetsum::ListKernels<std::uint64_t>)
PRUNUS_KERNELS(subsetsum::ListKernels<subsetsum::Wide>)
