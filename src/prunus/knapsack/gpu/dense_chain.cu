// Items of one weight w, or of multiples of it, applied in registers.
//
// Cells a weight apart form a chain, and an item of weight w moves values one place up the chain.
// A thread holds PLACES successive places of a chain and the HALO places below them, applies all
// steps of the pass to them and stores the upper ones: a cell is read and written once a pass,
// however many items it has, and nothing is exchanged. Neighbouring threads hold neighbouring cells.
//
// Constants: VALUE_BITS, WORK_BITS, PLACES, HALO, THREADS, RESIDENT (blocks a multiprocessor), TIED
// (1: steps may weigh several units).
#include "knapsack/gpu/dense.cuh"

#define SPAN (HALO + PLACES)

// One step: places from LEAST on. From the top down, so that each reads what was there before.
template <int SHIFT, int LEAST>
DEVICE void apply(work_t* v, work_t profit)
{
    constexpr int least = LEAST > SHIFT ? LEAST : SHIFT;
#pragma unroll
    for (int i = SPAN - 1; i >= least; i--) v[i] = add_max(v[i - SHIFT], profit, v[i]);
}

template <int LEAST>
DEVICE void apply_step(work_t* v, const Step& step)
{
    const work_t profit = (work_t)step.profit;
#if TIED
    switch (step.shift) {
    case 0: apply<1, LEAST>(v, profit); break;
    case 1: apply<2, LEAST>(v, profit); break;
    case 2: apply<4, LEAST>(v, profit); break;
    case 3: apply<8, LEAST>(v, profit); break;
    case 4: apply<16, LEAST>(v, profit); break;
    case 5: apply<32, LEAST>(v, profit); break;
    case 6: apply<64, LEAST>(v, profit); break;
    }
#else
    apply<1, LEAST>(v, profit);
#endif
}

// Steps as long as at least `rest` units are still to come after them: then no place below LEAST
// matters any more once that many are left.
template <int LEAST>
DEVICE void apply_while(work_t* v, const Step*& step, const Step* end, int& left)
{
    while (step < end) {
        const Step now = *step;
        const int after = left - (1 << now.shift);
        if (LEAST < HALO - HALO / 4 && after <= HALO - LEAST - (HALO + 3) / 4) return;
        apply_step<LEAST>(v, now);
        left = after;
        step++;
    }
}

DEVICE void apply_all(work_t* v, const Step* step, const Step* end, int reach)
{
    apply_while<0>(v, step, end, reach);
    apply_while<HALO / 4>(v, step, end, reach);
    apply_while<HALO / 2>(v, step, end, reach);
    apply_while<HALO - HALO / 4>(v, step, end, reach);
}

DEVICE void chain_unit(const Pass& pass, const Step* steps, i64 cell)
{
    const value_t* source = row(pass.source);
    const i64 w = pass.weight;
    const int reach = (int)pass.reach;
    const i64 lowest = cell - reach * w;
    work_t v[SPAN];
    // Values ascend with capacity, so the lowest one is the least.
    const value_t base = VALUE_BITS > WORK_BITS ? source[lesser(greater(lowest, 0), pass.top)] : 0;
    if (lowest >= 0 && cell + (PLACES - 1) * w <= pass.top) {
        const value_t* at = source + (cell - HALO * w);
#pragma unroll
        for (int i = 0; i < SPAN; i++)
            v[i] = i < HALO && i < HALO - reach ? NOTHING : (work_t)(at[i * w] - base);
    } else {
#pragma unroll
        for (int i = 0; i < SPAN; i++) {
            const i64 c = cell + (i - HALO) * w;
            v[i] = (i < HALO && i < HALO - reach) || c < 0
                ? NOTHING
                : (work_t)(source[lesser(c, pass.top)] - base);
        }
    }
    apply_all(v, steps + pass.first, steps + pass.first + pass.count, reach);
    value_t* target = row(pass.target) + cell;
    const i64 room = pass.high - cell;
#pragma unroll
    for (int i = 0; i < PLACES; i++)
        if (i * w <= room) target[i * w] = base + (value_t)v[HALO + i];
}

