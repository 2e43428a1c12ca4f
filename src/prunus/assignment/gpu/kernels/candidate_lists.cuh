// Candidate lists: the best columns of a row by net value, and a threshold that no other column exceeds.
//
// In one pass over the row each thread keeps its KEPT best columns and the value of the next one.
// Bisection finds a level that at most LIST of the kept values exceed. The threshold is the maximum of
// this level and of the threads' next values; it remains valid as long as prices only rise.
#pragma once
#include "assignment/gpu/kernels/block_reductions.cuh"

// BELOW: consider only columns whose net values do not exceed ``ceiling``.
template <bool CACHED, bool BELOW = false>
DEVICE void make_list(const Instance* m, Shared* s, int i, price_t ceiling = 0)
{
    price_t v[KEPT + 1];
    int at[KEPT + 1];
#pragma unroll
    for (int e = 0; e <= KEPT; e++) v[e] = LOWEST, at[e] = NONE;
    for_row<CACHED>(m, i, [&](int j, price_t b, price_t p) {
        const price_t w = b - p;
        if (w > v[KEPT] && (!BELOW || w <= ceiling)) {
            v[KEPT] = w, at[KEPT] = j;
#pragma unroll
            for (int e = KEPT; e > 0; e--)
                if (v[e] > v[e - 1]) {
                    const price_t x = v[e];
                    const int k = at[e];
                    v[e] = v[e - 1], at[e] = at[e - 1];
                    v[e - 1] = x, at[e - 1] = k;
                }
        }
    });
    price_t top = v[0], high = v[1], low = v[0] == LOWEST ? LOWEST : -v[0], next = v[KEPT];
    int first = 0, none = 0;
    block_sync();
    block_two(s, top, high, first);
    block_best(s, 1, low, none);
    block_best(s, 0, next, none);
    low = -low; // the smallest of the threads' best values
    if (low > high) low = high;
    int held = 0;
#pragma unroll
    for (int e = 0; e < KEPT; e++) held += v[e] > LOWEST;
    // With room for all that is kept nothing has to be left out.
    if (block_sum(s, 0, held) <= LIST) low = high = LOWEST;
    // ``high`` starts at the second best value. Invariant: at most LIST candidates are above it.
    for (int turn = 1, tries = 0; tries < 80; turn ^= 1, tries++) {
        const price_t middle = low + (high - low) / 2;
        if (!(middle > low && middle < high)) break;
        int above = 0;
#pragma unroll
        for (int e = 0; e < KEPT; e++) above += v[e] > middle;
        above = block_sum(s, turn, above);
        if (above > LIST) {
            low = middle;
        } else {
            high = middle;
            if (4 * above >= 3 * LIST) break;
        }
    }
    // Lower the level to the largest value that it does not exceed, so that some candidate attains it.
    price_t level = LOWEST;
#pragma unroll
    for (int e = 0; e < KEPT; e++)
        if (v[e] <= high && v[e] > level) level = v[e];
    if (threadIdx.x == 0) s->size = 0;
    block_best(s, 1, level, none);
    high = level > next ? level : next;
    int* list = m->list_columns + (u64)i * LIST;
    value_t* listed = m->list_values + (u64)i * LIST;
    // First the candidates above the level, then those at the level while there is room.
#pragma unroll
    for (int pass = 0; pass < 2; pass++) {
#pragma unroll
        for (int e = 0; e < KEPT; e++)
            if (at[e] >= 0 && (pass ? v[e] == high : v[e] > high)) {
                const int place = atomicAdd(&s->size, 1);
                if (place < LIST) {
                    list[place] = at[e];
#if POINTS
                    listed[place] = SIGN * ::benefit_of(m, i, at[e]);
#else
                    listed[place] = locate_row(m, i)[at[e]];
#endif
                }
            }
        block_sync();
    }
    if (threadIdx.x == 0) {
        m->list_length[i] = s->size < LIST ? s->size : LIST;
        m->threshold[i] = high;
        m->best_value[i] = top;
        atomicAdd(&m->counters->row_scans, (u64)1);
    }
    fence();
    block_sync();
}

// A faster version for long rows: the first part of the row yields an estimate of the level that about
// LIST columns of the row will exceed; then only columns above it are recorded.
struct NotedCandidates {
    enum { CAPACITY = 352, FIRST = 16 * THREADS };
    price_t net[CAPACITY], worth[CAPACITY];
    int column[CAPACITY];
};
static_assert(sizeof(Shared) % 8 == 0 && sizeof(Shared) + sizeof(NotedCandidates) <= 8192, "see instance.py");

