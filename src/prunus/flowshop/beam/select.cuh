// The best children of a level, by bins instead of by sorting: see beam.cu for the order of these kernels.
//
// What is kept does not depend on the order of threads.
#pragma once
#include "flowshop/beam/guide.cuh"
#include "treesearch/beam/gpu/bins.cuh"

#define NO_CHILD 0xffffu
#define CALIBRATED 65536 // keys that set the range of the bins, about

// Calls use(key) for the keys of every step-th sampled node, shared out among the threads of a block of 1024.
template <class Use>
DEVICE void some_samples(const Level& at, u32 sampled, u32 step, Use use)
{
    for (u32 job = threadIdx.x / WARP; job < JOBS; job += 1024 / WARP)
        for (u32 i = lane() * step + job % step; i < sampled; i += WARP * step) {
            const float key = at.samples[job * at.sampled + i];
            if (key < INFINITE) use(key);
        }
}

KERNEL(1024, 1) calibrate(Level* level)
{
    const Level at = *level;
    const u32 nodes = at.control->nodes;
    const u32 sampled = nodes < at.sampled ? nodes : (u32)at.sampled;
    DYNAMIC_SHARED(memory);
    u64* sums = (u64*)memory;                    // a warp
    u32* bins = (u32*)(sums + 1024 / WARP);      // BINS
    u32* range = bins + BINS;                    // least and largest key, children
    if (threadIdx.x == 0) { range[0] = 0xffffffffu; range[1] = 0; range[2] = 0; }
    clear_bins(bins);
    const u32 step = JOBS * sampled / CALIBRATED + 1;
    u32 low = 0xffffffffu, high = 0, count = 0;
    some_samples(at, sampled, step, [&](float key) {
        const u32 bits = bits_of_float(key); // keys are not negative: their bits are in order
        low = bits < low ? bits : low;
        high = bits > high ? bits : high;
        count++;
    });
    if (count) {
        atomicMin(&range[0], low);
        atomicMax(&range[1], high);
        atomicAdd(&range[2], count);
    }
    block_sync();
    const u32 found = range[2];
    const float least = float_of_bits(range[0]), most = float_of_bits(range[1]);
    const float scale = found && most > least ? (float)BINS / (most - least) : 0.0f;
    some_samples(at, sampled, step, [&](float key) {
        const int bin = (int)((key - least) * scale);
        atomicAdd(&bins[bin < BINS ? bin : BINS - 1], 1u);
    });
    block_sync();
    // The bins cover half as many keys again as are to be kept.
    const float looked = nodes ? (float)sampled / (float)step / (float)nodes : 0.0f;
    const float wanted = 1.5f * (float)at.capacity * looked + 64.0f;
    const int each = BINS / 1024, first = threadIdx.x * each;
    u32 own = 0;
    for (int i = 0; i < each; i++) own += bins[first + i];
    float sum = (float)(block_scan(own, sums) - own);
    if (wanted >= (float)found) {
        if (threadIdx.x) return;
        at.control->low = found ? least : 0.0f;
        at.control->scale = scale > 0.0f ? (float)(BINS - 1) / (most - least) : 0.0f;
    } else if (sum < wanted && sum + (float)own >= wanted) {
        int bin = first;
        while (sum < wanted) sum += (float)bins[bin++];
        const float top = least + (float)bin / scale;
        at.control->low = least;
        at.control->scale = scale > 0.0f && top > least ? (float)(BINS - 1) / (top - least) : 0.0f;
    }
}

DEVICE u32 bin_of(float key, float low, float scale)
{
    if (key >= INFINITE) return NO_CHILD;
    const float place = (key - low) * scale;
    return place > 0.0f ? place < (float)(BINS - 1) ? (u32)place : BINS - 1 : 0;
}

