// Generation of the two lists by adding items.
//
// join: while lists are short, up to three items at once. Every sum finds its rank among those with other
// choices of these items by bisection, all in lockstep. grow: each of two ascending lists x becomes the
// merge of x and x + w. A block produces one tile of the output: two warps find where its ends cut the
// merge path, then the lanes merge ITEMS places each in shared memory.
//
// Constants: THREADS of a block, BLOCKS per multiprocessor, ITEMS per lane.
#include "subsetsum/gpu/merge.cuh"
#include "subsetsum/gpu/layout.h"

#define COPIES 8

struct Search { Growth growth[2]; };

KERNEL(THREADS, 1) add_items(Search* search)
{
    u64 number = (u64)blockIdx.x * THREADS + threadIdx.x;
    const u64 first = search->growth[0].length * search->growth[0].tiles;
    const bool other = number >= first;
    if (other) number -= first;
    const Growth g = search->growth[other];
    const u32 n = (u32)g.length, copies = (u32)g.tiles;
    if (number >= (u64)n * copies) return;
    const u64* const from = g.from;
    const auto shift = [&](u32 copy) {
        return (copy & 1 ? g.weights[0] : 0) + (copy & 2 ? g.weights[1] : 0) + (copy & 4 ? g.weights[2] : 0);
    };
    const u32 own = (u32)number / n, at = (u32)number % n;
    const u64 value = from[at] + shift(own);
    // Its rank: its place in its own copy, the smaller sums of the others, and equal ones of earlier
    // copies.
    i64 bound[COPIES];
    u32 low[COPIES];
#pragma unroll
    for (u32 c = 0; c < COPIES; c++) {
        low[c] = 0;
        bound[c] = c < copies ? (i64)(value - shift(c)) + (c < own) : 0;
    }
    for (u32 step = n >> 1; step > 0; step >>= 1) {
#pragma unroll
        for (u32 c = 0; c < COPIES; c++)
            if ((i64)from[low[c] + step - 1] < bound[c]) low[c] += step;
    }
    u32 place = 0;
#pragma unroll
    for (u32 c = 0; c < COPIES; c++) place += c == own ? at : low[c] + ((i64)from[low[c]] < bound[c]);
    g.to[place] = value;
}

// Where the tiles of both lists cut the merge path. Used for long lists, where a block would wait for the
// search.
KERNEL(THREADS, 1) cut_merge_path(Search* search)
{
    u64 tile = (u64)blockIdx.x * THREADS + threadIdx.x;
    const bool other = search->growth[0].tiles && tile > search->growth[0].tiles;
    if (other) tile -= search->growth[0].tiles + 1;
    const Growth& g = search->growth[other || search->growth[0].tiles == 0];
    if (tile > g.tiles) return;
    const u64 n = g.length, weight = g.weights[0], wanted = tile * OUTPUT;
    const u64 diagonal = wanted < 2 * n ? wanted : 2 * n;
    u64 low = diagonal > n ? diagonal - n : 0, high = diagonal < n ? diagonal : n;
    while (low < high) {
        const u64 middle = (low + high) >> 1;
        if (g.from[middle] <= g.from[diagonal - 1 - middle] + weight) low = middle + 1;
        else high = middle;
    }
    g.cuts[tile] = low;
}

KERNEL(THREADS, BLOCKS) add_item(Search* search)
{
    DYNAMIC_SHARED(memory);
    u64* const s = (u64*)memory;
    u64* const cuts = s + OUTPUT;
    const bool other = blockIdx.x >= search->growth[0].tiles;
    const Growth g = search->growth[other];
    const u64* const from = g.from;
    const u64 tile = blockIdx.x - (other ? search->growth[0].tiles : 0);
    const u64 n = g.length, weight = g.weights[0];
    u64 begin = tile * OUTPUT, end = begin + OUTPUT;
    if (end > 2 * n) end = 2 * n;
    if (g.cuts) {
        if (threadIdx.x < 2) cuts[threadIdx.x] = g.cuts[tile + threadIdx.x];
    } else if (threadIdx.x < 2 * WARP) {
        const u64 diagonal = threadIdx.x < WARP ? begin : end;
        const u64 cut = count_first(diagonal > n ? diagonal - n : 0, diagonal < n ? diagonal : n,
            [&](u64 i) { return from[i] <= from[diagonal - 1 - i] + weight; });
        if (lane() == 0) cuts[threadIdx.x / WARP] = cut;
    }
    block_sync();
    const u64 a0 = cuts[0], a1 = cuts[1], b0 = begin - a0, b1 = end - a1;
    const int na = (int)(a1 - a0), nb = (int)(b1 - b0);
    // All loads before all stores, to overlap the latency of global memory.
    u64 made[ITEMS];
#pragma unroll
    for (int u = 0; u < ITEMS; u++) {
        const int i = threadIdx.x + u * THREADS;
        if (i < na + nb) made[u] = from[i < na ? a0 + i : b0 + i - na];
    }
#pragma unroll
    for (int u = 0; u < ITEMS; u++) {
        const int i = threadIdx.x + u * THREADS;
        if (i < na + nb) s[i] = i < na ? made[u] : made[u] + weight;
    }
    block_sync();
    merge(s, na, nb, [&](int i, u64 value, bool, int) { made[i] = value; });
    block_sync();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) s[threadIdx.x * ITEMS + i] = made[i];
    block_sync();
#pragma unroll
    for (int u = 0; u < ITEMS; u++) {
        const int i = threadIdx.x + u * THREADS;
        if (i < na + nb) g.to[begin + i] = s[i];
    }
}
