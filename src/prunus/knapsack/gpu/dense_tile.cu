// Items of different weights, applied to a tile of cells in shared memory.
//
// A block loads a tile and what its items reach below it, keeps each cell in a register, and for
// every two items publishes the registers in shared memory and reads what lies their weights below.
// The cells below the tile go bad from the bottom up, a weight an item, and are not stored.
//
// Constants: VALUE_BITS, WORK_BITS, ROWS (cells a thread), THREADS, RESIDENT (blocks a
// multiprocessor).
#include "knapsack/gpu/dense.cuh"

#define CELLS (THREADS * ROWS)

DEVICE void publish(work_t* shared, const work_t* v)
{
#pragma unroll
    for (int i = 0; i < ROWS; i++) shared[threadIdx.x + i * THREADS] = v[i];
    block_sync();
}

// The value `weight` cells below, or a bad one.
DEVICE work_t below(const work_t* shared, int cell, int weight)
{
    const int at = cell - weight;
    return shared[at > 0 ? at : 0];
}

DEVICE void apply_one(work_t* shared, work_t* v, const Step& step)
{
    const work_t profit = (work_t)step.profit;
    publish(shared, v);
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        v[i] = add_max(below(shared, threadIdx.x + i * THREADS, (int)step.weight), profit, v[i]);
    block_sync();
}

// Two items: none, either, or both.
DEVICE void apply_two(work_t* shared, work_t* v, const Step& a, const Step& b)
{
    const work_t pa = (work_t)a.profit, pb = (work_t)b.profit, both = pa + pb;
    const int wa = (int)a.weight, wb = (int)b.weight;
    publish(shared, v);
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int cell = threadIdx.x + i * THREADS;
        v[i] = add_max(below(shared, cell, wa), pa, v[i]);
        v[i] = add_max(below(shared, cell, wb), pb, v[i]);
        v[i] = add_max(below(shared, cell, wa + wb), both, v[i]);
    }
    block_sync();
}

DEVICE void tile(const Pass& pass, const Step* step, i64 base_cell, work_t* shared)
{
    const value_t* source = row(pass.source);
    const i64 lowest = lesser(greater(base_cell, 0), pass.top);
    const value_t base = VALUE_BITS > WORK_BITS ? source[lowest] : 0;
    work_t v[ROWS];
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const i64 c = base_cell + threadIdx.x + i * THREADS;
        v[i] = c < 0 ? NOTHING : (work_t)(source[lesser(c, lesser(pass.top, pass.high))] - base);
    }
    const Step* end = step + pass.count;
    if (pass.count & 1) apply_one(shared, v, *step++);
    for (; step < end; step += 2) apply_two(shared, v, step[0], step[1]);
    value_t* target = row(pass.target);
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        const int cell = threadIdx.x + i * THREADS;
        const i64 c = base_cell + cell;
        if (cell >= (int)pass.reach && c <= pass.high) target[c] = base + (value_t)v[i];
    }
}

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
