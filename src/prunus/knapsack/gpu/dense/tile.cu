// Items of different weights, applied to a tile of cells in shared memory.
//
// A block loads a tile and the cells below it that its items reach, and keeps each cell in a register.
// For every two items it publishes the registers in shared memory and reads the cells that lie their
// weights below. Cells become invalid from the bottom up, by the weight of each item, and are not stored.
//
// Heavy items reach beyond any tile. For them a tile is folded: it holds several segments of cells
// ("lines"), a weight W apart. An item that weighs slightly more than W moves values to the next line and
// a few columns to the right, so that the first lines and the first columns become invalid. An unfolded
// tile is a single line.
//
// Constants: VALUE_BITS, WORK_BITS, ROWS (cells per thread), THREADS, RESIDENT (blocks per
// multiprocessor).
#include "knapsack/gpu/dense/common.cuh"

#define CELLS (THREADS * ROWS)
// Padding before a tile, so that lanes of an active row never read outside it.
#define PAD THREADS

// Position of a tile.
struct Tile {
    i64 lowest; // the cell of its first place
    i64 weight; // from line to line, in cells
    int fold; // a line has THREADS << fold places

    DEVICE int line(int i) const { return i >> fold; }
    DEVICE int column(int i) const { return (int)threadIdx.x + (i & ((1 << fold) - 1)) * THREADS; }
    DEVICE i64 offset(int i) const { return line(i) * weight + column(i); }
};

// Apply one item, or two: neither, either, or both is taken. Rows below `first` are invalid afterwards.
template <int ITEMS>
DEVICE void apply(work_t* tile, work_t* v, int published, int first, int wa, int wb, work_t pa, work_t pb)
{
    work_t* here = tile + threadIdx.x;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        if (i >= published) here[i * THREADS] = v[i];
    block_sync();
    const work_t *at_a = here - wa, *at_b = here - wb, *at_both = at_a - wb;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        if (i >= first) {
            v[i] = add_max(at_a[i * THREADS], pa, v[i]);
            if (ITEMS == 2) {
                v[i] = add_max(at_b[i * THREADS], pb, v[i]);
                v[i] = add_max(at_both[i * THREADS], pa + pb, v[i]);
            }
        }
    block_sync();
}

DEVICE void apply_all(const Pass& pass, const Step* step, int places, work_t* tile, work_t* v)
{
    const Step* end = step + pass.count;
    int bad = 0;
    if (pass.count & 1) {
        bad = (int)(step->shift * places + step->weight);
        apply<1>(tile, v, 0, bad / THREADS, bad, 0, (work_t)step->profit, 0);
        step++;
    }
    for (; step < end; step += 2) {
        const Step a = step[0], b = step[1];
        const int wa = (int)(a.shift * places + a.weight), wb = (int)(b.shift * places + b.weight);
        const int published = bad / THREADS;
        bad += wa + wb;
        apply<2>(tile, v, published, bad / THREADS, wa, wb, (work_t)a.profit, (work_t)b.profit);
    }
}

// Where a tile is folded or at the end of a row, registers are loaded and stored through shared memory,
// since registers cannot be indexed in a loop.
DEVICE void work(const Pass& pass, const Step* steps, const Tile& tile, work_t* memory)
{
    const value_t* source = row(pass.source);
    const i64 top = lesser(pass.top, pass.high);
    const bool plain = pass.lines == 0 && tile.lowest >= 0 && tile.lowest + CELLS - 1 <= top;
    const value_t base = VALUE_BITS > WORK_BITS ? source[lesser(greater(tile.lowest, 0), top)] : 0;
    work_t* shared = memory + PAD;
    work_t v[ROWS];
    if (plain) {
        source += tile.lowest + threadIdx.x;
#pragma unroll
        for (int i = 0; i < ROWS; i++) v[i] = (work_t)(source[i * THREADS] - base);
    } else {
#pragma unroll 8
        for (int i = 0; i < ROWS; i++) {
            const i64 c = tile.lowest + tile.offset(i);
            shared[threadIdx.x + i * THREADS] = c < 0 ? NOTHING : (work_t)(source[lesser(c, top)] - base);
        }
#pragma unroll
        for (int i = 0; i < ROWS; i++) v[i] = shared[threadIdx.x + i * THREADS];
    }
    apply_all(pass, steps, pass.lines ? THREADS << tile.fold : CELLS, shared, v);
    value_t* target = row(pass.target) + tile.lowest;
    const int reach = (int)pass.reach;
    if (plain) {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const int at = threadIdx.x + i * THREADS;
            if (at >= reach) target[at] = base + (value_t)v[i];
        }
    } else {
        const i64 room = pass.high - tile.lowest;
        const int lines = (int)pass.lines;
#pragma unroll
        for (int i = 0; i < ROWS; i++) shared[threadIdx.x + i * THREADS] = v[i];
#pragma unroll 8
        for (int i = 0; i < ROWS; i++) {
            const i64 at = tile.offset(i);
            if (tile.line(i) >= lines && tile.column(i) >= reach && at <= room)
                target[at] = base + (value_t)shared[threadIdx.x + i * THREADS];
        }
    }
}

DEVICE void run_pass(const Pass& pass, const Step* steps, work_t* memory)
{
    const i64 live = pass.high - pass.low + 1;
    Tile tile;
    tile.fold = pass.lines ? (int)pass.fold : 30;
    tile.weight = pass.lines ? pass.weight : live;
    const i64 width = (pass.lines ? THREADS << pass.fold : CELLS) - (i64)pass.reach;
    const i64 good = pass.lines ? (ROWS >> pass.fold) - (i64)pass.lines : 1; // lines that are stored
    const i64 across = (tile.weight - 1) / width + 1; // tiles from line to line
    const i64 tiles = ((live - 1) / (good * tile.weight) + 1) * across;
    for (i64 t = blockIdx.x; t < tiles; t += gridDim.x) {
        const i64 cell = pass.low + t / across * (good * tile.weight) + t % across * width;
        if (cell > pass.high) continue;
        tile.lowest = cell - pass.reach - pass.lines * tile.weight;
        work(pass, steps + pass.first, tile, memory);
    }
}

KERNEL(THREADS, RESIDENT) dense_tile(Job* job)
{
    DYNAMIC_SHARED(memory);
    const Pass* passes = (const Pass*)job->passes;
    const u32 first = job->first, last = job->last;
    for (u32 k = first; k < last; k++) {
        const Pass pass = passes[k];
        run_pass(pass, (const Step*)job->steps, (work_t*)memory);
        if (k + 1 < last) grid_barrier(job, k + 1 - first);
    }
}
