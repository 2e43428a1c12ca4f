// The auction algorithm (Bertsekas 1988) with many bidders at once, one block per bidder.
//
// A row bids from its candidate list if the list certainly holds its two best columns; otherwise the
// block rebuilds the list first. The row that loses its column bids next, in the same block. Prices only
// rise, so every assigned row stays within epsilon of its best column. The auction stops when no more
// than ``stop_count`` rows are unassigned.
//
// The latency of a single bid matters most, because the last rows bid one after the other. If OWNED, the
// owner of a column is stored in the low bits of its price, which are far below any epsilon, so that one
// compare-and-swap makes a bid without a lock. ``collect_owners`` extracts the assignment.
#pragma once
#include "assignment/gpu/kernels/deadline.cuh"
#include "assignment/gpu/kernels/candidate_lists.cuh"

#define OWNER_BITS 17
#define OWNER_MASK (((u64)1 << OWNER_BITS) - 1)

struct Bid {
    price_t first, second; // net values
    int j;
    price_t worth, price;  // benefit and price of j
};

// The two best columns of row i's candidate list, computed by all lanes of a warp. No column outside the
// list exceeds the threshold, so the threshold may stand for the second best; ``sure`` is false if the
// best column may be outside. Loads of a kind are issued together, to keep the latency of a bid low.
template <class P>
DEVICE Bid best_of_list(const Instance* m, int i, bool& sure, P price_of)
{
    const int length = load_shared_level(&m->list_length[i]);
    const price_t beyond = load_shared_level(&m->threshold[i]);
    int column[LIST / WARP];
    price_t worth[LIST / WARP], price[LIST / WARP];
#pragma unroll
    for (int e = 0; e < LIST / WARP; e++) {
        const u64 q = (u64)i * LIST + e * WARP + lane();
        column[e] = load_shared_level(&m->list_columns[q]);
        worth[e] = benefit(load_shared_level(&m->list_values[q]));
    }
#pragma unroll
    for (int e = 0; e < LIST / WARP; e++)
        price[e] = e * WARP + lane() < length ? price_of(column[e]) : 0;
    Bid b = {LOWEST, LOWEST, 0x7fffffff, 0, 0};
#pragma unroll
    for (int e = 0; e < LIST / WARP; e++) {
        const price_t w = e * WARP + lane() < length ? worth[e] - price[e] : LOWEST;
        if (w > b.first || (w == b.first && w > LOWEST && column[e] < b.j))
            b.second = b.first, b.first = w, b.j = column[e], b.worth = worth[e], b.price = price[e];
        else if (w > b.second)
            b.second = w;
    }
    const int mine = b.j;
    warp_two(b.first, b.second, b.j);
    const int source = lowest_lane(warp_ballot(mine == b.j));
    b.worth = shuffle_from(b.worth, source);
    b.price = shuffle_from(b.price, source);
    sure = b.second >= beyond || (SPARE && b.first >= beyond);
    if (beyond > b.second) b.second = beyond;
    // Where no other column is allowed, any rise keeps the row within epsilon of its best.
    if (b.first - b.second > m->largest_rise) b.second = b.first - m->largest_rise;
    return b;
}

DEVICE Bid best_of_list(const Instance* m, int i, bool& sure)
{
    return best_of_list(m, i, sure, [&](int j) { return price_now(m, j); });
}

#if OWNED
// Bid for a column at the price seen. Return its previous owner, NONE if it was free, or i if the price
// had changed and no bid was made.
DEVICE int swap_owner(const Instance* m, price_t* at, int i, const Bid& b)
{
    const price_t offer = b.worth - b.second + m->epsilon;
    if (offer - b.price < m->epsilon / 2) return i;
    union { price_t p; u64 word; } seen, wanted;
    seen.p = b.price;
    wanted.p = offer;
    wanted.word = (wanted.word & ~OWNER_MASK) | (u64)(i + 1);
    if (atomicCAS((u64*)at, seen.word, wanted.word) != seen.word) return i;
    return (int)(seen.word & OWNER_MASK) - 1;
}
#endif

