// Parallel switching as published: all rows are evaluated; exchanges that share a row with a more
// profitable one are postponed as conflicts; the others are made together, and the rows of both kinds are
// evaluated again. Deterministic. With ``stop_count`` of 1 only the most profitable exchange is made.
#pragma once
#include "assignment/gpu/kernels/switching.cuh"

// The best exchange of every marked row.
KERNEL(THREADS, 1) find_exchanges(Instance* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    for (u32 q = blockIdx.x; q < m->row_count; q += gridDim.x) {
        const int i = m->row_order[q];
        block_sync();
        if (!m->marked[i]) continue;
        Exchange best = look_for_exchange(m, s, i);
        if (best.j == NONE) best.j = 0x7fffffff;
        block_best(s, 0, best.gain, best.j);
        if (threadIdx.x == 0) {
            m->best_value[i] = best.gain;
            m->best_column[i] = best.j == 0x7fffffff ? NONE : best.j;
            m->marked[i] = 0;
            atomicAdd(&m->counters->evaluations, (u64)1);
        }
    }
}

KERNEL(THREADS, 1) clear_claims(Instance* m)
{
    const u32 self = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    for (u32 q = self; q <= m->rows; q += threads) m->row_buffer[q] = 0;
    for (u32 q = self; q < m->rows + m->columns; q += threads) m->workspace[q] = NONE;
    if (self == 0) m->raised_by[0] = NONE;
}

// Every row records the largest gain among the exchanges it takes part in.
KERNEL(THREADS, 1) claim_rows(Instance* m)
{
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->rows; q += gridDim.x * THREADS) {
        const int j = m->best_column[q];
        if (j == NONE) continue;
        raise_to(&m->row_buffer[q], m->best_value[q]);
        const int k = m->owner[j];
        if (k != NONE) raise_to(&m->row_buffer[k], m->best_value[q]);
        raise_to(&m->row_buffer[m->rows], m->best_value[q]); // the largest of all
    }
}

// Ties in gain go to the row with the smallest number.
KERNEL(THREADS, 1) claim_ties(Instance* m)
{
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->rows; q += gridDim.x * THREADS) {
        const int j = m->best_column[q];
        if (j == NONE) continue;
        const int k = m->owner[j];
        const u32 mark = 0x7fffffffu - q;
        if (m->row_buffer[q] == m->best_value[q]) atomicMax((int*)&m->workspace[q], (int)mark);
        if (k != NONE && m->row_buffer[k] == m->best_value[q]) atomicMax((int*)&m->workspace[k], (int)mark);
        if (k == NONE) atomicMax((int*)&m->workspace[m->rows + j], (int)mark);
        if (m->row_buffer[m->rows] == m->best_value[q]) atomicMax((int*)&m->raised_by[0], (int)mark);
    }
}

// Select the exchanges that are first at both of their rows; ``stop_count`` of 1 selects the largest
// only.
KERNEL(THREADS, 1) choose_exchanges(Instance* m)
{
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->rows; q += gridDim.x * THREADS) {
        const int i = (int)q, j = m->best_column[i];
        if (j == NONE) continue;
        const int k = m->owner[j], mark = (int)(0x7fffffffu - q);
        bool mine = m->workspace[i] == mark;
        mine = mine && (k == NONE ? m->workspace[m->rows + j] == mark : m->workspace[k] == mark);
        if (m->stop_count == 1) mine = mine && m->raised_by[0] == mark;
        if (mine) m->lock[i] = 2;
    }
}

// Make them, and mark the rows to be evaluated again: those exchanged and those in conflict.
KERNEL(THREADS, 1) make_exchanges(Instance* m)
{
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->rows; q += gridDim.x * THREADS) {
        const int i = (int)q, j = m->best_column[i];
        if (j == NONE) continue;
        m->marked[i] = 1;
        if (m->lock[i] != 2) continue;
        m->lock[i] = 0;
        const int k = m->owner[j], t = m->column[i];
        m->column[i] = j;
        m->row_benefit[i] = benefit_of(m, i, j);
        m->owner[j] = i;
        m->owner[t] = k;
        if (k != NONE) {
            m->column[k] = t;
            m->row_benefit[k] = benefit_of(m, k, t);
            m->marked[k] = 1;
        }
        atomicAdd(&m->status->changed, 1u);
        atomicAdd(&m->counters->switches, (u64)1);
    }
}
