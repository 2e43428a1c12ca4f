// After an auction, from the candidate lists alone: the best column of each row, the prices that are no higher than
// some row would pay, and ranked lists at these prices. The matrix is hardly looked at.
//
// A row is worse off than with its best column by no more than a slack, the largest of all rows. So a column
// that has a row becomes cheaper by no more than that, and only for rows to which it is worth nearly as much as their
// best: it stands in their lists, whose thresholds are farther away. Rows of which that is not so get a new list.
// Columns without a row are few, and all rows are asked what they would pay.
//
// ``epsilon``: a list is good if its threshold is so much below the best; ``stop_count``: 1 if prices have been rounded.
// ``pending`` becomes 0 unless lists do not tell enough.
#pragma once
#include "assignment/gpu/kernels/auction.cuh"
#include "assignment/gpu/kernels/ranked_lists.cuh"

// Where the largest slack stands, and behind how many there are the columns without a row.
DEVICE price_t* slack_of(const Instance* m) { return m->row_buffer + m->rows; }
DEVICE int* free_columns(const Instance* m) { return m->workspace; }

KERNEL(THREADS, 1) begin_lowering(Instance* m)
{
    const u32 self = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    for (u32 j = self; j < m->columns; j += threads) m->price_at_look[j] = LOWEST;
    for (u32 i = self; i < m->rows; i += threads)
        if (m->column[i] != NONE) m->row_benefit[i] = benefit_of(m, i, m->column[i]);
    if (self == 0) m->status->pending = 0, *slack_of(m) = 0, *free_columns(m) = 0;
}

// The best of a row's candidates, in every lane of a warp; whether the list tells enough of what is near to it.
DEVICE bool best_of_candidates(const Instance* m, int i, price_t& v, int& j)
{
    const int length = m->list_length[i];
    const price_t threshold = m->threshold[i];
    int above = 0;
    v = LOWEST, j = 0x7fffffff;
    for (int e = lane(); e < length; e += WARP) {
        const int k = m->list_columns[(u64)i * LIST + e];
        const price_t w = benefit(m->list_values[(u64)i * LIST + e]) - m->price[k];
        above += w > threshold;
        if (w > v || (w == v && k < j)) v = w, j = k;
    }
    warp_best(v, j);
    above = warp_shuffle(warp_scan(above), WARP - 1);
    return v - m->epsilon > threshold && (above >= PORTION || length < LIST);
}

KERNEL(THREADS, FULL) find_best_in_lists(Instance* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    for (u32 i = blockIdx.x; i < m->rows; i += gridDim.x) {
        price_t v;
        int j;
        if (threadIdx.x < WARP) {
            const bool good = best_of_candidates(m, i, v, j);
            if (threadIdx.x == 0) s->again = !good;
        }
        block_sync();
        if (s->again) {
            make_list<true>(m, s, i);
            if (threadIdx.x < WARP) {
                best_of_candidates(m, i, v, j);
                if (threadIdx.x == 0 && !(v - m->epsilon > m->threshold[i])) atomicAdd(&m->status->pending, 1u);
            }
        }
        if (threadIdx.x == 0) {
            const int own = m->column[i];
            m->best_value[i] = v, m->best_column[i] = j;
            if (own != NONE) {
                raise_to(slack_of(m), v - (m->row_benefit[i] - m->price[own]));
                raise_to(&m->price_at_look[own], m->row_benefit[i] - v);
            }
        }
        block_sync();
    }
}

// The new prices, in ``price_at_look``.
KERNEL(THREADS, 1) lower_to_lists(Instance* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    const price_t slack = *slack_of(m);
    if (blockIdx.x == 0 && threadIdx.x == 0 && slack > m->epsilon) atomicAdd(&m->status->pending, 1u);
    for (u32 i = warp_id(); i < m->rows; i += gridDim.x * WARPS) {
        const int length = m->list_length[i];
        const price_t best = m->best_value[i];
        for (int e = lane(); e < length; e += WARP) {
            const int j = m->list_columns[(u64)i * LIST + e];
            const price_t b = benefit(m->list_values[(u64)i * LIST + e]);
            // Twice, for the sake of rounding.
            if (b - m->price[j] >= best - 2 * slack) raise_to(&m->price_at_look[j], b - best);
        }
    }
    for (u32 j = blockIdx.x; j < m->columns; j += gridDim.x) {
        if (m->owner[j] != NONE) continue;
        price_t v = LOWEST;
        int none = 0;
#pragma unroll 8
        for (u32 i = threadIdx.x; i < m->rows; i += THREADS) {
            const price_t x = benefit_of(m, i, j) - m->best_value[i];
            v = x > v ? x : v;
        }
        block_sync();
        block_best(s, 0, v, none);
        if (threadIdx.x == 0) {
            raise_to(&m->price_at_look[j], v);
            free_columns(m)[1 + atomicAdd(free_columns(m), 1)] = (int)j;
        }
    }
}

// Ranked lists at the new prices, of candidates that no column outside exceeds; the best net values at these prices.
KERNEL(THREADS, FULL) rank_kept_lists(Instance* m)
{
    DYNAMIC_SHARED(memory);
    Shared* const s = (Shared*)memory;
    const int free = *free_columns(m);
    const price_t rounded = m->stop_count ? (price_t)ROUNDED_DOWN : 0, fallen = *slack_of(m) + rounded;
    for (u32 i = blockIdx.x; i < m->rows; i += gridDim.x) {
        const price_t before = m->threshold[i];
        price_t threshold = before + fallen;
        int none = 0;
        for (int k = threadIdx.x; k < free; k += THREADS) {
            const int j = free_columns(m)[1 + k];
            const price_t b = benefit_of(m, i, j), now = b - m->price_at_look[j];
            // What was above the threshold stands in the list.
            if (b - m->price[j] <= before + rounded && now > threshold) threshold = now;
        }
        block_best(s, 0, threshold, none);
        // Net values are whole now, and prices that rise to a threshold have to stay so.
        if (m->stop_count) threshold = (price_t)floor((double)threshold);
        rank_list(m, s, i, i, m->price_at_look, threshold);
        if (threadIdx.x == 0) m->threshold[i] = threshold;
    }
}
