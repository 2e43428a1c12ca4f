// A tile of cells in shared memory, to which items of any weights are applied.
//
// A block loads a tile and what its items reach below it, keeps each cell in a register, and for
// every two items publishes the registers in shared memory and reads what lies their weights below.
// The cells below the tile go bad from the bottom up, a weight an item, and are not stored.
//
// Constants: VALUE_BITS, WORK_BITS, ROWS (cells a thread), THREADS.
#pragma once
#include "knapsack/gpu/dense.cuh"

#define CELLS (THREADS * ROWS)

// The memory before a tile, so that no lane of a row that is worked on reads from elsewhere.
#define PAD THREADS

// Arithmetic of a word that holds one cell.
struct One {
    typedef work_t word;
    static DEVICE work_t add_max(work_t a, work_t b, work_t c) { return ::add_max(a, b, c); }
};

// Applies one item, or two: none, either, or both. The rows below `first` are bad afterwards.
template <class Kind, int ITEMS>
DEVICE void apply(typename Kind::word* tile, typename Kind::word* v, int published, int first,
                  int wa, int wb, typename Kind::word pa, typename Kind::word pb, typename Kind::word both)
{
    typename Kind::word* here = tile + threadIdx.x;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        if (i >= published) here[i * THREADS] = v[i];
    block_sync();
    const typename Kind::word *at_a = here - wa, *at_b = here - wb, *at_both = at_a - wb;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        if (i >= first) {
            v[i] = Kind::add_max(at_a[i * THREADS], pa, v[i]);
            if (ITEMS == 2) {
                v[i] = Kind::add_max(at_b[i * THREADS], pb, v[i]);
                v[i] = Kind::add_max(at_both[i * THREADS], both, v[i]);
            }
        }
    block_sync();
}

DEVICE value_t value_at(const Pass& pass, i64 c)
{
    return row(pass.source)[lesser(c, lesser(pass.top, pass.high))];
}

// Whether all cells of a tile are in the row and wanted.
DEVICE bool inside(const Pass& pass, i64 lowest)
{
    return lowest >= 0 && lowest + CELLS - 1 <= lesser(pass.top, pass.high);
}

// At the ends of a row registers are loaded and stored by way of shared memory: as a loop, for
// registers cannot be counted through.
template <class T, class Load>
DEVICE void load_slowly(T* tile, T* v, Load load)
{
#pragma unroll 4
    for (int i = 0; i < ROWS; i++) {
        const int at = threadIdx.x + i * THREADS;
        tile[at] = load(at);
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++) v[i] = tile[threadIdx.x + i * THREADS];
}

template <class T, class Store>
DEVICE void store_slowly(T* tile, const T* v, Store store)
{
#pragma unroll
    for (int i = 0; i < ROWS; i++) tile[threadIdx.x + i * THREADS] = v[i];
#pragma unroll 4
    for (int i = 0; i < ROWS; i++) {
        const int at = threadIdx.x + i * THREADS;
        store(at, tile[at]);
    }
}

DEVICE void tile(const Pass& pass, const Step* step, i64 lowest, work_t* shared)
{
    const value_t base = VALUE_BITS > WORK_BITS ? value_at(pass, greater(lowest, 0)) : 0;
    const bool plain = inside(pass, lowest);
    work_t v[ROWS];
    if (plain) {
        const value_t* source = row(pass.source) + lowest + threadIdx.x;
#pragma unroll
        for (int i = 0; i < ROWS; i++) v[i] = (work_t)(source[i * THREADS] - base);
    } else {
        load_slowly(shared + PAD, v, [&](int at) {
            return lowest + at < 0 ? NOTHING : (work_t)(value_at(pass, lowest + at) - base);
        });
    }
    const Step* end = step + pass.count;
    int bad = 0;
    if (pass.count & 1) {
        bad = (int)step->weight;
        apply<One, 1>(shared + PAD, v, 0, bad / THREADS, bad, 0, (work_t)step->profit, 0, 0);
        step++;
    }
    for (; step < end; step += 2) {
        const Step a = step[0], b = step[1];
        const int published = bad / THREADS;
        bad += (int)(a.weight + b.weight);
        const work_t pa = (work_t)a.profit, pb = (work_t)b.profit;
        apply<One, 2>(shared + PAD, v, published, bad / THREADS, (int)a.weight, (int)b.weight, pa, pb, pa + pb);
    }
    const int reach = (int)pass.reach;
    value_t* target = row(pass.target) + lowest;
    if (plain) {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            const int at = threadIdx.x + i * THREADS;
            if (at >= reach) target[at] = base + (value_t)v[i];
        }
    } else {
        const i64 room = pass.high - lowest;
        store_slowly(shared + PAD, v, [&](int at, work_t value) {
            if (at >= reach && at <= room) target[at] = base + (value_t)value;
        });
    }
}
