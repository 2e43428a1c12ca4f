// Single items of one weight w, applied in registers to a stream of values.
//
// Cells a weight apart form a chain, and an item of weight w moves values one place up the chain. Threads
// walk up segments of chains (chain_walk.cuh), some places at a time. Neighbouring threads hold
// neighbouring cells.
//
// Constants: VALUE_BITS, WORK_BITS, ITEMS (of a pass, at most), PLACES, THREADS, RESIDENT (blocks per
// multiprocessor), STAGES, GROUP, EDGE (chain_walk.cuh).
#define STEPS ITEMS
#include "knapsack/gpu/dense/chain_walk.cuh"

KERNEL(THREADS, RESIDENT) dense_chain(Job* job)
{
    DYNAMIC_SHARED(memory);
    PassPipeline pipeline(job, memory);
    work_t* const relays = pipeline.profits + 2 * STEPS;
    for (u32 k = pipeline.first; k < pipeline.last; k++) {
        pipeline.begin(k);
        const Pass& pass = pipeline.at(k);
        for (u32 first = blockIdx.x * COLUMNS; first < pass.units; first += gridDim.x * COLUMNS) {
            const u32 unit = first + threadIdx.x % COLUMNS;
            const Segment segment(pass, unit, pass.count);
            const bool there = unit < pass.units && segment.cell <= pass.high;
            walk(pass, segment, (int)pass.length, there, pipeline.profits_of(k), relays);
        }
        pipeline.end(k);
        if (k + 1 < pipeline.last) grid_barrier(job, k + 1 - pipeline.first);
    }
}
