// Trace back which items lead to the best value of a cell, pass by pass from the last: chains.
//
// The items of such a pass have equal weights and are sorted by falling profit, so that the best choice
// of n of them is the first n. Starting from a cell, one thread for each n checks whether the value n
// places below on the chain plus the profit of the first n items equals the value after the pass. A
// single block, since each pass depends on the one after it. The next pass and its profits are prepared
// while the values of this one are being loaded.
//
// Constants: VALUE_BITS, THREADS (more than a pass reaches).
#include "knapsack/gpu/dense/common.cuh"

#define WARPS (THREADS / WARP)

// The total profit of the items before one.
DEVICE value_t before_this(value_t profit, value_t* sums)
{
    value_t sum = profit;
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) {
        const value_t other = warp_shuffle_up(sum, d);
        if (lane() >= d) sum += other;
    }
    if (lane() == WARP - 1) sums[threadIdx.x / WARP] = sum;
    block_sync();
    for (int warp = 0; warp < (int)threadIdx.x / WARP; warp++) sum += sums[warp];
    return sum - profit;
}

// The profit of an item: of a step, or of one of many copies of the only step.
DEVICE value_t profit_of(const Pass& pass, const Step* steps)
{
    const u32 item = threadIdx.x;
    return item < pass.reach ? (value_t)steps[pass.first + (item < pass.count ? item : 0)].profit : 0;
}

KERNEL(THREADS, 1) dense_trace_chain(Trace* trace)
{
    DYNAMIC_SHARED(memory);
    value_t* sums = (value_t*)memory; // of warps; two rows, alternating
    u32* found = (u32*)(sums + 2 * WARPS); // two, alternating
    const Pass* passes = (const Pass*)trace->passes;
    const Step* steps = (const Step*)trace->steps;
    const u32 first = trace->first, last = trace->last, number = threadIdx.x;
    i64 cell = trace->cell;
    if (number < 2) found[number] = THREADS;
    Pass pass = passes[last - 1], next = passes[last - 1 > first ? last - 2 : first];
    value_t profit = profit_of(pass, steps);
    for (u32 k = last; k-- > first;) {
        cell = lesser(cell, pass.high);
        const i64 c = cell - number * pass.weight;
        const bool there = number <= pass.reach && c >= 0;
        const value_t before = there ? row(pass.source)[lesser(c, pass.top)] : 0;
        const value_t after = row(pass.target)[cell];
        const Pass following = passes[k > first + 1 ? k - 2 : first];
        const value_t next_profit = profit_of(next, steps);
        const value_t gain = before_this(profit, sums + (k & 1) * WARPS);
        if (there && before + gain == after) atomicMin(found + (k & 1), number);
        block_sync();
        const u32 used = found[k & 1];
        if (number == 0) {
            found[k + 1 & 1] = THREADS;
            ((u32*)trace->used)[k] = used;
        }
        cell -= used * pass.weight;
        pass = next;
        next = following;
        profit = next_profit;
    }
    if (number == 0) trace->cell = cell;
}
