// Items of different weights, applied to a tile of cells in shared memory.
//
// A block loads a tile and the cells below it that its items reach, and keeps each cell in a register.
// For every two items it publishes the registers in shared memory and reads the cells that lie their
// weights below. Cells become invalid from the bottom up, by the weight of each item, and are not stored.
//
// Constants: VALUE_BITS, ROWS (cells per thread), THREADS.
#include "knapsack/gpu/dense/common.cuh"

#define CELLS (THREADS * ROWS)
// Padding before a tile, so that lanes of an active row never read outside it.
#define PAD THREADS

// Apply one item, or two: neither, either, or both is taken. Rows below `first` are invalid afterwards.
template <int ITEMS>
DEVICE void apply(value_t* tile, value_t* v, int published, int first, int wa, int wb, value_t pa, value_t pb)
{
    value_t* here = tile + threadIdx.x;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        if (i >= published) here[i * THREADS] = v[i];
    block_sync();
    const value_t *at_a = here - wa, *at_b = here - wb, *at_both = at_a - wb;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        if (i >= first) {
            v[i] = add_max(at_a[i * THREADS], pa, v[i]);
            if (ITEMS == 2) {
                v[i] = add_max(at_b[i * THREADS], pb, v[i]);
                v[i] = add_max(at_both[i * THREADS], pa + pb, v[i]);
            }
        }
    block_sync();
}

DEVICE void apply_all(const Step* step, u32 count, value_t* tile, value_t* v)
{
    const Step* end = step + count;
    int bad = 0;
    if (count & 1) {
        bad = (int)step->weight;
        apply<1>(tile, v, 0, bad / THREADS, bad, 0, (value_t)step->profit, 0);
        step++;
    }
    for (; step < end; step += 2) {
        const Step a = step[0], b = step[1];
        const int published = bad / THREADS;
        bad += (int)(a.weight + b.weight);
        apply<2>(tile, v, published, bad / THREADS, (int)a.weight, (int)b.weight, (value_t)a.profit, (value_t)b.profit);
    }
}

// Compute the cells of a tile, whose first place is the cell `lowest`.
DEVICE void work(const Pass& pass, const Step* steps, i64 lowest, value_t* memory)
{
    const value_t* source = row(pass.source);
    value_t* const target = row(pass.target) + lowest;
    const i64 top = lesser(pass.top, pass.high), room = pass.high - lowest;
    value_t v[ROWS];
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const i64 c = lowest + threadIdx.x + i * THREADS;
        v[i] = c < 0 ? NOTHING : source[lesser(c, top)];
    }
    apply_all(steps, pass.count, memory + PAD, v);
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int at = threadIdx.x + i * THREADS;
        if (at >= (int)pass.reach && at <= room) target[at] = v[i];
    }
}

KERNEL(THREADS, 1) dense_tile(Job* job)
{
    DYNAMIC_SHARED(memory);
    const Pass* passes = (const Pass*)job->passes;
    const u32 first = job->first, last = job->last;
    for (u32 k = first; k < last; k++) {
        const Pass pass = passes[k];
        const i64 width = CELLS - (i64)pass.reach;
        for (i64 cell = pass.low + blockIdx.x * width; cell <= pass.high; cell += gridDim.x * width)
            work(pass, (const Step*)job->steps + pass.first, cell - pass.reach, (value_t*)memory);
        if (k + 1 < last) grid_barrier(job, k + 1 - first);
    }
}