// The cells of a pass are divided into bands: PLACES cells of each of the w chains. Blocks run through
// the units of one pass after another without a barrier: before a chunk of units a block waits
// until what they read has been written by the pass before, and until what they overwrite has been
// read by it; both lie in a few bands. All blocks are resident, and what they wait for never waits
// for a later pass.
struct Bands {
    i64 low, high, weight, reach;
    u32* done;
    u32 units, group;

    DEVICE void set(const Pass& pass)
    {
        low = pass.low;
        high = pass.high;
        weight = pass.weight;
        reach = pass.reach * pass.weight;
        done = (u32*)pass.done;
        units = (u32)(((high - low) / (PLACES * weight) + 1) * weight);
        group = pass.group;
    }
    DEVICE u32 counter(i64 cell) const { return (u32)((cell - low) / (PLACES * weight)) / group; }
    // Units up to the end of a counter's bands.
    DEVICE u32 end(u32 index) const
    {
        const u64 all = (u64)(index + 1) * group * (u32)weight;
        return all < units ? (u32)all : units;
    }
    DEVICE u32 begin(u32 index) const { return index * group * (u32)weight; }
};

DEVICE void await(const Bands& before, const Bands& now, u32 first, u32 last)
{
    const i64 band = PLACES * now.weight;
    const i64 begin = now.low + first / (u32)now.weight * band;
    const i64 end = lesser(now.low + (last / (u32)now.weight + 1) * band - 1, now.high);
    const u32 from = before.counter(lesser(greater(begin - now.reach, before.low), before.high));
    const u32 to = before.counter(greater(lesser(end + before.reach, before.high), before.low));
    for (u32 index = from + threadIdx.x; index <= to; index += THREADS) {
        const u32 all = before.end(index) - before.begin(index);
        while (glance(before.done + index) < all) relax();
        acquire();
    }
    block_sync();
}

DEVICE void arrive(const Bands& now, u32 first, u32 last)
{
    block_sync();
    const u32 share = now.group * (u32)now.weight;
    for (u32 index = first / share + threadIdx.x; index <= last / share; index += THREADS) {
        const u32 from = now.begin(index), to = now.end(index);
        release_add(now.done + index, (last + 1 < to ? last + 1 : to) - (first > from ? first : from));
    }
}

KERNEL(THREADS, RESIDENT) dense_chain(Job* job)
{
    DYNAMIC_SHARED(memory);
    Bands* bands = (Bands*)memory;
    const Pass* passes = (const Pass*)job->passes;
    const Step* steps = (const Step*)job->steps;
    const u32 first = job->first, last = job->last;
    u32 turn = blockIdx.x; // blocks take chunks in turn, from pass to pass
    for (u32 k = first; k < last; k++) {
        const Pass pass = passes[k];
        Bands &now = bands[k & 1], &before = bands[~k & 1];
        block_sync();
        if (threadIdx.x == 0) now.set(pass);
        block_sync();
        const u32 w = (u32)pass.weight, units = now.units, chunks = (units - 1) / THREADS + 1;
        for (; turn < chunks; turn += gridDim.x) {
            const u32 from = turn * THREADS, to = (units - from > THREADS ? from + THREADS : units) - 1;
            if (FLOW && k > first) await(before, now, from, to);
            const u32 unit = from + threadIdx.x;
            const i64 cell = pass.low + (i64)(unit / w) * (PLACES * (i64)w) + unit % w;
            if (unit <= to && cell <= pass.high) chain_unit(pass, steps, cell);
            if (FLOW && k + 1 < last) arrive(now, from, to);
        }
        turn = FLOW ? turn - chunks : blockIdx.x;
        if (!FLOW && k + 1 < last) grid_barrier(job, k + 1 - first);
    }
}
