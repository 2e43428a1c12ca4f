// Links: for each column, the row that last raised its price.
//
// A link leads from a column to the column owned by the row that raised its price. Where rows raise one
// another's prices for ever the links form a cycle; giving every row of the cycle the column whose price
// it raised improves the assignment by the gain of the cycle. Elsewhere the links form a forest, along
// which prices are raised at once (``weigh_links``, ``sum_links``, ``raise_prices_by_links``): otherwise
// a rise would travel from row to row, one step at a time, hundreds of times. Howard's policy iteration
// works alike, with the links as the policy.
//
// A price and its link must change together, or cycles stay undetected. If ``prices_carry_links``, the
// row is stored in the low bits of the price, so that one compare-and-swap updates both. This leaves 35
// bits to a price: enough for every scale but the last of non-integral values. Otherwise a lock is used.
#pragma once
#include "assignment/gpu/kernels/auction.cuh"

// Relative error of a price with an embedded link; ``tolerance`` is this part of the largest benefit.
#define LINK_PART (1.0 / ((u64)1 << (52 - OWNER_BITS)))
#define ROUNDING (LINK_PART * ((u64)1 << 49))

// Values of ``price_at_look``: the column's row must be evaluated in any case; the row waits for a list.
#define UNSEEN LOWEST
#define WAITING HIGHEST

union PriceWord { price_t p; u64 bits; };

DEVICE price_t price_in(price_t word)
{
    PriceWord x = {word};
    x.bits &= ~OWNER_MASK;
    return x.p;
}

// Round up to the next price with room for a link: lists assume that prices never fall.
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

// The row that raised the price of a column.
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

// Store the target of each link in ``workspace``, behind the columns that wait for a list.
DEVICE int* next_columns(const Instance* m) { return m->workspace + (m->rows + 3) / 4 * 4; }

KERNEL(THREADS, 1) follow_links(Instance* m)
{
    // All waiting rows have their lists now.
    if (blockIdx.x == 0 && threadIdx.x == 0) m->status->pending = 0, m->status->cursor = m->status->ended;
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->columns; q += gridDim.x * THREADS) {
        const int i = raiser(m, (int)q);
        next_columns(m)[q] = i == NONE ? NONE : m->column[i];
    }
}

// Whether a column is the smallest of a cycle. Most paths end soon, at a smaller column or where nobody
// raised a price. Paths that lead into a cycle of larger columns end when they return to the column
// visited 1, 3, 7, ... steps from the start (Brent 1980).
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

// Call f(column) for the columns of a cycle, divided among the lanes of a warp; return their number.
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

// Apply a cycle with positive gain: its rows take the columns whose prices they raised. Break other
// cycles.
DEVICE void turn_cycle(const Instance* m, const int* next, int start)
{
    price_t gain = 0;
    const int length = for_cycle(next, start, [&](int j) {
        const int i = raiser(m, j);
        gain += benefit_of(m, i, j) - m->row_benefit[i];
    });
    gain = warp_sum(gain);
    // Each of these values may be inexact.
    const bool better = gain > m->tolerance * length;
    for_cycle(next, start, [&](int j) {
        const int i = raiser(m, j);
        cut_link(m, j);
        if (better) {
            m->column[i] = j;
            m->owner[j] = i;
            m->row_benefit[i] = benefit_of(m, i, j);
            // Rows that wait for a list are evaluated once they have it.
            if (m->price_at_look[j] != WAITING) m->price_at_look[j] = UNSEEN;
        }
    });
    if (better && lane() == 0) {
        atomicAdd(&m->status->changed, 1u);
        atomicAdd(&m->counters->cycles, (u64)1);
        atomicMax(&m->counters->longest_cycle, (u64)length);
    }
}

// Cycles are disjoint, so all are applied at once. If ``links_fit_shared``, the links are copied to
// shared memory first, since a path is a chain of dependent loads.
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

// A column's price must be at least ``least``, and at least ``gain`` above that of column ``at``.
struct LinkPath { price_t least, gain; int at; };

DEVICE int steps_at_once(const Instance* m)
{
    u64 h = 2;
    while (h * h * h < m->columns) h++;
    return (int)h;
}

// What a row would bid now for the column whose price it raised.
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

// Raise prices along paths of up to ``steps`` squared links, which covers most of them.
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
