// Reductions over the threads of a block.
#pragma once
#include "assignment/gpu/kernels/instance.cuh"
#include "hardware/cuda/shuffle.cuh"

struct Shared {
    price_t value[2][WARPS];
    price_t second[WARPS];
    int index[2][WARPS];
    int count[2][WARPS];
    int row, again, size, flag, first;
    int over[2];
    price_t number;
};

// The best (value, index) of the warp, in every lane; ties go to the smaller index.
DEVICE void warp_best(price_t& v, int& j)
{
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) {
        const price_t w = shuffle_xor(v, d);
        const int k = warp_shuffle(j, lane() ^ d);
        if (w > v || (w == v && k < j)) v = w, j = k;
    }
}

// The best (value, index) of the block, in every thread. Consecutive calls must alternate ``turn``.
DEVICE void block_best(Shared* s, int turn, price_t& v, int& j)
{
    warp_best(v, j);
    const int w = threadIdx.x / WARP;
    if (lane() == 0) s->value[turn][w] = v, s->index[turn][w] = j;
    block_sync();
#pragma unroll
    for (int k = 0; k < WARPS; k++) {
        const price_t x = s->value[turn][k];
        const int at = s->index[turn][k];
        if (x > v || (x == v && at < j)) v = x, j = at;
    }
}

DEVICE int block_sum(Shared* s, int turn, int v)
{
    v = warp_scan(v);
    if (lane() == WARP - 1) s->count[turn][threadIdx.x / WARP] = v;
    block_sync();
    int total = 0;
#pragma unroll
    for (int k = 0; k < WARPS; k++) total += s->count[turn][k];
    return total;
}

// Whether there is time for another row. One thread reads the clock in ``check_clock`` while the block
// evaluates a row. The caller must put a barrier between ``check_clock`` and ``clock_ran_out``, and
// alternate ``turn`` from row to row.
DEVICE void check_clock(const Instance* m, Shared* s, int turn)
{
    if (threadIdx.x == THREADS - 1) s->over[turn] = ticks() + m->reserve_ns >= m->solve_deadline;
}

DEVICE bool clock_ran_out(const Shared* s, int turn) { return s->over[turn]; }

// The two best values of the warp, in every lane.
DEVICE void warp_two(price_t& first, price_t& second, int& j)
{
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) {
        const price_t w = shuffle_xor(first, d), x = shuffle_xor(second, d);
        const int k = warp_shuffle(j, lane() ^ d);
        if (w > first || (w == first && k < j)) {
            second = first > x ? first : x;
            first = w, j = k;
        } else {
            second = second > w ? second : w;
        }
    }
}

// The two best values of the block, in every thread.
DEVICE void block_two(Shared* s, price_t& first, price_t& second, int& j)
{
    warp_two(first, second, j);
    const int w = threadIdx.x / WARP;
    if (lane() == 0) s->value[0][w] = first, s->second[w] = second, s->index[0][w] = j;
    block_sync();
    first = second = LOWEST;
    j = 0x7fffffff;
#pragma unroll
    for (int k = 0; k < WARPS; k++) {
        const price_t x = s->value[0][k], y = s->second[k];
        const int at = s->index[0][k];
        if (x > first || (x == first && at < j)) {
            second = first > y ? first : y;
            first = x, j = at;
        } else if (x > second) {
            second = x;
        }
    }
}
