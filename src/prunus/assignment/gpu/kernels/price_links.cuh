// Links: which row made a column dearer last.
//
// From a column a link leads to the column of the row that made it dearer. Where rows make one another's
// columns dearer for ever the links go round: to give every row of the cycle the column that it made dearer
// is better by the whole of the cycle. Elsewhere they are a forest, along which prices are raised at once
// (``weigh_links``, ``climb_links``, ``raise_by_links``): a row passes on what it pays, and rows would do it
// one after the other, hundreds of times. Howard's policy iteration does the same, with links as the policy.
//
// Price and link must change together: with links of another's price cycles stay hidden. If ``linked``, the
// row stands in the last bits of the price, and one compare and swap does it. That leaves 35 bits to a
// price: enough for every step but the last of values that are not whole. Else there is a lock.
#pragma once
#include "assignment/gpu/kernels/auction.cuh"

// A price with a link is off by so much of itself; ``limit`` is so small a part of the largest benefit.
#define LINK_PART (1.0 / ((u64)1 << (52 - OWNER_BITS)))
#define ROUNDING (LINK_PART * ((u64)1 << 49))

// ``seen`` of a column whose row is to be looked at in any case, and of one whose row waits for a list.
#define UNSEEN LOWEST
#define WAITING HIGHEST

union Word { price_t p; u64 bits; };

DEVICE price_t price_in(price_t word)
{
    Word x = {word};
    x.bits &= ~OWNER_MASK;
    return x.p;
}

// The next one with room for a link: lists are for prices that never fall.
DEVICE price_t not_below(price_t price)
{
    Word x = {price};
    if (price > 0) x.bits += OWNER_MASK;
    return price_in(x.p);
}

DEVICE price_t with_link(price_t price, int i)
{
    Word x = {price};
    x.bits = (x.bits & ~OWNER_MASK) | (u64)(i + 1);
    return x.p;
}

// The row that made a column dearer.
DEVICE int maker(const Market* m, int j)
{
    if (!m->linked) return m->parent[j];
    const Word x = {m->price[j]};
    return (int)(x.bits & OWNER_MASK) - 1;
}

DEVICE void cut_link(const Market* m, int j)
{
    if (m->linked) m->price[j] = price_in(m->price[j]);
    else m->parent[j] = NONE;
}

template <bool LINKED>
DEVICE price_t price_of(price_t word)
{
    return LINKED ? price_in(word) : word;
}

DEVICE price_t price_without_link(const Market* m, int j) { return m->linked ? price_in(m->price[j]) : m->price[j]; }

// Where links lead: in ``ring``, behind those that wait for a list.
DEVICE int* next_columns(const Market* m) { return m->ring + (m->rows + 3) / 4 * 4; }

KERNEL(THREADS, 1) follow_links(Market* m)
{
    // Those who waited have their lists.
    if (blockIdx.x == 0 && threadIdx.x == 0) m->control[PENDING] = 0, m->control[CURSOR] = m->control[ENDED];
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->columns; q += gridDim.x * THREADS) {
        const int i = maker(m, (int)q);
        next_columns(m)[q] = i == NONE ? NONE : m->column[i];
    }
}

// Whether a column is the smallest of a cycle. Most ways end soon, at a smaller column or where nobody made
// anything dearer. Ways into a cycle of larger columns end when they come to where they were 1, 3, 7, ... steps
// from the start (Brent 1980).
DEVICE bool leads_cycle(const int* next, int q)
{
    int at = next[q], mark = at;
    for (u32 steps = 0, turn = 1; at > q; steps++) {
        if (steps == turn) mark = at, turn *= 2, steps = 0;
        at = next[at];
        if (at == mark) break;
    }
    return at == q;
}

// Call f(column) for the columns of a cycle, shared out among the lanes of a warp; return how many there are.
template <class F>
DEVICE int for_cycle(const int* next, int start, F f)
{
    int at = start, length = 0;
    for (bool more = true; more;) {
        int mine = NONE;
        for (int k = 0; k < WARP && more; k++) {
            if (k == lane()) mine = at;
            at = next[at];
            more = at != start;
            length++;
        }
        if (mine != NONE) f(mine);
    }
    return length;
}

