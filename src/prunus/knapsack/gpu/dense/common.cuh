// What the kernels of the dense recursion share: passes over rows of values, and the barrier between
// two passes.
//
// A row holds the best value of every capacity ("cell") of a range, for the items applied so far. A
// pass reads one row and writes another one with some more items applied.
#pragma once
#include "hardware/cuda/portable.cuh"

#if VALUE_BITS == 64
typedef i64 value_t; // of a row
#else
typedef int value_t;
#endif
#if WORK_BITS == 64
typedef i64 work_t; // in registers: the value, or what it exceeds a base by
#else
typedef int work_t;
#endif

// Nothing that starts from it is worth as much as an empty knapsack.
#define NOTHING ((work_t)1 << (sizeof(work_t) * 8 - 1))

struct Step {
    i64 profit;
    u32 shift; // chain: it weighs 2^shift units; tile: the lines it moves values by, 0 or 1
    u32 weight; // tile: what it weighs beyond that
};

struct Pass {
    u64 source, target; // where cell 0 of the rows is, or would be
    i64 low, high; // the cells wanted
    i64 top; // the last cell of the source; those above are worth as much
    i64 weight; // chain: of a unit, in cells; folded tile: from line to line
    u32 first, count; // steps
    u32 reach; // how far they reach together: chain: units, tile: cells in a line
    u32 lines; // folded tile: lines that they reach; 0: not folded
    u32 fold; // a line has THREADS << fold places
    u32 length, units, unused; // stretches: places of one, and how many there are
};

struct Job {
    u64 passes, steps;
    u32 first, last; // passes
    u32 arrived; // blocks, at barriers
    u32 again; // blocks that have done something a second time
};

DEVICE value_t* row(u64 address) { return (value_t*)address; }

DEVICE i64 lesser(i64 a, i64 b) { return a < b ? a : b; }
DEVICE i64 greater(i64 a, i64 b) { return a > b ? a : b; }

// All blocks are resident at once; the one that comes last opens the barrier.
DEVICE void grid_barrier(Job* job, u32 round)
{
    block_sync();
    if (threadIdx.x == 0) {
        release_add(&job->arrived, 1u);
        while (glance(&job->arrived) < round * gridDim.x) relax();
        acquire();
    }
    block_sync();
}
