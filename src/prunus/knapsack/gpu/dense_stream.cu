// Single items of one weight w, applied in registers to the values that stream past.
//
// Cells a weight apart form a chain, and an item of weight w moves values one place up the chain.
// A thread walks up a stretch of a chain, PLACES places at a time, and keeps for each item the value
// that the place before had before that item: so each place needs one operation an item, and nothing
// is computed twice but below the stretch, whose items reach that far. The next places are loaded
// while these are worked on. Neighbouring threads hold neighbouring cells.
//
// Constants: VALUE_BITS, WORK_BITS, ITEMS (of a pass, at most), PLACES, THREADS, RESIDENT (blocks a multiprocessor).
#define STEPS ITEMS
#include "knapsack/gpu/dense.cuh"
#include "knapsack/gpu/dense_stretch.cuh"

#define GROUP 4

// Applies one item to successive places. From the top down, so that each reads what was there before.
DEVICE void apply(work_t* v, work_t& before, work_t profit)
{
    const work_t last = v[PLACES - 1];
#pragma unroll
    for (int i = PLACES - 1; i > 0; i--) v[i] = add_max(v[i - 1], profit, v[i]);
    v[0] = add_max(before, profit, v[0]);
    before = last;
}

DEVICE void walk(const Pass& pass, const Stretch& stretch, const work_t* profits)
{
    const int count = (int)pass.count, blocks = (count + (int)pass.length) / PLACES;
    const i64 weight = pass.weight, highest = pass.high - stretch.cell;
    value_t* const target = row(pass.target) + stretch.cell;
    work_t before[ITEMS], next[PLACES];
#pragma unroll
    for (int j = 0; j < ITEMS; j++) before[j] = NOTHING;
    const Source source(pass, stretch, blocks * PLACES);
    source.load(next, 0);
    for (int b = 0; b < blocks; b++) {
        work_t v[PLACES];
#pragma unroll
        for (int i = 0; i < PLACES; i++) v[i] = next[i];
        if (b + 1 < blocks) source.load(next, (b + 1) * PLACES);
        // As many items as there are places below these have been applied to something that matters.
        const int most = (b + 1) * PLACES < count ? (b + 1) * PLACES : count;
        work_t profit[GROUP]; // of the items at hand: those of the next ones are on their way meanwhile
#pragma unroll
        for (int j = 0; j < GROUP; j++) profit[j] = profits[j];
#pragma unroll
        for (int g = 0; g < ITEMS; g += GROUP)
            if (g < most) {
                work_t after[GROUP];
#pragma unroll
                for (int j = 0; j < GROUP; j++) after[j] = g + GROUP < ITEMS ? profits[g + GROUP + j] : 0;
#pragma unroll
                for (int j = 0; j < GROUP; j++) apply(v, before[g + j], profit[j]);
#pragma unroll
                for (int j = 0; j < GROUP; j++) profit[j] = after[j];
            }
        const int first = b * PLACES - count; // the places of the stretch itself are stored
        value_t* here = target + first * weight;
        const i64 room = highest - first * weight;
        if (first >= 0 && (PLACES - 1) * weight <= room) {
#pragma unroll
            for (int i = 0; i < PLACES; i++) here[i * weight] = source.base + (value_t)v[i];
        } else {
#pragma unroll
            for (int i = 0; i < PLACES; i++)
                if (first + i >= 0 && i * weight <= room) here[i * weight] = source.base + (value_t)v[i];
        }
    }
}

KERNEL(THREADS, RESIDENT) dense_stream(Job* job)
{
    DYNAMIC_SHARED(memory);
    Ahead ahead(job, memory);
    for (u32 k = ahead.first; k < ahead.last; k++) {
        ahead.begin(k);
        const Pass& pass = ahead.at(k);
        for (u32 unit = blockIdx.x * THREADS + threadIdx.x; unit < pass.units; unit += gridDim.x * THREADS) {
            const Stretch stretch(pass, unit, pass.count);
            if (stretch.cell <= pass.high) walk(pass, stretch, ahead.profits_of(k));
        }
        ahead.end(k);
        if (k + 1 < ahead.last) grid_barrier(job, k + 1 - ahead.first);
    }
}
