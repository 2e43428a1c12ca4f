// First assignments: rows, in an order that the seed gives, take the best free column.
//
// By net value, at any prices. Many rows at once: who is first at a column has it, the others take
// their next best. Rows whose list holds no free column look at the whole row, and before they look
// at it again they try the best free column that each thread saw.
#pragma once
#include "assignment/gpu/lists.cuh"
#include "assignment/gpu/queue.cuh"

DEVICE bool take(const Market* m, int i, int j)
{
    if (atomicCAS(&m->owner[j], NONE, i) != NONE) return false;
    m->column[i] = j;
    m->worth[i] = at(m, i, j);
    return true;
}

// Give row i one of the columns that the threads propose; all threads return whether it has one.
DEVICE bool take_proposed(const Market* m, Shared* s, int i, price_t& mine, int& j)
{
    for (int turn = 0;; turn ^= 1) {
        price_t v = mine;
        int best = mine == LOWEST ? 0x7fffffff : j;
        block_best(s, turn, v, best);
        if (best == 0x7fffffff) return false;
        if (threadIdx.x == 0) s->flag = take(m, i, best);
        block_sync();
        const bool taken = s->flag;
        if (taken) return true;
        if (best == j) mine = LOWEST;
        // ``flag`` is not written again before the barrier of the next ``block_best``
    }
}

KERNEL(THREADS, FULL) greedy(Market* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    for (;;) {
        block_sync();
        if (threadIdx.x == 0) {
            const u32 k = atomicAdd(&m->control[CURSOR], 1u);
            s->row = k < m->count && !late(m) ? m->order[k] : NONE;
        }
        block_sync();
        const int i = s->row;
        if (i == NONE) return;
        if (m->column[i] != NONE) continue;
        const int length = m->length[i];
        price_t mine = LOWEST;
        int j = NONE;
        for (int q = threadIdx.x; q < length; q += THREADS) {
            const int k = m->list[(u64)i * LIST + q];
            const price_t w = benefit(m->listed[(u64)i * LIST + q]) - m->price[k];
            if (w > mine && peek(&m->owner[k]) == NONE) mine = w, j = k;
        }
        if (length && take_proposed(m, s, i, mine, j)) continue;
        for (;;) {
            mine = LOWEST, j = NONE;
            for_row<true>(m, i, [&](int k, price_t b, price_t p) {
                const price_t w = b - p;
                if (w > mine && peek(&m->owner[k]) == NONE) mine = w, j = k;
            });
            block_sync();
            if (take_proposed(m, s, i, mine, j)) break;
            if (threadIdx.x == 0) atomicAdd(&m->figures[SCANS], (u64)1);
        }
    }
}

// What the rows have is worth what the matrix says; the owners are those that the columns have.
KERNEL(THREADS, 1) adopt(Market* m)
{
    for (u32 k = blockIdx.x * THREADS + threadIdx.x; k < m->count; k += gridDim.x * THREADS) {
        const int i = m->order[k], j = m->column[i];
        if (j == NONE) continue;
        m->owner[j] = i;
        m->worth[i] = at(m, i, j);
    }
}

// Nobody has anything.
KERNEL(THREADS, 1) take_all_away(Market* m)
{
    const u32 self = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    for (u32 i = self; i < m->rows; i += threads) m->column[i] = NONE, m->lock[i] = 0;
    for (u32 j = self; j < m->columns; j += threads) m->owner[j] = NONE, m->lock[j] = 0;
    if (self == 0) {
        for (int k = 0; k < CONTROLS; k++) m->control[k] = 0;
        m->control[UNASSIGNED] = (u32)m->rows;
    }
}
