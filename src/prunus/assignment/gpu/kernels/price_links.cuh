// Links: which row made a column dearer last.
//
// From a column a link leads to the column of the row that made it dearer. Where rows make one another's
// columns dearer for ever the links go round: to give every row of the cycle the column that it made dearer
// is better by the whole of the cycle. Elsewhere they are a forest, along which prices are raised at once
// (``weigh_links``, ``sum_links``, ``raise_prices_by_links``): a row passes on what it pays, and rows would do it
// one after the other, hundreds of times. Howard's policy iteration does the same, with links as the policy.
//
// Price and link must change together: with links of another's price cycles stay hidden. If ``prices_carry_links``, the
// row stands in the last bits of the price, and one compare and swap does it. That leaves 35 bits to a
// price: enough for every step but the last of values that are not whole. Else there is a lock.
#pragma once
#include "assignment/gpu/kernels/auction.cuh"

// A price with a link is off by so much of itself; ``tolerance`` is so small a part of the largest benefit.
#define LINK_PART (1.0 / ((u64)1 << (52 - OWNER_BITS)))
#define ROUNDING (LINK_PART * ((u64)1 << 49))

// ``price_at_look`` of a column whose row is to be looked at in any case, and of one whose row waits for a list.
#define UNSEEN LOWEST
#define WAITING HIGHEST

union PriceWord { price_t p; u64 bits; };

DEVICE price_t price_in(price_t word)
{
    PriceWord x = {word};
    x.bits &= ~OWNER_MASK;
    return x.p;
}

// The next one with room for a link: lists are for prices that never fall.
DEVICE price_t round_up_for_link(price_t price)
{
    PriceWord x = {price};
    if (price > 0) x.bits += OWNER_MASK;
    return price_in(x.p);
}

DEVICE price_t with_link(price_t price, int i)
{
    PriceWord x = {price};
    x.bits = (x.bits & ~OWNER_MASK) | (u64)(i + 1);
    return x.p;
}

// The row that made a column dearer.
DEVICE int raiser(const Instance* m, int j)
{
    if (!m->prices_carry_links) return m->raised_by[j];
    const PriceWord x = {m->price[j]};
    return (int)(x.bits & OWNER_MASK) - 1;
}

DEVICE void cut_link(const Instance* m, int j)
{
    if (m->prices_carry_links) m->price[j] = price_in(m->price[j]);
    else m->raised_by[j] = NONE;
}

template <bool LINKED>
DEVICE price_t price_of(price_t word)
{
    return LINKED ? price_in(word) : word;
}

DEVICE price_t price_without_link(const Instance* m, int j) { return m->prices_carry_links ? price_in(m->price[j]) : m->price[j]; }

// Where links lead: in ``workspace``, behind those that wait for a list.
DEVICE int* next_columns(const Instance* m) { return m->workspace + (m->rows + 3) / 4 * 4; }

KERNEL(THREADS, 1) follow_links(Instance* m)
{
    // Those who waited have their lists.
    if (blockIdx.x == 0 && threadIdx.x == 0) m->status->pending = 0, m->status->cursor = m->status->ended;
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->columns; q += gridDim.x * THREADS) {
        const int i = raiser(m, (int)q);
        next_columns(m)[q] = i == NONE ? NONE : m->column[i];
    }
}

// Whether a column is the smallest of a cycle. Most ways end soon, at a smaller column or where no row made
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
DEVICE void turn_cycle(const Instance* m, const int* next, int start)
{
    price_t gain = 0;
    const int length = for_cycle(next, start, [&](int j) {
        const int i = raiser(m, j);
        gain += benefit_of(m, i, j) - m->row_benefit[i];
    });
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) gain += shuffle_xor(gain, d);
    // Each of so many values may be off.
    const bool better = gain > m->tolerance * length;
    for_cycle(next, start, [&](int j) {
        const int i = raiser(m, j);
        cut_link(m, j);
        if (better) {
            m->column[i] = j;
            m->owner[j] = i;
            m->row_benefit[i] = benefit_of(m, i, j);
            // Whose row waits will be looked at when there is a list.
            if (m->price_at_look[j] != WAITING) m->price_at_look[j] = UNSEEN;
        }
    });
    if (better && lane() == 0) {
        atomicAdd(&m->status->changed, 1u);
        atomicAdd(&m->counters->cycles, (u64)1);
        atomicMax(&m->counters->longest_cycle, (u64)length);
    }
}

// Cycles have no column in common, so all are turned at once. Links are copied to the block's own memory if
// there is ``links_fit_shared``: a way is one step after the other.
KERNEL(THREADS, 1) apply_cycles(Instance* m)
{
    DYNAMIC_SHARED(memory);
    const u32 columns = (u32)m->columns, first = blockIdx.x * THREADS;
    if (first >= columns) return;
    const int* next = next_columns(m);
    if (m->links_fit_shared) {
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
struct LinkPath { price_t least, gain; int at; };

DEVICE int steps_at_once(const Instance* m)
{
    u64 h = 2;
    while (h * h * h < m->columns) h++;
    return (int)h;
}

// What a row would pay for the column that it made dearer if it were made dearer now.
KERNEL(THREADS, 1) weigh_links(Instance* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS) {
        const int i = raiser(m, (int)j);
        LinkPath way = {price_without_link(m, (int)j), 0, NONE};
        if (i != NONE) way.gain = benefit_of(m, i, (int)j) - m->row_benefit[i], way.at = m->column[i];
        ((LinkPath*)m->link_paths)[j] = way;
    }
}

DEVICE LinkPath sum_path(const LinkPath* ways, int j, int steps)
{
    LinkPath way = ways[j];
    for (int k = 1; k < steps && way.at != NONE; k++) {
        const LinkPath next = ways[way.at];
        const price_t least = next.least + way.gain;
        way.least = least > way.least ? least : way.least;
        way.gain += next.gain;
        way.at = next.at;
    }
    return way;
}

KERNEL(THREADS, 1) sum_links(Instance* m)
{
    const LinkPath* const ways = (const LinkPath*)m->link_paths;
    const int steps = steps_at_once(m);
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS)
        ((LinkPath*)m->link_paths)[m->columns + j] = sum_path(ways, (int)j, steps);
}

// Higher still, as far as most links go.
KERNEL(THREADS, 1) raise_prices_by_links(Instance* m)
{
    const LinkPath* const ways = (const LinkPath*)m->link_paths + m->columns;
    const int steps = steps_at_once(m);
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS) {
        const price_t least = sum_path(ways, (int)j, steps).least;
        if (!(least > price_without_link(m, (int)j) + m->epsilon)) continue;
        m->price[j] = m->prices_carry_links ? with_link(least, raiser(m, (int)j)) : least;
    }
}
