// Items of different weights, two tiles at a time, a word of shared memory for a cell of each.
//
// Within a tile values differ little from a straight line. What they differ by usually fits in 16
// bits, so the low halves of all words work on one tile and the high halves on the next one: half
// the traffic and half the instructions, and no weight is ever out of line with a word. A block
// knows before it starts whether a half can overflow; then it works on the two tiles in turn.
//
// Constants: those of dense_tile.cuh (WORK_BITS: 32), and RESIDENT (blocks a multiprocessor).
#include "knapsack/gpu/dense_tile.cuh"

// A line through a tile's values and what fits between it and them.
struct Line {
    i64 cell; // of the tile's lowest place
    value_t base;
    int slope; // a cell
    int middle; // half 0 stands for
    bool fits;
};

DEVICE int least_of(int a, int b) { return a < b ? a : b; }
DEVICE int most_of(int a, int b) { return a > b ? a : b; }

// The least of a number over the block.
DEVICE int block_least(int v, int* scratch)
{
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) v = least_of(v, warp_shuffle(v, lane() ^ d));
    block_sync();
    if (lane() == 0) scratch[threadIdx.x / WARP] = v;
    block_sync();
    v = scratch[0];
    for (int i = 1; i < THREADS / WARP; i++) v = least_of(v, scratch[i]);
    return v;
}

// Arithmetic of a word that holds two cells.
struct Two {
    typedef u32 word;
    static DEVICE u32 add_max(u32 a, u32 b, u32 c) { return add_max_2xs16(a, b, c); }
};

APART Line line_of(const Pass& pass, const Step* steps, i64 cell, int* scratch)
{
    Line line;
    line.cell = cell;
    line.base = value_at(pass, greater(cell, 0));
    const i64 climb = value_at(pass, greater(cell + CELLS - 1, 0)) - line.base;
    line.slope = (int)((climb + CELLS / 2) / CELLS);
    int least = 1 << 30, most = -(1 << 30);
    const auto look = [&](value_t value, int at) {
        const int r = (int)(value - line.base) - line.slope * at;
        least = least_of(least, r);
        most = most_of(most, r);
    };
    if (inside(pass, cell)) {
        const value_t* source = row(pass.source) + cell;
#pragma unroll 8
        for (int at = threadIdx.x; at < CELLS; at += THREADS) look(source[at], at);
    } else {
        for (int at = threadIdx.x; at < CELLS; at += THREADS)
            if (cell + at >= 0) look(value_at(pass, cell + at), at);
    }
    least = block_least(least, scratch);
    most = -block_least(-most, scratch);
    i64 rise = 0, drop = 0;
    for (u32 s = 0; s < pass.count; s++) {
        const i64 p = steps[s].profit - line.slope * (i64)steps[s].weight;
        rise += greater(p, 0);
        drop = lesser(drop, p);
    }
    // Cells below 0 start so low that they are never better.
    const i64 bottom = least - (cell < 0 ? rise : 0) + 2 * drop;
    line.fits = climb < (1 << 29) && most + rise - bottom < 65536;
    line.middle = (int)(bottom + 32768);
    return line;
}

DEVICE u32 half_of(const Line& line, value_t value, int at)
{
    return (u32)((int)(value - line.base) - line.slope * at - line.middle);
}

DEVICE value_t value_of(const Line& line, u32 half, int at)
{
    return line.base + (value_t)(line.slope * at + line.middle + (int)(short)half);
}

DEVICE u32 halves(const Line& a, const Line& b, const Step& step)
{
    const u32 p = (u32)step.profit;
    return ((p - (u32)a.slope * step.weight) & 0xffffu) | (p - (u32)b.slope * step.weight) << 16;
}

DEVICE void pair(const Pass& pass, const Step* step, const Line& a, const Line& b, u32* shared)
{
    // A cell below 0 starts at the bottom of the range, where twice the drop is added at most.
    int drop = 0;
    for (u32 s = 0; s < pass.count; s++)
        drop = least_of(drop, (int)(step[s].profit - a.slope * (i64)step[s].weight));
    const int nothing = -32768 - 2 * drop;
    const bool plain = inside(pass, a.cell) && inside(pass, b.cell);
    u32 v[ROWS];
    block_sync();
    if (plain) {
        const value_t *at_a = row(pass.source) + a.cell, *at_b = row(pass.source) + b.cell;
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const int at = threadIdx.x + i * THREADS;
            v[i] = (half_of(a, at_a[at], at) & 0xffffu) | half_of(b, at_b[at], at) << 16;
        }
    } else {
        load_slowly(shared + PAD, v, [&](int at) {
            const i64 c = a.cell + at;
            const u32 low = c < 0 ? (u32)nothing : half_of(a, value_at(pass, c), at);
            return (low & 0xffffu) | half_of(b, value_at(pass, greater(b.cell + at, 0)), at) << 16;
        });
    }
    const Step* end = step + pass.count;
    int bad = 0;
    if (pass.count & 1) {
        bad = (int)step->weight;
        apply<Two, 1>(shared + PAD, v, 0, bad / THREADS, bad, 0, halves(a, b, *step), 0, 0);
        step++;
    }
    for (; step < end; step += 2) {
        const Step one = step[0], other = step[1];
        const u32 pa = halves(a, b, one), pb = halves(a, b, other);
        const u32 both = ((pa + pb) & 0xffffu) | ((pa >> 16) + (pb >> 16)) << 16;
        const int published = bad / THREADS;
        bad += (int)(one.weight + other.weight);
        apply<Two, 2>(shared + PAD, v, published, bad / THREADS, (int)one.weight, (int)other.weight, pa, pb, both);
    }
    const int reach = (int)pass.reach;
    value_t *to_a = row(pass.target) + a.cell, *to_b = row(pass.target) + b.cell;
    if (plain) {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const int at = threadIdx.x + i * THREADS;
            if (at >= reach) {
                to_a[at] = value_of(a, v[i], at);
                to_b[at] = value_of(b, v[i] >> 16, at);
            }
        }
    } else {
        store_slowly(shared + PAD, v, [&](int at, u32 value) {
            if (at >= reach && a.cell + at <= pass.high) to_a[at] = value_of(a, value, at);
            if (at >= reach && b.cell + at <= pass.high) to_b[at] = value_of(b, value >> 16, at);
        });
    }
}

APART void one_by_one(const Pass& pass, const Step* steps, i64 lowest, i64 width, work_t* shared)
{
    tile(pass, steps, lowest, shared);
    tile(pass, steps, lowest + width, shared);
}

KERNEL(THREADS, RESIDENT) dense_pairs(Job* job)
{
    DYNAMIC_SHARED(memory);
    const Pass* passes = (const Pass*)job->passes;
    const Step* all = (const Step*)job->steps;
    const u32 first = job->first, last = job->last;
    for (u32 k = first; k < last; k++) {
        const Pass pass = passes[k];
        const Step* steps = all + pass.first;
        const i64 width = CELLS - (i64)pass.reach;
        for (i64 cell = pass.low + 2 * blockIdx.x * width; cell <= pass.high; cell += 2 * gridDim.x * width) {
            const i64 lowest = cell - pass.reach;
            const Line a = line_of(pass, steps, lowest, (int*)memory);
            const Line b = line_of(pass, steps, lesser(lowest + width, pass.high), (int*)memory);
            if (a.fits && b.fits) {
                pair(pass, steps, a, b, (u32*)memory);
            } else {
                block_sync();
                one_by_one(pass, steps, lowest, width, (work_t*)memory);
            }
        }
        if (k + 1 < last) grid_barrier(job, k + 1 - first);
    }
}
