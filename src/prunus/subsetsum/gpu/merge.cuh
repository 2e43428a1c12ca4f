// Merging two ascending lists of words: where a tile of the output cuts the merge path, and the merge of
// a tile in shared memory. ITEMS places per lane; ITEMS is odd, to avoid bank conflicts.
#pragma once
#include "hardware/cuda/portable.cuh"

#define NONE 0xffffffffffffffffull
#define OUTPUT (THREADS * ITEMS)

// The number of leading places before ``end`` that satisfy a condition which holds for a prefix only;
// found by all lanes of a warp together.
template <class Holds>
DEVICE u64 count_first(u64 low, u64 high, Holds holds)
{
    while (low < high) {
        const u64 step = (high - low + WARP - 1) / WARP;
        const u64 at = low + (lane() + 1) * step - 1;
        const int full = count_lanes(warp_ballot(at < high && holds(at < high ? at : low)));
        low += full * step;
        if (low + step - 1 < high) high = low + step - 1;
    }
    return low < high ? low : high;
}

// Merge na values, then nb values, in shared memory, ITEMS places per lane. Calls take(value, is from the
// second list) in ascending order; ties go to the first list.
template <class Take>
DEVICE void merge(const u64* s, int na, int nb, Take take)
{
    int begin = threadIdx.x * ITEMS;
    if (begin > na + nb) begin = na + nb;
    int low = begin > nb ? begin - nb : 0, high = begin < na ? begin : na;
    while (low < high) {
        const int middle = (low + high) >> 1;
        if (s[middle] <= s[na + begin - 1 - middle]) low = middle + 1;
        else high = middle;
    }
    int x = low, y = na + begin - low;
    const int end = na + nb;
    u64 one = x < na ? s[x] : NONE, two = y < end ? s[y] : NONE;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const bool second = two < one;
        take(i, second ? two : one, second, x);
        const int next = second ? ++y : ++x;
        const u64 value = next < (second ? end : na) ? s[next] : NONE;
        if (second) two = value;
        else one = value;
    }
}
