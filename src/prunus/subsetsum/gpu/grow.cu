// Generation of the two lists by adding items: each of two ascending lists x becomes the merge of x and
// x + w. A block makes one tile of the output: two warps find where its ends cut the merge path, the
// lanes then merge ITEMS places each in shared memory.
//
// Constants: THREADS a block, BLOCKS a multiprocessor, ITEMS a lane.
#include "subsetsum/gpu/merge.cuh"

struct Growth { const u64* from; u64* to; u64 length; u64 weight; u64 tiles; u64* cuts; };

struct Search { Growth growth[2]; };

// Where the tiles of both lists cut the merge path: for long lists, where a block would wait for
// the search.
KERNEL(THREADS, 1) cut(Search* search)
{
    u64 tile = (u64)blockIdx.x * THREADS + threadIdx.x;
    const bool other = search->growth[0].tiles && tile > search->growth[0].tiles;
    if (other) tile -= search->growth[0].tiles + 1;
    const Growth& g = search->growth[other || search->growth[0].tiles == 0];
    if (tile > g.tiles) return;
    const u64 n = g.length, weight = g.weight, wanted = tile * OUTPUT;
    const u64 diagonal = wanted < 2 * n ? wanted : 2 * n;
    u64 low = diagonal > n ? diagonal - n : 0, high = diagonal < n ? diagonal : n;
    while (low < high) {
        const u64 middle = (low + high) >> 1;
        if (g.from[middle] <= g.from[diagonal - 1 - middle] + weight) low = middle + 1;
        else high = middle;
    }
    g.cuts[tile] = low;
}

KERNEL(THREADS, BLOCKS) grow(Search* search)
{
    DYNAMIC_SHARED(memory);
    u64* const s = (u64*)memory;
    u64* const cuts = s + OUTPUT;
    const bool other = blockIdx.x >= search->growth[0].tiles;
    const Growth g = search->growth[other];
    const u64* const from = g.from;
    const u64 tile = blockIdx.x - (other ? search->growth[0].tiles : 0);
    const u64 n = g.length, weight = g.weight;
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
    // All loads first, then all stores: the memory is far away.
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
