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

#include "knapsack/gpu/dense/structures.h"

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
