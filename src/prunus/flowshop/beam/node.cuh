// A node of a beam, and the lanes that have it.
//
// A node is its fixed head and its fixed tail. As in the tree search, both directions share a word: the low half
// walks the machines from the first to the last, the high half the mirrored shop. Of a narrow level each node's
// jobs are shared out among several lanes, in slices of whole groups of eight.
#pragma once
#include "hardware/cuda/portable.cuh"
#include "flowshop/beam/layout.h"

#define GROUP 8 // jobs, a byte of a mask
#define GROUPS ((JOBS + GROUP - 1) / GROUP)
#define MASK_WORDS ((JOBS + 31) / 32)
#define ROW_WORDS ((MACHINES + 3) / 4 * 4)

#define WORK MACHINES
#define MASK (2 * MACHINES)
#define IDLE (MASK + MASK_WORDS) // share of idle time of the head and of the tail, summed over the machines

DEVICE u32 half_of(u32 v, u32 shift) { return (v >> shift) & 0xffffu; }

DEVICE void read_row(u32* to, const u32* from)
{
#pragma unroll
    for (int k = 0; k < ROW_WORDS; k += 4) {
        const uint4 v = *(const uint4*)(from + k);
        to[k] = v.x;
        to[k + 1] = v.y;
        to[k + 2] = v.z;
        to[k + 3] = v.w;
    }
}

// Which node and which groups of jobs a lane has: blocks of consecutive nodes, a slice a block.
struct Share {
    u64 node;
    u32 slice;
    int first_group, end_group;
};
DEVICE Share share_of(const Level& at)
{
    Share mine;
    mine.slice = (u32)(blockIdx.x % at.slices);
    mine.node = blockIdx.x / at.slices * blockDim.x + threadIdx.x;
    mine.first_group = (int)(mine.slice * GROUPS / at.slices);
    mine.end_group = (int)((mine.slice + 1) * GROUPS / at.slices);
    return mine;
}

DEVICE const u32* rows_in_shared_memory(const Level& at, u32* memory)
{
#if SHARED_ROWS
    for (u32 i = threadIdx.x; i < JOBS * ROW_WORDS; i += blockDim.x) memory[i] = at.rows[i];
    block_sync();
    return memory;
#else
    return at.rows;
#endif
}
