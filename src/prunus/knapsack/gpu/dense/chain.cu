// Single items of one weight w, applied in registers to a stream of values.
//
// Cells a weight apart form a chain, and an item of weight w moves values one place up the chain. A
// thread walks up a segment of a chain, some places at a time, while the next ones are being loaded. For
// each item it keeps the value of the place before as it was before that item: so each place needs one
// operation per item, and nothing but the places below the segment is computed twice. Neighbouring
// threads hold neighbouring cells.
//
// Constants: VALUE_BITS, ITEMS (of a pass, at most, a multiple of GROUP), PLACES, THREADS.
#define STEPS ITEMS
#include "knapsack/gpu/dense/chain_segment.cuh"

#define GROUP 4 // items whose profits are loaded together

// Apply one item to successive places, from the top down so that each reads the value before the item.
DEVICE void apply(value_t* v, value_t& before, value_t profit)
{
    const value_t last = v[PLACES - 1];
#pragma unroll
    for (int i = PLACES - 1; i > 0; i--) v[i] = add_max(v[i - 1], profit, v[i]);
    v[0] = add_max(before, profit, v[0]);
    before = last;
}

// Apply the first items, `most` of them or up to GROUP - 1 more, which are without profit or do no harm.
DEVICE void apply_some(value_t* v, value_t* before, const value_t* profits, int most)
{
    value_t profit[GROUP]; // of the current items; those of the next ones are being loaded
#pragma unroll
    for (int j = 0; j < GROUP; j++) profit[j] = profits[j];
#pragma unroll
    for (int g = 0; g < ITEMS; g += GROUP)
        if (g < most) {
            value_t after[GROUP];
#pragma unroll
            for (int j = 0; j < GROUP; j++) after[j] = g + GROUP < ITEMS ? profits[g + GROUP + j] : 0;
#pragma unroll
            for (int j = 0; j < GROUP; j++) apply(v, before[g + j], profit[j]);
#pragma unroll
            for (int j = 0; j < GROUP; j++) profit[j] = after[j];
        }
}

DEVICE void walk(const Pass& pass, const Segment& segment, const value_t* profits)
{
    const int count = (int)pass.count, blocks = (count + (int)pass.length) / PLACES;
    const i64 weight = pass.weight, highest = pass.high - segment.cell;
    value_t* const target = row(pass.target) + segment.cell;
    value_t before[ITEMS], next[PLACES];
#pragma unroll
    for (int j = 0; j < ITEMS; j++) before[j] = NOTHING;
    const Source source(pass, segment, blocks * PLACES);
    source.load(next, 0);
    for (int b = 0; b < blocks; b++) {
        value_t v[PLACES];
#pragma unroll
        for (int i = 0; i < PLACES; i++) v[i] = next[i];
        const int end = (b + 1) * PLACES;
        if (b + 1 < blocks) source.load(next, end);
        // No place has more items below it than places.
        apply_some(v, before, profits, end < count ? end : count);
        const int first = b * PLACES - count; // the places of the segment itself are stored
        value_t* here = target + first * weight;
        const i64 room = highest - first * weight;
        if (first >= 0 && (PLACES - 1) * weight <= room) {
#pragma unroll
            for (int i = 0; i < PLACES; i++) here[i * weight] = v[i];
        } else {
#pragma unroll
            for (int i = 0; i < PLACES; i++)
                if (first + i >= 0 && i * weight <= room) here[i * weight] = v[i];
        }
    }
}

KERNEL(THREADS, 1) dense_chain(Job* job)
{
    DYNAMIC_SHARED(memory);
    PassPipeline pipeline(job, memory);
    for (u32 k = pipeline.first; k < pipeline.last; k++) {
        pipeline.begin(k);
        const Pass& pass = pipeline.at(k);
        for (u64 unit = blockIdx.x * THREADS + threadIdx.x; unit < pass.units; unit += gridDim.x * THREADS) {
            const Segment segment(pass, unit, pass.count);
            if (segment.cell <= pass.high) walk(pass, segment, pipeline.profits_of(k));
        }
        pipeline.end(k);
        if (k + 1 < pipeline.last) grid_barrier(job, k + 1 - pipeline.first);
    }
}
