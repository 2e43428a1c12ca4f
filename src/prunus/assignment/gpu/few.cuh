// The last bidders of a phase, which outbid one another in long chains: nearly all the time of an auction
// goes there, and in it to waiting for memory. One block, a warp a bidder, with all prices in its own
// memory: of the three times that a bid waits for the device's memory one is left, the list.
//
// Whoever has to make its list anew calls all warps; they do it together, and nobody bids meanwhile.
#pragma once
#include "assignment/gpu/auction.cuh"

#if OWNED
struct Few {
    Market market;      // with the prices that are here
    int row[WARPS];     // the bidders
    int waiting[WARPS]; // those that need a list
    int count, active, call, stop;
};

#define FEW_HEAD 2048
static_assert(sizeof(Shared) % 8 == 0 && sizeof(Shared) + sizeof(Few) <= FEW_HEAD, "see market.py");

// After ``collect_rows``, in one block; nothing is done if there are more bidders than warps.
KERNEL(THREADS, 1) auction_few(Market* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    Few* const few = (Few*)(s + 1);
    price_t* const price = (price_t*)((char*)memory + FEW_HEAD);
    const u32 left = peek(&m->control[UNASSIGNED]);
    if (left == 0 || left > WARPS) return;
    for (u32 j = threadIdx.x; j < m->columns; j += THREADS) price[j] = m->price[j];
    if (threadIdx.x < WARPS) few->row[threadIdx.x] = few->waiting[threadIdx.x] = NONE;
    if (threadIdx.x == 0) {
        few->market = *m;
        few->market.price = price;
        few->count = few->call = few->stop = 0;
    }
    block_sync();
    for (u32 i = threadIdx.x; i < m->rows; i += THREADS)
        if (m->column[i] == NONE) few->row[atomicAdd(&few->count, 1) % WARPS] = (int)i;
    block_sync();
    if (threadIdx.x == 0) few->active = few->count;
    block_sync();
    const int self = threadIdx.x / WARP;
    int i = few->row[self];
    u64 bids = 0;
    for (;;) {
        for (;;) {
            int go = 0;
            if (lane() == 0) go = i != NONE && !peek(&few->call);
            if (!warp_shuffle(go, 0)) break;
            bool sure;
            const Bid b = best_of_list(m, i, sure, [&](int j) { return peek(&price[j]); });
            int next = i;
            if (lane() == 0) {
                if (sure) {
                    next = swap_owner(m, &price[b.j], i, b);
                    if (next == NONE) atomicSub(&few->active, 1);
                    if ((++bids & 31) == 0 && late(m)) poke(&few->stop, 1), poke(&few->call, 1);
                } else {
                    few->waiting[self] = i;
                    poke(&few->call, 1);
                }
            }
            i = warp_shuffle(next, 0);
        }
        block_sync();
        // Everybody is here, and nothing changes before the last barrier.
        const bool end = few->stop || few->active == 0;
        for (int k = 0; k < WARPS && !end; k++)
            if (few->waiting[k] != NONE) make_list<true>(&few->market, s, few->waiting[k]);
        block_sync();
        if (end) break;
        if (threadIdx.x < WARPS) few->waiting[threadIdx.x] = NONE;
        if (threadIdx.x == 0) few->call = late(m), few->stop = few->call;
        block_sync();
    }
    for (u32 j = threadIdx.x; j < m->columns; j += THREADS) m->price[j] = price[j];
    if (threadIdx.x == 0) m->control[UNASSIGNED] = (u32)few->active;
    if (lane() == 0) atomicAdd(&m->figures[BIDS], bids);
}
#endif
