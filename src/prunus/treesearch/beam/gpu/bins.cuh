// Which of many keys are kept, by a histogram: all of the bins before one, and some of that one.
#pragma once
#include "treesearch/beam/gpu/block_scan.cuh"

#define BINS 4096

// A block's own bins, in shared memory.
DEVICE void clear_bins(u32* own)
{
    for (u32 i = threadIdx.x; i < BINS; i += blockDim.x) own[i] = 0;
    block_sync();
}

DEVICE void add_bins(const u32* own, u32* histogram)
{
    block_sync();
    for (u32 i = threadIdx.x; i < BINS; i += blockDim.x)
        if (own[i]) atomicAdd(&histogram[i], own[i]);
}

// For a block of 1024 threads, of which the thread calls found(bin, before) that has the bin with the first key
// for which there is no room, with the number of keys in the bins before. Returns the keys up to a thread's last bin.
template <class Found>
DEVICE u64 last_bin(const u32* histogram, u64 room, u64* memory, Found found)
{
    const u32 each = BINS / 1024, first = threadIdx.x * each;
    u64 own = 0;
    for (u32 i = 0; i < each; i++) own += histogram[first + i];
    const u64 until = block_scan(own, memory);
    u64 before = until - own;
    if (before <= room && until > room) {
        u32 bin = first;
        while (before + histogram[bin] <= room) before += histogram[bin++];
        found(bin, before);
    }
    return until;
}

// For a block of 1024 threads: replaces what each tile has by what those before it have.
DEVICE void add_tiles_before(u64* sums, u64 tiles, u64* memory)
{
    const u64 each = (tiles + 1023) / 1024;
    const u64 first = threadIdx.x * each, end = first + each < tiles ? first + each : tiles;
    u64 own = 0;
    for (u64 i = first; i < end; i++) own += sums[i];
    u64 before = block_scan(own, memory) - own;
    for (u64 i = first; i < end; i++) {
        const u64 next = before + sums[i];
        sums[i] = before;
        before = next;
    }
}
