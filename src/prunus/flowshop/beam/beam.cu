// Bidirectional beam search of a flow shop: one level of the tree at a time, one lane a node.
//
//   plant      makes the root the only node of the first level
//   bound      bounds all children, and finds those below the cutoff in each direction
//   rate       gives the children of some nodes, or of all of a narrow level, a key by the guide
//   calibrate  makes of these keys the range that 4096 bins are to cover
//   sort       gives all children a bin, and counts how many fall into each
//   bin        does the same for a narrow level, whose keys are known already
//   threshold  finds the bin up to which children are kept
//   count      counts each node's children that are kept, and those of a block together
//   place      adds the blocks' counts up
//   emit       lists the children, in the order of their parents
//   apply      makes the nodes of the next level
//
// With SATURATED, bounds of 2^16 and more count as 2^16 - 1. Nothing goes to the host between levels.
#include "flowshop/beam/select.cuh"

KERNEL(128, 1) plant(Level* level)
{
    const Level at = *level;
    u32* nodes = (u32*)at.nodes;
    for (u32 w = threadIdx.x; w < IDLE + 2; w += blockDim.x) nodes[w * at.capacity] = at.root[w];
    if (threadIdx.x == 0) at.survivors[0] = {0, 0};
}

KERNEL(128, BOUND_BLOCKS) bound(Level* level)
{
    const Level at = *level;
    const u32 nodes = at.control->nodes;
    const Share mine = share_of(at);
    if (blockIdx.x / at.slices * blockDim.x >= nodes) return;
    DYNAMIC_SHARED(memory);
    const u32* rows = rows_in_shared_memory(at, (u32*)memory);
    const bool active = mine.node < nodes;
    const u32* words = at.nodes + (active ? mine.node : 0);
    // When a machine is free after the head | the same for the tail, mirrored; work left plus the tail |
    // work left plus the head, mirrored.
    u32 free_at[MACHINES], load[MACHINES];
#pragma unroll
    for (int k = 0; k < MACHINES; k++) free_at[k] = words[k * at.capacity];
#pragma unroll
    for (int k = 0; k < MACHINES; k++) {
        const int mirrored = MACHINES - 1 - k;
        load[k] = at.totals[k] - words[(WORK + k) * at.capacity] -
                  swap_halves(words[(WORK + mirrored) * at.capacity]) + swap_halves(free_at[mirrored]);
    }
    const int cutoff = (int)at.cutoff;
    int count = 0, difference = 0;
    const u32 first = free_at[0] + load[0];
#pragma unroll 1
    for (int g = mine.first_group; g < mine.end_group; g++) {
        const u32 all = g < GROUPS - 1 || JOBS % GROUP == 0 ? 0xffu : (1u << JOBS % GROUP) - 1;
        const u32 fixed = words[(MASK + g / 4) * at.capacity] >> g % 4 * GROUP;
        const u32 free = active ? ~fixed & all : 0;
        u32 forward = 0, backward = 0;
        for (u32 left = warp_or(free); left; left &= left - 1) {
            const int j = __ffs(left) - 1;
            u32 times[ROW_WORDS], start = free_at[0], bound = first;
            read_row(times, rows + (g * GROUP + j) * ROW_WORDS);
#pragma unroll
            for (int k = 1; k < MACHINES; k++) {
                start = add_max_u16x2(start, times[k - 1], free_at[k]);
#if SATURATED
                bound = add_max_u16x2(start, min_u16x2(load[k], ~start), bound);
#else
                bound = add_max_u16x2(start, load[k], bound);
#endif
            }
            const int front = (int)(bound & 0xffffu), back = (int)(bound >> 16);
            const u32 bit = free & (1u << j);
            if (bit && front < cutoff) { forward |= bit; count++; difference += front; }
            if (bit && back < cutoff) { backward |= bit; count--; difference -= back; }
        }
        if (active) {
            at.ahead[g * at.capacity + mine.node] = (u8)forward;
            at.behind[g * at.capacity + mine.node] = (u8)backward;
        }
    }
    if (!active) return;
    if (at.slices == 1) {
        at.survivors[mine.node] = {count, difference};
    } else {
        atomicAdd(&at.survivors[mine.node].count, count);
        atomicAdd(&at.survivors[mine.node].difference, difference);
    }
}

