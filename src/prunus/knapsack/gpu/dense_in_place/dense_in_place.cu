// The dense recursion in a single array, for tables of which two do not fit in a GPU's memory.
//
// A cell holds the largest profit of the choices of exactly its weight, minus a price per unit of weight,
// so that 32 bits usually suffice. COUNT items are applied in one pass, all their subsets at once: a cell
// reads the cells that lie their weights below, which for items of similar weight are neighbours. Cells
// are processed in chunks from the top, each no longer than the lightest item: what a chunk reads lies
// below it, where nothing has been written yet.
//
// Constants: BYTES of a value, 4 or 8; COUNT, the items of a pass at most; THREADS of a block.
#include "hardware/cuda/shuffle.cuh"

#if BYTES == 4
typedef int value_t;
#else
typedef i64 value_t;
#endif

// Lower than any value of a choice, even after profits are added: marks unreachable cells.
#define LEAST (BYTES == 4 ? -((i64)1 << 29) : -((i64)1 << 60))

#define SUBSETS ((1 << COUNT) - 1)
#define CELLS 4 // that a thread processes at a time
#define NONE (-((i64)1 << 62)) // less than any profit

#include "knapsack/gpu/dense_in_place/tables.h"

KERNEL(THREADS, 2) apply_items(Search* s)
{
    const i64 stride = (i64)gridDim.x * THREADS, low = s->low, high = s->high;
    value_t* values = s->values;
    const int subsets = (int)s->subsets;
    for (i64 first = low + (i64)blockIdx.x * THREADS + threadIdx.x; first <= high; first += CELLS * stride) {
        value_t old[CELLS], best[CELLS];
#pragma unroll
        for (int k = 0; k < CELLS; k++) {
            const i64 c = first + k * stride;
            old[k] = best[k] = c <= high ? values[c] : 0;
        }
#pragma unroll
        for (int x = 0; x < SUBSETS; x++) {
            if (x >= subsets) break;
            const i64 weight = s->weight[x];
            const value_t worth = (value_t)s->worth[x];
#pragma unroll
            for (int k = 0; k < CELLS; k++) {
                const i64 c = first + k * stride;
                if (c <= high && c >= weight) {
                    const value_t other = values[c - weight] + worth;
                    best[k] = other > best[k] ? other : best[k];
                }
            }
        }
#pragma unroll
        for (int k = 0; k < CELLS; k++) {
            if (best[k] > old[k]) values[first + k * stride] = best[k];
        }
    }
}

// The best profit of a range of cells, with the price refunded at `wanted` per unit, and the heaviest
// cell that attains it: first the profit, then the cell.
KERNEL(THREADS, 2) best(Search* s)
{
    const i64 stride = (i64)gridDim.x * THREADS, sought = s->phase ? s->found[0] : NONE;
    i64 most = NONE, cell = -1;
    for (i64 c = s->low + (i64)blockIdx.x * THREADS + threadIdx.x; c <= s->high; c += stride) {
        const i64 value = (i64)s->values[c], profit = value + s->wanted * c;
        if (value <= LEAST) continue;
        most = profit > most ? profit : most;
        if (profit == sought) cell = c;
    }
    if (!s->phase) atomic_max(s->found, most);
    else if (cell >= 0) atomic_max(s->found + 1, cell);
}

// A weight of one part that makes up the wanted profit and weight together with the other part.
KERNEL(THREADS, 2) meet(Search* s)
{
    const i64 stride = (i64)gridDim.x * THREADS;
    for (i64 c = s->low + (i64)blockIdx.x * THREADS + threadIdx.x; c <= s->high; c += stride) {
        if ((i64)s->values[c] + (i64)s->others[s->total - c] == s->wanted) atomic_max(s->found, c);
    }
}

// The prefix maximum of v over the lanes.
DEVICE i64 most_upto(i64 v)
{
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) {
        const i64 before = shuffle_from(v, lane() >= d ? lane() - d : lane());
        v = before > v ? before : v;
    }
    return v;
}

// The best total of a cell of this table and one of the other that weigh at most `total` together. A warp
// walks up a section of cells c and knows the best profit up to c, to be combined with the cell total - c
// of the other table. First the best profit of each section, found[2 + warp]; after the host has turned
// these into the best before each section, the best total; then the heaviest c that attains it.
KERNEL(THREADS, 2) share(Search* s)
{
    const i64 warps = (i64)gridDim.x * (THREADS / WARP), warp = warp_id();
    const i64 chunk = ((s->high - s->low) / warps / WARP + 1) * WARP;
    const i64 begin = s->low + warp * chunk;
    const i64 end = begin + chunk <= s->high ? begin + chunk : s->high + 1;
    const int phase = (int)s->phase;
    const i64 sought = phase == 2 ? s->found[0] : NONE, price = s->wanted;
    i64 upto = phase ? s->found[2 + warp] : NONE, most = NONE, cell = -1;
    for (i64 row = begin; row < end; row += CELLS * WARP) {
        i64 own[CELLS], other[CELLS];
#pragma unroll
        for (int k = 0; k < CELLS; k++) {
            const i64 c = row + k * WARP + lane(), rest = s->total - c;
            own[k] = c < end && c <= s->subsets ? (i64)s->values[c] : LEAST;
            own[k] = own[k] > LEAST ? own[k] + price * c : NONE;
            const bool is = phase && c < end && rest >= s->first && rest <= s->last;
            other[k] = is ? (i64)s->others[rest] : LEAST;
            other[k] = other[k] > LEAST ? other[k] + price * rest : NONE;
        }
#pragma unroll
        for (int k = 0; k < CELLS; k++) {
            own[k] = most_upto(own[k] > upto ? own[k] : upto);
            upto = shuffle_from(own[k], WARP - 1);
            const i64 profit = own[k] == NONE || other[k] == NONE ? NONE : own[k] + other[k];
            most = profit > most ? profit : most;
            if (profit > NONE && profit == sought) cell = row + k * WARP + lane();
        }
    }
    if (phase == 0 && lane() == 0) s->found[2 + warp] = upto;
    if (phase == 1 && most > NONE) atomic_max(s->found, most);
    if (phase == 2 && cell >= 0) atomic_max(s->found + 1, cell);
}
