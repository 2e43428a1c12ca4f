// Items of different weights, tile by tile in shared memory.
//
// Constants: those of dense_tile.cuh, and RESIDENT (blocks a multiprocessor).
#include "knapsack/gpu/dense_tile.cuh"

KERNEL(THREADS, RESIDENT) dense_tile(Job* job)
{
    DYNAMIC_SHARED(memory);
    const Pass* passes = (const Pass*)job->passes;
    const Step* steps = (const Step*)job->steps;
    const u32 first = job->first, last = job->last;
    for (u32 k = first; k < last; k++) {
        const Pass pass = passes[k];
        const i64 width = CELLS - (i64)pass.reach;
        const i64 tiles = (pass.high - pass.low) / width + 1;
        for (i64 t = blockIdx.x; t < tiles; t += gridDim.x)
            tile(pass, steps + pass.first, pass.low + t * width - pass.reach, (work_t*)memory);
        if (k + 1 < last) grid_barrier(job, k + 1 - first);
    }
}
