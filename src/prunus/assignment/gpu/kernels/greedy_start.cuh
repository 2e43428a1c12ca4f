// A first assignment: rows, in an order given by the seed, take their best free column.
//
// Columns are ranked by net value at the current prices. Many rows choose at once, one warp each; the
// first to claim a column gets it, the others try their next best. A row whose list holds no free column
// scans the whole row; before it scans again it tries the best free column seen by each lane.
#pragma once
#include "assignment/gpu/kernels/row_parts.cuh"
#include "assignment/gpu/kernels/deadline.cuh"

DEVICE bool take(const Instance* m, int i, int j)
{
    if (atomicCAS(&m->owner[j], NONE, i) != NONE) return false;
    m->column[i] = j;
    m->row_benefit[i] = benefit_of(m, i, j);
    return true;
}

// Give row i one of the columns proposed by the lanes; all lanes return whether it got one.
DEVICE bool take_proposed(const Instance* m, int i, price_t& mine, int j)
{
    for (;;) {
        price_t v = mine;
        int best = mine == LOWEST ? 0x7fffffff : j;
        warp_best(v, best);
        if (best == 0x7fffffff) return false;
        int taken = 0;
        if (lane() == 0) taken = take(m, i, best);
        if (warp_shuffle(taken, 0)) return true;
        if (best == j) mine = LOWEST;
    }
}

// Take the best column of the list that is still free when it is claimed.
DEVICE bool take_listed(const Instance* m, int i)
{
    const int length = m->list_length[i];
    price_t mine = LOWEST;
    int j = NONE;
    for (int q = lane(); q < length; q += WARP) {
        const int k = m->list_columns[(u64)i * LIST + q];
        const price_t w = benefit(m->list_values[(u64)i * LIST + q]) - m->price[k];
        if (w > mine && load_volatile(&m->owner[k]) == NONE) mine = w, j = k;
    }
    return take_proposed(m, i, mine, j);
}

// Take the best free column of the row, or with a ``tolerance`` that of the first part that has one.
DEVICE bool take_from_parts(const Instance* m, int i, u32 turn)
{
    const int parts = parts_of(m);
    price_t mine = LOWEST;
    int j = NONE, part = first_part(i, turn, parts);
    for (int k = 0; k < parts; k++) {
        // Few columns are free. Ownership is loaded for all columns, so that no load waits for a
        // comparison.
        for_part(m, i, part, parts, [&](int c, price_t b, price_t p, bool there) {
            const int owner = load_shared_level(m->owner + (there ? c : 0));
            if (there && owner == NONE && b - p > mine) mine = b - p, j = c;
        }, [] {});
        if (++part == parts) part = 0;
        if (m->tolerance > 0 && take_proposed(m, i, mine, j)) return true;
    }
    return take_proposed(m, i, mine, j);
}

KERNEL(THREADS, FULL) greedy_start(Instance* m)
{
    u64 looks = 0;
    for (u32 k = warp_id(); k < m->row_count; k += gridDim.x * WARPS) {
        if (warp_any(lane() == 0 && out_of_time(m))) break;
        const int i = m->row_order[k];
        if (m->column[i] != NONE || take_listed(m, i)) continue;
        for (u32 turn = 0; !take_from_parts(m, i, turn); turn++) looks++;
    }
    if (lane() == 0) atomicAdd(&m->counters->part_scans, looks);
}

// Adopt the columns of the rows: set owners and benefits from them.
KERNEL(THREADS, 1) adopt_columns(Instance* m)
{
    for (u32 k = blockIdx.x * THREADS + threadIdx.x; k < m->row_count; k += gridDim.x * THREADS) {
        const int i = m->row_order[k], j = m->column[i];
        if (j == NONE) continue;
        m->owner[j] = i;
        m->row_benefit[i] = benefit_of(m, i, j);
    }
}

// Unassign all rows.
KERNEL(THREADS, 1) unassign_all(Instance* m)
{
    const u32 self = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    for (u32 i = self; i < m->rows; i += threads) m->column[i] = NONE, m->lock[i] = 0;
    for (u32 j = self; j < m->columns; j += threads) m->owner[j] = NONE, m->lock[j] = 0;
    if (self == 0) {
        for (int k = 0; k < (int)STATUS_WORDS; k++) ((u32*)m->status)[k] = 0;
        m->status->unassigned = (u32)m->rows;
    }
}
