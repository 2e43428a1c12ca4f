// Parallel switching as published: all rows are evaluated, exchanges that share a row with one that
// gains more are in conflict and put off, the others are made together, and the rows of both kinds are
// evaluated again. The same in every run. Or only the exchange that gains most of all is made.
#pragma once
#include "assignment/gpu/kernels/switching.cuh"

// The best exchange of every row that is marked.
KERNEL(THREADS, 1) find(Market* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    for (u32 q = blockIdx.x; q < m->count; q += gridDim.x) {
        const int i = m->order[q];
        block_sync();
        if (!m->queued[i]) continue;
        Exchange best = look_for_exchange(m, s, i);
        if (best.j == NONE) best.j = 0x7fffffff;
        block_best(s, 0, best.gain, best.j);
        if (threadIdx.x == 0) {
            m->best[i] = best.gain;
            m->target[i] = best.j == 0x7fffffff ? NONE : best.j;
            m->queued[i] = 0;
            atomicAdd(&m->figures[EVALUATIONS], (u64)1);
        }
    }
}

KERNEL(THREADS, 1) forget_claims(Market* m)
{
    const u32 self = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    for (u32 q = self; q <= m->rows; q += threads) m->claim[q] = 0;
    for (u32 q = self; q < m->rows + m->columns; q += threads) m->ring[q] = NONE;
    if (self == 0) m->parent[0] = NONE;
}

// Every row notes the largest exchange that it would be in.
KERNEL(THREADS, 1) claim_rows(Market* m)
{
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->rows; q += gridDim.x * THREADS) {
        const int j = m->target[q];
        if (j == NONE) continue;
        raise_to(&m->claim[q], m->best[q]);
        const int k = m->owner[j];
        if (k != NONE) raise_to(&m->claim[k], m->best[q]);
        raise_to(&m->claim[m->rows], m->best[q]); // the largest of all
    }
}

// Of those with equal gains the row with the smallest number comes first.
KERNEL(THREADS, 1) claim_ties(Market* m)
{
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->rows; q += gridDim.x * THREADS) {
        const int j = m->target[q];
        if (j == NONE) continue;
        const int k = m->owner[j];
        const u32 mark = 0x7fffffffu - q;
        if (m->claim[q] == m->best[q]) atomicMax((int*)&m->ring[q], (int)mark);
        if (k != NONE && m->claim[k] == m->best[q]) atomicMax((int*)&m->ring[k], (int)mark);
        if (k == NONE) atomicMax((int*)&m->ring[m->rows + j], (int)mark);
        if (m->claim[m->rows] == m->best[q]) atomicMax((int*)&m->parent[0], (int)mark);
    }
}

// Choose the exchanges that are first at both rows; ``enough`` of 1 says that only the largest is wanted.
KERNEL(THREADS, 1) choose(Market* m)
{
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->rows; q += gridDim.x * THREADS) {
        const int i = (int)q, j = m->target[i];
        if (j == NONE) continue;
        const int k = m->owner[j], mark = (int)(0x7fffffffu - q);
        bool mine = m->ring[i] == mark;
        mine = mine && (k == NONE ? m->ring[m->rows + j] == mark : m->ring[k] == mark);
        if (m->enough == 1) mine = mine && m->parent[0] == mark;
        if (mine) m->lock[i] = 2;
    }
}

// Make them, and mark the rows that are to be evaluated again: both of an exchange, and those in conflict.
KERNEL(THREADS, 1) exchange(Market* m)
{
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->rows; q += gridDim.x * THREADS) {
        const int i = (int)q, j = m->target[i];
        if (j == NONE) continue;
        m->queued[i] = 1;
        if (m->lock[i] != 2) continue;
        m->lock[i] = 0;
        const int k = m->owner[j], t = m->column[i];
        m->column[i] = j;
        m->worth[i] = at(m, i, j);
        m->owner[j] = i;
        m->owner[t] = k;
        if (k != NONE) {
            m->column[k] = t;
            m->worth[k] = at(m, k, t);
            m->queued[k] = 1;
        }
        atomicAdd(&m->control[CHANGED], 1u);
        atomicAdd(&m->figures[SWITCHES], (u64)1);
    }
}
