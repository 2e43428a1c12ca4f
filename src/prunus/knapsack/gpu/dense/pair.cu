// Single items of one weight w, applied in registers to the values of two stretches at a time.
//
// As stream.cu, but that values are made small enough for two to share a word (pair.cuh). Where they
// are not, stretches are walked up again as there.
//
// Constants: as of stream.cu; WORK_BITS is 32.
#define STEPS ITEMS
#include "knapsack/gpu/dense/climb.cuh"
#include "knapsack/gpu/dense/pair.cuh"

// Walks up a part of the stretches of a block again: what is wrong at a place is wrong as far up as items reach.
APART void again(const Pass& pass, u32 unit, u32 span, const work_t* profits, work_t* memory)
{
    const int count = (int)pass.count, length = (int)pass.length;
    const int first = (int)(span >> 16) * PLACES - count, end = (int)(span & 0xffff) * PLACES;
    const int from = first > 0 ? first : 0, upto = end < length ? end : length;
    const int places = (upto - from + count + PLACES - 1) / PLACES * PLACES;
    Stretch stretch(pass, unit, pass.count);
    stretch.cell += from * pass.weight;
    stretch.source += from * pass.weight;
    const bool there = unit < pass.units && stretch.cell <= pass.high;
    walk(pass, stretch, places - count, there, profits, memory);
}

KERNEL(THREADS, RESIDENT) dense_pair(Job* job)
{
    DYNAMIC_SHARED(memory);
    Ahead ahead(job, memory);
    work_t* const rest = ahead.profits + 2 * STEPS;
    for (u32 k = ahead.first; k < ahead.last; k++) {
        ahead.begin(k);
        const Pass& pass = ahead.at(k);
        for (u32 first = blockIdx.x * 2 * COLUMNS; first < pass.units; first += gridDim.x * 2 * COLUMNS) {
            const u32 unit = first + threadIdx.x % COLUMNS;
            const u32 span = walk_pair(pass, first, ahead.profits_of(k), rest);
            if (span == 0) continue;
            if (threadIdx.x == 0) release_add(&job->again, 1u);
            for (u32 half = 0; half < 2; half++)
                again(pass, unit + half * COLUMNS, span, ahead.profits_of(k), rest);
        }
        ahead.end(k);
        if (k + 1 < ahead.last) grid_barrier(job, k + 1 - ahead.first);
    }
}
