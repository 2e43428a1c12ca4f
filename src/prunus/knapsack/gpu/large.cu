// The dense recursion in one array, for tables of which two do not fit in a card's memory.
//
// A cell holds what the choices of exactly its weight are worth at most, less a price for the
// weight, so that 32 bits mostly do. COUNT items are applied in one pass, all their subsets at once:
// a cell reads the cells below it by the weight of each, which for items of nearly equal weight are
// next to each other. Cells are taken in chunks from the top, no longer than the lightest item: what
// a chunk reads lies below it, where nothing has been written yet.
//
// Constants: BYTES of a value, 4 or 8; COUNT of items a pass, at most; THREADS a block.
#include "cuda/portable.cuh"

#if BYTES == 4
typedef int value_t;
#else
typedef i64 value_t;
#endif

// No choice has a value as low as this; what is added to a cell that no choice leads to stays below.
#define LEAST (BYTES == 4 ? -((i64)1 << 29) : -((i64)1 << 60))

#define SUBSETS ((1 << COUNT) - 1)
#define CELLS 4 // that a thread has under way

struct Search {
    value_t* values;
    const value_t* others; // for `meet`
    i64 low, high;         // the chunk, both included
    i64 wanted;            // for `meet`: the worth of both parts together
    i64 total;             // and their weight
    i64* found;            // a cell, or the best worth and its cell
    i64 subsets;           // how many there are
    i64 weight[SUBSETS];
    i64 worth[SUBSETS];
};

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

// The best of a range of cells once the weight is paid back at `wanted` a unit, and the heaviest
// cell with it: first its worth, then, with total set to 1, the cell.
KERNEL(THREADS, 2) best(Search* s)
{
    const i64 stride = (i64)gridDim.x * THREADS, least = s->total ? s->found[0] : -((i64)1 << 62);
    i64 most = -((i64)1 << 62), cell = -1;
    for (i64 c = s->low + (i64)blockIdx.x * THREADS + threadIdx.x; c <= s->high; c += stride) {
        const i64 value = (i64)s->values[c], worth = value + s->wanted * c;
        if (value <= LEAST) continue;
        most = worth > most ? worth : most;
        if (worth == least) cell = c;
    }
    if (!s->total) atomicMax(s->found, most);
    else if (cell >= 0) atomicMax(s->found + 1, cell);
}

// A weight of one part that, with the other part, makes the worth and the weight wanted.
KERNEL(THREADS, 2) meet(Search* s)
{
    const i64 stride = (i64)gridDim.x * THREADS;
    for (i64 c = s->low + (i64)blockIdx.x * THREADS + threadIdx.x; c <= s->high; c += stride) {
        if ((i64)s->values[c] + (i64)s->others[s->total - c] == s->wanted) atomicMax(s->found, c);
    }
}