// Bid for the best column. Return the row that bids next: NONE if there is none, i if it must bid again.
DEVICE int bid(Instance* m, int i, const Bid& b)
{
    const int j = b.j;
    int next = i;
#if OWNED
    next = swap_owner(m, &m->price[j], i, b);
    if (next == i) return i;
#else
    const price_t offer = b.worth - b.second + m->epsilon;
    while (atomicCAS(&m->lock[j], 0, 1)) sleep_briefly();
    fence();
    const price_t now = load_volatile(&m->price[j]);
    if (offer - now >= m->epsilon - m->epsilon / 2) {
        store_volatile(&m->price[j], offer);
        next = load_volatile(&m->owner[j]);
        store_volatile(&m->owner[j], i);
    }
    fence();
    atomicExch(&m->lock[j], 0);
#endif
    if (next == NONE) atomicSub(&m->status->unassigned, 1u);
    return next;
}

KERNEL(THREADS, 1) auction(Instance* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    u64 bids = 0;
    int i = NONE;
    if (threadIdx.x == 0) s->flag = 0;
    for (u32 round = 0;; round++) {
        if (threadIdx.x == 0) {
            while (i == NONE) {
                const u32 k = atomicAdd(&m->status->cursor, 1u);
                if (k >= m->row_count) i = NONE - 1;
                else if (m->column[m->row_order[k]] == NONE) i = m->row_order[k];
            }
            s->row = s->flag ? NONE - 1 : i;
        }
        block_sync();
        i = s->row;
        if (i < 0) break;
        if (threadIdx.x < WARP) {
            bool sure;
            const Bid b = best_of_list(m, i, sure);
            if (threadIdx.x == 0) {
                s->again = !sure;
                if (sure) i = bid(m, i, b);
                bids++;
            }
        } else if (threadIdx.x == WARP && (round & 3) == 0) {
            // Another warp checks whether to stop, so that bids do not wait for the clock.
            s->flag = out_of_time(m) || load_volatile(&m->status->unassigned) <= m->stop_count;
        }
        block_sync();
        if (s->again) {
            make_list<false>(m, s, i);
            // Prices may have risen since the list was made; the threshold then stands for the second
            // best.
            if (threadIdx.x < WARP) {
                bool sure;
                const Bid b = best_of_list(m, i, sure);
                if (threadIdx.x == 0) i = bid(m, i, b);
            }
        }
    }
    if (threadIdx.x == 0) atomicAdd(&m->counters->bids, bids);
}

// Begin a phase, and its first slice: unassign all rows. Prices are rounded up when the owner bits are
// cleared, so they never fall.
KERNEL(THREADS, 1) begin_auction_phase(Instance* m)
{
    const u32 self = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    for (u32 i = self; i < m->rows; i += threads) m->column[i] = NONE;
    for (u32 j = self; j < m->columns; j += threads) {
        m->owner[j] = NONE;
        m->lock[j] = 0;
#if OWNED
        union { price_t p; u64 word; } x;
        x.p = m->price[j];
        if (x.p > 0) x.word += OWNER_MASK;
        x.word &= ~OWNER_MASK;
        m->price[j] = x.p;
#endif
    }
    if (self == 0) {
        start_slice(m);
        m->status->unassigned = (u32)m->rows;
    }
}

// Extract the assignment; the second launch fills in the columns of the rows.
KERNEL(THREADS, 1) collect_owners(Instance* m)
{
    const u32 self = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    for (u32 i = self; i < m->rows; i += threads) m->column[i] = NONE;
#if OWNED
    for (u32 j = self; j < m->columns; j += threads) {
        union { price_t p; u64 word; } x;
        x.p = m->price[j];
        m->owner[j] = (int)(x.word & OWNER_MASK) - 1;
    }
#endif
}

KERNEL(THREADS, 1) collect_columns(Instance* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS)
        if (m->owner[j] != NONE) m->column[m->owner[j]] = (int)j;
}

#define ROUNDED_DOWN 0.015625

// After the last phase: clear the owner bits of all prices. If ``stop_count`` is 1 instead of 0, round
// prices up to whole numbers, or down by so little, for the owner bits' sake.
KERNEL(THREADS, 1) remove_owners_from_prices(Instance* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS) {
        price_t p = m->price[j];
#if OWNED
        union { price_t p; u64 word; } x;
        x.p = p;
        if (x.p > 0) x.word += OWNER_MASK;
        x.word &= ~OWNER_MASK;
        p = x.p;
#endif
        m->price[j] = m->stop_count ? (price_t)ceil((double)p - ROUNDED_DOWN) : p;
    }
}
