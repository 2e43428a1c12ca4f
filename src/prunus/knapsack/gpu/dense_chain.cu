// Items of one weight w, or of multiples of it, applied in registers.
//
// Cells a weight apart form a chain, and an item of weight w moves values one place up the chain.
// A thread holds PLACES successive places of a chain and the HALO places below them, applies all
// steps of the pass to them and stores the upper ones: a cell is read and written once a pass,
// however many items it has, and nothing is exchanged. Neighbouring threads hold neighbouring cells.
//
// Constants: VALUE_BITS, WORK_BITS, PLACES, HALO, THREADS, RESIDENT (blocks a multiprocessor), TIED
// (1: steps may weigh several units); and STREAMS, 2 if a launch has two jobs.
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

KERNEL(THREADS, RESIDENT) dense_chain(Argument* argument)
{
    const Share share = share_of(argument);
    const Job* job = share.job;
    const Pass* passes = (const Pass*)job->passes;
    const Step* steps = (const Step*)job->steps;
    const u32 first = job->first, last = job->last;
    for (u32 k = first; k < last; k++) {
        const Pass pass = passes[k];
        const u32 w = (u32)pass.weight;
        const i64 rows = (pass.high - pass.low) / (PLACES * pass.weight) + 1;
        const u32 units = (u32)(rows * w);
        for (u32 unit = share.block * THREADS + threadIdx.x; unit < units; unit += share.blocks * THREADS) {
            const i64 cell = pass.low + (i64)(unit / w) * (PLACES * (i64)w) + unit % w;
            if (cell <= pass.high) chain_unit(pass, steps, cell);
        }
        if (k + 1 < last) grid_barrier(share, k + 1 - first);
    }
}
