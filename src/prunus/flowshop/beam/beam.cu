// Bidirectional beam search of a flow shop: one level of the tree at a time, one lane a node.
//
// A node is its fixed head and its fixed tail. As in the tree search, both directions share a word:
// the low half walks the machines from the first to the last, the high half the mirrored shop.
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
// Of a narrow level, each node's jobs are shared out among several lanes, in slices of whole groups of
// eight. With SATURATED, bounds of 2^16 and more count as 2^16 - 1. Nothing goes to the host between
// levels. What is kept does not depend on the order of threads.
#include "hardware/cuda/portable.cuh"
#include "flowshop/beam/layout.h"
#include "treesearch/beam/gpu/block_scan.cuh"

#define GROUP 8 // jobs, a byte of a mask
#define GROUPS ((JOBS + GROUP - 1) / GROUP)
#define MASK_WORDS ((JOBS + 31) / 32)
#define ROW_WORDS ((MACHINES + 3) / 4 * 4)
#define BINS 4096
#define NO_CHILD 0xffffu
#define INFINITE 3.0e38f
#define CALIBRATED 65536 // keys that set the range of the bins, about

#define WORK MACHINES
#define MASK (2 * MACHINES)
#define IDLE (MASK + MASK_WORDS) // share of idle time of the head and of the tail, summed over the machines

DEVICE u32 half_of(u32 v, u32 shift) { return (v >> shift) & 0xffffu; }

// Whole numbers below 2^23 as floats, without the slow conversion; the second one more, never zero.
DEVICE float small_float(u32 v) { return float_of_bits(v | 0x4b000000u) - 8388608.0f; }
DEVICE float positive_float(u32 v) { return float_of_bits(v | 0x4b000000u) - 8388607.0f; }

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

// The side with fewer children; if there are as many, the one with the larger bounds. 0 is the head.
DEVICE u32 direction_of(Survivors of) { return of.count < 0 || (of.count == 0 && of.difference >= 0) ? 0 : 1; }

// Calls child(job, key) for every job of some groups, with an infinite key for what is no child.
template <class Child>
DEVICE void rate_children(
    const Level& at, const u32* rows, u64 index, bool active, int first_group, int end_group, Child child)
{
    if (!active) index = 0;
    const u32 direction = direction_of(at.survivors[index]), shift = direction * 16;
    const u32* words = at.nodes + index;
    const u8* survivors = (direction ? at.behind : at.ahead) + index;
    // Of one direction: when a machine is free | its work; work left on it plus what follows.
    u32 free_work[MACHINES], load[MACHINES];
#pragma unroll
    for (int k = 0; k < MACHINES; k++)
        free_work[k] = half_of(words[k * at.capacity], shift) | half_of(words[(WORK + k) * at.capacity], shift) << 16;
#pragma unroll
    for (int k = 0; k < MACHINES; k++) {
        const int mirrored = MACHINES - 1 - k;
        load[k] = half_of(at.totals[k], shift) - (free_work[k] >> 16) -
                  half_of(words[(WORK + mirrored) * at.capacity], 16 - shift) +
                  half_of(words[mirrored * at.capacity], 16 - shift);
    }
    const float other = float_of_bits(words[(IDLE + 1 - direction) * at.capacity]);
    const float weight = (float)at.weight;
#pragma unroll 1
    for (int g = first_group; g < end_group; g++) {
        const u32 mine = active ? survivors[g * at.capacity] : 0, everyone = warp_or(mine);
        const int jobs = g < GROUPS - 1 || JOBS % GROUP == 0 ? GROUP : JOBS % GROUP;
#pragma unroll 1
        for (int j = 0; j < jobs; j++) {
            float key = INFINITE;
            if (everyone >> j & 1) {
                u32 times[ROW_WORDS], time = 0, bound = 0;
                float idle = other;
                read_row(times, rows + (g * GROUP + j) * ROW_WORDS);
                // Four fractions have one denominator: a division is slow.
#pragma unroll
                for (int base = 0; base < MACHINES; base += 4) {
                    float above = 0.0f, below = 1.0f;
#pragma unroll
                    for (int k = base; k < base + 4 && k < MACHINES; k++) {
                        const u32 free_at = free_work[k] & 0xffffu;
                        const u32 start = time > free_at ? time : free_at;
                        const u32 end = start + load[k];
                        bound = end > bound ? end : bound;
                        time = start + half_of(times[k], shift);
                        const float waited = small_float(start - (free_work[k] >> 16)), until = positive_float(time);
                        above = above * until + waited * below;
                        below *= until;
                    }
                    idle += at.emphasis[base / 4] * divided(above, below);
                }
                if (mine >> j & 1) key = (float)bound + weight * idle * (float)bound;
            }
            child(g * GROUP + j, key);
        }
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
    for (u32 i = threadIdx.x; i < BINS; i += blockDim.x) bins[i] = 0;
    if (threadIdx.x == 0) { range[0] = 0xffffffffu; range[1] = 0; range[2] = 0; }
    block_sync();
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

DEVICE void add_bins(const u32* bins, u32* histogram)
{
    block_sync();
    for (u32 i = threadIdx.x; i < BINS; i += blockDim.x)
        if (bins[i]) atomicAdd(&histogram[i], bins[i]);
}

KERNEL(128, RATE_BLOCKS) sort(Level* level)
{
    const Level at = *level;
    const u32 nodes = at.control->nodes;
    const float low = at.control->low, scale = at.control->scale;
    DYNAMIC_SHARED(memory);
    u32* bins = (u32*)memory;
    for (u32 i = threadIdx.x; i < BINS; i += blockDim.x) bins[i] = 0;
    block_sync();
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
    const u32 each = BINS / 1024, first = threadIdx.x * each;
    u64 own = 0;
    for (u32 i = 0; i < each; i++) own += at.histogram[first + i];
    const u64 all = block_scan(own, (u64*)memory);
    u64 kept = all - own;
    if (kept <= at.capacity && all > at.capacity) {
        u32 last = first;
        while (kept + at.histogram[last] <= at.capacity) kept += at.histogram[last++];
        control.last_bin = last;
        control.quota = (u32)(at.capacity - kept);
    }
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
    const u64 blocks = (at.most * at.slices + 127) / 128, each = (blocks + 1023) / 1024;
    const u64 first = threadIdx.x * each, end = first + each < blocks ? first + each : blocks;
    u64 own = 0;
    for (u64 i = first; i < end; i++) own += at.sums[i];
    u64 before = block_scan(own, (u64*)memory) - own;
    for (u64 i = first; i < end; i++) {
        const u64 next = before + at.sums[i];
        at.sums[i] = before;
        before = next;
    }
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
