// The least of many keys, in three passes over them: each finds 12 more bits of the rank up to which
// keys are kept. What is kept, and in which order, does not depend on the order of threads.
//
// The rank of a key is its distance from the least one, on a scale that has 64 steps for every power of
// two, then 12 bits of what is left of that (all of it up to a distance of 2^19, so that only equal
// keys have the same), then 12 random bits.
#pragma once
#include "treesearch/beam/gpu/bins.cuh"

#define TILE 1024 // keys that a block of 128 threads counts
#define NO_KEY ((NUM)LARGEST)
#define NO_RANK 0xffffffffu

// In the order of signed numbers.
DEVICE u64 ordered(i64 v) { return (u64)v ^ 1ull << 63; }

DEVICE u32 first_bits(u64 distance, u32& more)
{
    int shift = 0; // that brings the highest bit to bit 6, or below
    for (int step = 32; step; step >>= 1)
        if (distance >> (shift + step) >= 64) shift += step;
    const u64 rest = distance & ((1ull << shift) - 1);
    more = (u32)(shift > 12 ? rest >> (shift - 12) : rest);
    return (u32)(distance >> shift) + 64 * (u32)shift;
}

// The last bits of the rank.
DEVICE u32 last_bits(const Selection& at, u64 i)
{
    return (u32)(mixed((at.prints ? at.prints[i] : i) + at.seed) >> 52);
}

// The first pass, which leaves the ranks but for their random bits.
KERNEL(256, 4) rank(const Selection* selection)
{
    const Selection at = *selection;
    DYNAMIC_SHARED(memory);
    u32* own = (u32*)memory;
    clear_bins(own);
    const u64 number = *at.number * at.each, least = *at.least;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < number; i += (u64)gridDim.x * blockDim.x) {
        const NUM key = at.keys[i];
        u32 rank = NO_RANK;
        if (key != NO_KEY) {
            u32 more;
            const u32 first = first_bits(ordered((i64)key) - least, more);
            rank = first << 12 | more;
            atomicAdd(&own[first], 1u);
        }
        at.ranks[i] = rank;
    }
    add_bins(own, at.histogram);
}

KERNEL(256, 4) bins(const Selection* selection)
{
    const Selection at = *selection;
    const Choice choice = *at.choice;
    if (choice.everything) return;
    DYNAMIC_SHARED(memory);
    u32* own = (u32*)memory;
    clear_bins(own);
    const u64 number = *at.number * at.each;
    const bool last = choice.passes == 2;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < number; i += (u64)gridDim.x * blockDim.x) {
        const u32 rank = at.ranks[i];
        if (rank >> (last ? 0 : 12) == (u32)choice.threshold)
            atomicAdd(&own[last ? last_bits(at, i) : rank & (BINS - 1)], 1u);
    }
    add_bins(own, at.histogram);
}

// Finds the bin in which the last key is that is kept.
KERNEL(1024, 1) pick(const Selection* selection)
{
    const Selection at = *selection;
    const Choice choice = *at.choice;
    if (choice.everything) return;
    DYNAMIC_SHARED(memory);
    Choice& next = *at.choice;
    const u64 room = at.target - choice.below;
    const u64 all = last_bin(at.histogram, room, (u64*)memory, [&](u32 bin, u64 before) {
        next.below = choice.below + before;
        next.threshold = choice.threshold << 12 | bin;
        next.quota = (u32)(room - before);
        next.kept = (u32)at.target;
    });
    const u32 each = BINS / 1024;
    for (u32 i = 0; i < each; i++) at.histogram[threadIdx.x * each + i] = 0;
    if (threadIdx.x < 1023) return;
    next.passes = choice.passes + 1;
    if (choice.passes) return;
    next.total = all;
    if (all <= at.target) {
        next.everything = 1;
        next.kept = (u32)all;
    }
}

// 1 for a key that is kept, 1 << 32 for one of which only some are.
DEVICE u64 standing(const Selection& at, const Choice& choice, u64 i)
{
    const u32 rank = at.ranks[i], last = (u32)(choice.threshold >> 12);
    if (rank == NO_RANK) return 0;
    if (choice.everything || rank < last) return 1;
    if (rank > last) return 0;
    const u32 more = last_bits(at, i), most = (u32)choice.threshold & (BINS - 1);
    return more < most ? 1 : more == most ? 1ull << 32 : 0;
}

KERNEL(128, 8) count(const Selection* selection)
{
    const Selection at = *selection;
    const Choice choice = *at.choice;
    const u64 number = *at.number * at.each, first = blockIdx.x * (u64)TILE;
    if (first >= number) return;
    DYNAMIC_SHARED(memory);
    u64 own = 0;
    for (u64 i = first + threadIdx.x; i < first + TILE && i < number; i += blockDim.x)
        own += standing(at, choice, i);
    const u64 all = block_scan(own, (u64*)memory);
    if (threadIdx.x == blockDim.x - 1) at.sums[blockIdx.x] = all;
}

// Replaces what each tile has by what those before it have.
KERNEL(1024, 1) place(const Selection* selection)
{
    const Selection at = *selection;
    DYNAMIC_SHARED(memory);
    add_tiles_before(at.sums, (*at.number * at.each + TILE - 1) / TILE, (u64*)memory);
}

// Calls use(place, i) for each key i of a block's tile that is kept; places are in the keys' order.
template <class Use>
DEVICE void each_kept(const Selection& at, u64* memory, Use use)
{
    const Choice choice = *at.choice;
    const u64 number = *at.number * at.each, first = blockIdx.x * (u64)TILE;
    if (first >= number) return;
    u64 before = at.sums[blockIdx.x];
    for (u64 start = first; start < first + TILE && start < number; start += blockDim.x) {
        const u64 i = start + threadIdx.x;
        const u64 own = i < number ? standing(at, choice, i) : 0;
        const u64 until = before + block_scan(own, memory);
        const u32 ties = (u32)((until - own) >> 32), quota = choice.quota;
        if (own == 1 || (own && ties < quota)) use((u32)(until - own) + (ties < quota ? ties : quota), i);
        // What the block has is the last thread's.
        if (threadIdx.x == blockDim.x - 1) memory[1024 / WARP] = until;
        block_sync();
        before = memory[1024 / WARP];
        block_sync();
    }
}