// Give the rows of a cycle that gains the columns that they made dearer; cut another one open.
DEVICE void turn_cycle(const Market* m, const int* next, int start)
{
    price_t gain = 0;
    const int length = for_cycle(next, start, [&](int j) {
        const int i = maker(m, j);
        gain += at(m, i, j) - m->worth[i];
    });
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) gain += shuffle_xor(gain, d);
    // Each of so many values may be off.
    const bool better = gain > m->limit * length;
    for_cycle(next, start, [&](int j) {
        const int i = maker(m, j);
        cut_link(m, j);
        if (better) {
            m->column[i] = j;
            m->owner[j] = i;
            m->worth[i] = at(m, i, j);
            // Whose row waits will be looked at when there is a list.
            if (m->seen[j] != WAITING) m->seen[j] = UNSEEN;
        }
    });
    if (better && lane() == 0) {
        atomicAdd(&m->control[CHANGED], 1u);
        atomicAdd(&m->figures[CYCLES], (u64)1);
        atomicMax(&m->figures[LONGEST], (u64)length);
    }
}

// Cycles have no column in common, so all are turned at once. Links are copied to the block's own memory if
// there is ``room``: a way is one step after the other.
KERNEL(THREADS, 1) turn_cycles(Market* m)
{
    DYNAMIC_SHARED(memory);
    const u32 columns = (u32)m->columns, first = blockIdx.x * THREADS;
    if (first >= columns) return;
    const int* next = next_columns(m);
    if (m->room) {
#pragma unroll 8
        for (u32 q = threadIdx.x; 4 * q < columns; q += THREADS) memory[q] = ((const uint4*)next)[q];
        block_sync();
        next = (const int*)memory;
    }
    for (u32 begin = first + threadIdx.x - lane(); begin < columns; begin += gridDim.x * THREADS) {
        const u32 q = begin + lane();
        for (lanes_t set = warp_ballot(q < columns && leads_cycle(next, (int)q)); set; set &= set - 1)
            turn_cycle(m, next, (int)begin + lowest_lane(set));
    }
}

// A column's price is ``least``, and at least ``gain`` more than that of column ``at``.
struct Way { price_t least, gain; int at; };

DEVICE int steps_at_once(const Market* m)
{
    u64 h = 2;
    while (h * h * h < m->columns) h++;
    return (int)h;
}

// What a row would pay for the column that it made dearer if it were made dearer now.
KERNEL(THREADS, 1) weigh_links(Market* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS) {
        const int i = maker(m, (int)j);
        Way way = {price_without_link(m, (int)j), 0, NONE};
        if (i != NONE) way.gain = at(m, i, (int)j) - m->worth[i], way.at = m->column[i];
        ((Way*)m->ways)[j] = way;
    }
}

DEVICE Way climb(const Way* ways, int j, int steps)
{
    Way way = ways[j];
    for (int k = 1; k < steps && way.at != NONE; k++) {
        const Way next = ways[way.at];
        const price_t least = next.least + way.gain;
        way.least = least > way.least ? least : way.least;
        way.gain += next.gain;
        way.at = next.at;
    }
    return way;
}

KERNEL(THREADS, 1) climb_links(Market* m)
{
    const Way* const ways = (const Way*)m->ways;
    const int steps = steps_at_once(m);
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS)
        ((Way*)m->ways)[m->columns + j] = climb(ways, (int)j, steps);
}

// Higher still, as far as most links go.
KERNEL(THREADS, 1) raise_by_links(Market* m)
{
    const Way* const ways = (const Way*)m->ways + m->columns;
    const int steps = steps_at_once(m);
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS) {
        const price_t least = climb(ways, (int)j, steps).least;
        if (!(least > price_without_link(m, (int)j) + m->step)) continue;
        m->price[j] = m->linked ? with_link(least, maker(m, (int)j)) : least;
    }
}