// A level that about this many of the threads' values exceed.
DEVICE price_t level_of(Shared* s, price_t mine, int wanted)
{
    // Threads that saw only forbidden pairs do not count.
    price_t high = mine, low = mine == LOWEST ? LOWEST : -mine;
    int none = 0;
    block_best(s, 0, high, none);
    block_best(s, 1, low, none);
    low = low == LOWEST ? LOWEST : -low;
    for (int turn = 0, tries = 0; tries < 40; turn ^= 1, tries++) {
        const price_t middle = low + (high - low) / 2;
        if (!(middle > low && middle < high)) break;
        const int above = block_sum(s, turn, mine > middle);
        if (4 * above < 3 * wanted) high = middle;
        else low = middle;
        if (4 * above >= 3 * wanted && 4 * above <= 5 * wanted) break;
    }
    return low;
}

// Return false, without a list, if the level was a poor estimate.
template <bool FREE>
DEVICE bool list_by_level(const Instance* m, Shared* s, int i)
{
    NotedCandidates* const noted = (NotedCandidates*)(s + 1);
    const int columns = (int)m->columns;
    price_t mine = LOWEST;
    for_columns<true, FREE>(m, i, 0, NotedCandidates::FIRST, [&](int, price_t b, price_t p) {
        const price_t w = b - p;
        mine = w > mine ? w : mine;
    });
    block_sync();
    if (threadIdx.x == 0) s->size = 0;
    const int wanted = (int)((u64)LIST * 3 / 4 * NotedCandidates::FIRST / columns);
    const price_t level = level_of(s, mine, wanted > 2 ? wanted : 2);
    for_columns<true, FREE>(m, i, 0, columns, [&](int j, price_t b, price_t p) {
        if (!(b - p > level)) return;
        const int place = atomicAdd(&s->size, 1);
        if (place < NotedCandidates::CAPACITY)
            noted->net[place] = b - p, noted->worth[place] = b, noted->column[place] = j;
    });
    block_sync();
    const int size = s->size;
    if (size < 2 || size > NotedCandidates::CAPACITY) return false;
    price_t top = LOWEST;
    int none = 0;
    for (int q = threadIdx.x; q < size; q += THREADS) {
        const price_t w = noted->net[q], b = noted->worth[q];
        top = w > top ? w : top;
        int place = q;
        if (size > LIST) {
            place = 0;
            for (int k = 0; k < size; k++) place += noted->net[k] > w || (noted->net[k] == w && k < q);
            if (place == LIST) s->number = w;
        }
        if (place < LIST) {
            m->list_columns[(u64)i * LIST + place] = noted->column[q];
            m->list_values[(u64)i * LIST + place] = (value_t)(SIGN < 0 ? -b : b);
        }
    }
    block_best(s, 0, top, none);
    if (threadIdx.x == 0) {
        m->list_length[i] = size < LIST ? size : LIST;
        m->threshold[i] = size > LIST ? s->number : level;
        m->best_value[i] = top;
        atomicAdd(&m->counters->row_scans, (u64)1);
    }
    block_sync();
    return true;
}

DEVICE void fill_list(const Instance* m, Shared* s, int i)
{
    const bool by_level = m->columns >= 2 * NotedCandidates::FIRST;
    if (by_level && (m->prices_are_zero ? list_by_level<true>(m, s, i) : list_by_level<false>(m, s, i))) return;
    block_sync();
    make_list<true>(m, s, i);
}

// Rows for which no time is left get an empty list, whose threshold excludes nothing.
KERNEL(THREADS, FULL) fill_lists(Instance* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    u32 k = blockIdx.x;
    for (int turn = 0; k < m->row_count; turn ^= 1) {
        check_clock(m, s, turn);
        fill_list(m, s, m->row_order[k]);
        k += gridDim.x;
        if (clock_ran_out(s, turn)) break;
    }
    for (k += threadIdx.x * gridDim.x; k < m->row_count; k += THREADS * gridDim.x) {
        const int i = m->row_order[k];
        m->list_length[i] = 0;
        m->threshold[i] = m->best_value[i] = HIGHEST;
    }
}

// The next candidates of rows whose lists are exhausted: columns with net values up to ``row_buffer``.
KERNEL(THREADS, FULL) next_lists(Instance* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    for (u32 k = blockIdx.x; k < m->row_count; k += gridDim.x)
        make_list<true, true>(m, s, m->row_order[k], m->row_buffer[k]);
}

// The benefits of all columns of one row, the first in ``row_order``, in ``price_at_look``: for a row with
// more equal columns than a list holds.
KERNEL(THREADS, FULL) copy_row(Instance* m)
{
    const int i = m->row_order[0];
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS)
        m->price_at_look[j] = benefit_of(m, i, (int)j);
}