KERNEL(128, RATE_BLOCKS) rate(Level* level)
{
    const Level at = *level;
    const u32 nodes = at.control->nodes;
    const u64 sampled = nodes < at.sampled ? nodes : at.sampled;
    const Share mine = share_of(at);
    if (blockIdx.x / at.slices * blockDim.x >= sampled) return;
    DYNAMIC_SHARED(memory);
    const u32* rows = rows_in_shared_memory(at, (u32*)memory);
    const bool active = mine.node < sampled;
    const u64 index = mine.node * nodes / sampled;
    rate_children(at, rows, index, active, mine.first_group, mine.end_group, [&](int job, float key) {
        if (active) at.samples[job * at.sampled + mine.node] = key;
    });
}

KERNEL(128, RATE_BLOCKS) sort(Level* level)
{
    const Level at = *level;
    const u32 nodes = at.control->nodes;
    const float low = at.control->low, scale = at.control->scale;
    DYNAMIC_SHARED(memory);
    u32* bins = (u32*)memory;
    clear_bins(bins);
    const u32* rows = rows_in_shared_memory(at, bins + BINS);
    Share mine = share_of(at);
    const u64 stride = gridDim.x / at.slices * blockDim.x;
    u32 beyond = 0; // in the last bin, where most children are: counted without all lanes meeting there
    for (u64 first = blockIdx.x / at.slices * blockDim.x; first < nodes; first += stride, mine.node += stride) {
        const bool active = mine.node < nodes;
        rate_children(at, rows, mine.node, active, mine.first_group, mine.end_group, [&](int job, float key) {
            const u32 bin = bin_of(key, low, scale);
            if (bin < BINS - 1) atomicAdd(&bins[bin], 1u);
            beyond += bin == BINS - 1;
            if (active) at.keys[job * at.capacity + mine.node] = (u16)bin;
        });
    }
    if (beyond) atomicAdd(&bins[BINS - 1], beyond);
    add_bins(bins, at.histogram);
}

KERNEL(128, 4) apply(Level* level)
{
    const Level at = *level;
    const u64 index = blockIdx.x * (u64)blockDim.x + threadIdx.x;
    if (index >= at.control[1].nodes) return;
    const u32 parent = at.parents[index], job = at.jobs[index] >> 1, shift = at.jobs[index] & 1 ? 16 : 0;
    const u32 moving = shift ? 0xffff0000u : 0x0000ffffu;
    const u32* from = at.nodes + parent;
    u32* to = at.next + index;
    const u32* row = at.rows + job * ROW_WORDS;
    u32 time = 0;
    float idle = 0.0f;
#pragma unroll 4
    for (int k = 0; k < MACHINES; k++) {
        const u32 free_at = from[k * at.capacity], work = from[(WORK + k) * at.capacity];
        const u32 p = half_of(row[k], shift), before = half_of(free_at, shift);
        const u32 start = time > before ? time : before;
        time = start + p;
        to[k * at.capacity] = (free_at & ~moving) | time << shift;
        to[(WORK + k) * at.capacity] = work + (p << shift);
        idle += at.emphasis[k / 4] * ((float)(start - half_of(work, shift)) / (float)(time + 1));
    }
    for (int w = 0; w < MASK_WORDS; w++) {
        u32 fixed = from[(MASK + w) * at.capacity];
        if (w == job >> 5) fixed |= 1u << (job & 31);
        to[(MASK + w) * at.capacity] = fixed;
    }
    at.survivors[index] = {0, 0}; // this level's are not read any more
    const u32 ahead = from[IDLE * at.capacity], behind = from[(IDLE + 1) * at.capacity];
    to[IDLE * at.capacity] = shift ? ahead : bits_of_float(idle);
    to[(IDLE + 1) * at.capacity] = shift ? bits_of_float(idle) : behind;
}

// At the last level all jobs are fixed: the least makespan, and the first node that has it.
KERNEL(128, 4) best(Level* level)
{
    const Level at = *level;
    const u64 index = blockIdx.x * (u64)blockDim.x + threadIdx.x;
    if (index >= at.control->nodes) return;
    u32 makespan = 0;
    for (int k = 0; k < MACHINES; k++) {
        const u32 front = at.nodes[k * at.capacity + index] & 0xffffu;
        const u32 back = at.nodes[(MACHINES - 1 - k) * at.capacity + index] >> 16;
        makespan = front + back > makespan ? front + back : makespan;
    }
    atomicMin(&at.control->best, (u64)makespan << 32 | index);
}

// The jobs that lead to a node of the last level, from its parent back to the root.
KERNEL(32, 1) trace(Level* level)
{
    const Level at = *level;
    if (blockIdx.x || threadIdx.x || !at.control->nodes) return;
    u32 node = (u32)at.control->best;
    for (int back = 1; back <= (int)at.level; back++) {
        const Level& earlier = level[-back];
        at.schedule[back - 1] = earlier.jobs[node];
        node = earlier.parents[node];
    }
}
