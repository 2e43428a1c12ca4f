// Shared by the kernels of the dense recursion: passes over rows of values, and the barrier between
// passes.
//
// A row holds the best value of every capacity ("cell") in a range for the items applied so far. A pass
// reads one row and writes another with some more items applied.
#pragma once
#include "hardware/cuda/portable.cuh"

#if VALUE_BITS == 64
typedef i64 value_t;
#else
typedef int value_t;
#endif

// Unreachable: no value derived from it reaches that of an empty knapsack.
#define NOTHING ((value_t)1 << (VALUE_BITS - 1))

#include "knapsack/gpu/dense/structures.h"

DEVICE value_t* row(u64 address) { return (value_t*)address; }

DEVICE i64 lesser(i64 a, i64 b) { return a < b ? a : b; }

// All blocks are resident; the last one to arrive opens the barrier.
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