KERNEL(128, 4) bin(Level* level)
{
    const Level at = *level;
    const u32 nodes = at.control->nodes;
    const float low = at.control->low, scale = at.control->scale;
    const Share mine = share_of(at);
    if (blockIdx.x / at.slices * blockDim.x >= nodes) return;
    if (mine.node >= nodes) return;
    const int end = mine.end_group * GROUP < JOBS ? mine.end_group * GROUP : JOBS;
    u32 beyond = 0;
    for (int job = mine.first_group * GROUP; job < end; job++) {
        const u32 bin = bin_of(at.samples[job * at.sampled + mine.node], low, scale);
        if (bin < BINS - 1) atomicAdd(&at.histogram[bin], 1u);
        beyond += bin == BINS - 1;
        at.keys[job * at.capacity + mine.node] = (u16)bin;
    }
    if (beyond) atomicAdd(&at.histogram[BINS - 1], beyond);
}

KERNEL(1024, 1) threshold(Level* level)
{
    const Level at = *level;
    Control& control = *at.control;
    DYNAMIC_SHARED(memory);
    const u64 all = last_bin(at.histogram, at.capacity, (u64*)memory, [&](u32 bin, u64 before) {
        control.last_bin = bin;
        control.quota = (u32)(at.capacity - before);
    });
    if (threadIdx.x < 1023) return;
    if (all <= at.capacity) {
        control.last_bin = BINS;
        control.quota = 0;
    }
    Control& next = at.control[1];
    next.nodes = (u32)(all < at.capacity ? all : at.capacity);
    next.dropped = control.dropped || all > at.capacity;
    next.evaluated = control.evaluated + (u64)control.nodes * (JOBS - at.level);
}

// A node's children, or one of its slices, in the order in which the next level has them.
struct Part {
    u32 node;
    int first, end;
};
DEVICE Part part_of(const Level& at, u32 index)
{
    const u32 slices = (u32)at.slices, slice = index % slices;
    const int end = (int)((slice + 1) * GROUPS / slices) * GROUP;
    return {index / slices, (int)(slice * GROUPS / slices) * GROUP, end < JOBS ? end : JOBS};
}

KERNEL(128, 4) count(Level* level)
{
    const Level at = *level;
    const u32 nodes = at.control->nodes, last = at.control->last_bin;
    DYNAMIC_SHARED(memory);
    const u32 index = blockIdx.x * blockDim.x + threadIdx.x;
    const Part mine = part_of(at, index);
    u32 kept = 0, ties = 0;
    if (mine.node < nodes) {
        for (int job = mine.first; job < mine.end; job++) {
            const u32 bin = at.keys[job * at.capacity + mine.node];
            kept += bin < last;
            ties += bin == last;
        }
        at.counts[index] = kept | ties << 16;
    }
    const u64 all = block_scan(kept | (u64)ties << 32, (u64*)memory);
    if (threadIdx.x == blockDim.x - 1) at.sums[blockIdx.x] = all;
}

// Replaces what each block of count has by what those before it have.
KERNEL(1024, 1) place(Level* level)
{
    const Level at = *level;
    DYNAMIC_SHARED(memory);
    add_tiles_before(at.sums, (at.most * at.slices + 127) / 128, (u64*)memory);
}

KERNEL(128, 4) emit(Level* level)
{
    const Level at = *level;
    const u32 nodes = at.control->nodes, last = at.control->last_bin, quota = at.control->quota;
    DYNAMIC_SHARED(memory);
    const u32 index = blockIdx.x * blockDim.x + threadIdx.x;
    const Part mine = part_of(at, index);
    const u32 counts = mine.node < nodes ? at.counts[index] : 0, kept = counts & 0xffffu, ties = counts >> 16;
    const u64 own = kept | (u64)ties << 32;
    const u64 before = at.sums[blockIdx.x] + block_scan(own, (u64*)memory) - own;
    u32 tie = (u32)(before >> 32);
    if (!kept && (!ties || tie >= quota)) return;
    u32 place = (u32)before + (tie < quota ? tie : quota);
    const u32 direction = direction_of(at.survivors[mine.node]);
    for (int job = mine.first; job < mine.end; job++) {
        const u32 bin = at.keys[job * at.capacity + mine.node];
        if (bin < last || (bin == last && tie++ < quota)) {
            at.parents[place] = mine.node;
            at.jobs[place++] = (u16)(job << 1 | direction);
        }
    }
}
