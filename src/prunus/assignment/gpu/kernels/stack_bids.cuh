// Row reduction (Jonker and Volgenant 1987), all free rows at once: each bids for its best column the
// difference to its second best. A bid takes one look at a row where a path takes many, and leaves few
// rows to the paths, above all where some columns will stay free.
//
// Prices of columns only fall, and only of those that a row takes: a column that nobody takes keeps its
// price, and a row that has a column has its best.
#pragma once
#include "assignment/gpu/kernels/stack_start.cuh"

// Rounds, at most: where columns stay free nearly all rows find one in so many.
#define ROUNDS 40
#define SQUARE_ROUNDS 20

// The best and the second best column of a row, as seen by one lane or by all.
struct Offer {
    price_t first, second; // reduced costs
    int column;            // of several equal ones one that is free, if there is
    int owner;             // of the column, or -1

    DEVICE void consider(price_t c, int j, int its)
    {
        const bool better = (c < first) | ((c == first) & ((its & ~owner) < 0));
        const price_t beside = better ? first : c;
        second = beside < second ? beside : second;
        first = better ? c : first;
        column = better ? j : column;
        owner = better ? its : owner;
    }
};

// What a warp offers for a row.
DEVICE Offer make_offer(const Problem& p, const State& a, int i)
{
    Offer o = {FAR, FAR, -1, 0};
    look_through(p, a, i, [&](value_t, price_t c, int j, int owner) { o.consider(c, j, owner); });
    const u64 key = ordered(o.first), least = warp_min(key);
    const lanes_t best = warp_ballot(key == least), idle = warp_ballot(key == least && o.owner < 0);
    const int leader = lowest_lane(idle ? idle : best);
    const price_t beside = lane() == leader ? o.second : o.first;
    const u64 next = ordered(beside), lowest = warp_min(next);
    o.first = shuffle_from(o.first, leader);
    o.second = shuffle_from(beside, lowest_lane(warp_ballot(next == lowest)));
    o.column = warp_shuffle(o.column, leader);
    o.owner = idle ? -1 : 0;
    return o;
}

// Lets free rows bid until all have a column, none gets one, or for some rounds.
DEVICE void bid(const Problem& p, const State& a, Shared* s, int t)
{
    int rounds = p.rows < p.columns ? ROUNDS : SQUARE_ROUNDS;
    // Prices that have fallen far would leave paths no room in 64 bits.
    const bool whole = (price_t)0.5 == 0;
    if (whole && rounds > p.rows / 4) rounds = p.rows / 4;
    int *const bidder = a.parent, *const column = a.claim;
    price_t* const rise = (price_t*)a.best;
    for (int j = t; j < p.columns; j += THREADS) bidder[j] = p.rows;
    for (int round = 0; round < rounds; round++) {
        const int free = find_free(p, a, s, t);
        if (free == 0) return;
        for (int q = t / WARP; q < free; q += WARPS) {
            const int i = a.list[q];
            const Offer o = make_offer(p, a, i);
            // What a row's only column is worth to it nobody knows; ties are left to the paths.
            const bool sure = o.second < FAR;
            const bool bids = o.first < FAR && (o.owner < 0 || (sure && o.second > o.first));
            if (lane() != 0) continue;
            column[i] = bids ? o.column : -1;
            rise[i] = sure ? o.second - o.first : 0;
            a.u[i] = o.first;
            if (bids) atomicMin(&bidder[o.column], q);
        }
        meet();
        for (int q = t; q < free; q += THREADS) {
            const int i = a.list[q], j = column[i];
            if (j < 0 || bidder[j] != q) continue;
            const int before = a.owner[j];
            if (before >= 0) a.mate[before] = -1;
            a.v[j] -= rise[i];
            a.u[i] += rise[i];
            a.owner[j] = i;
            a.mate[i] = j;
            s->top = 1;
        }
        meet();
        const bool news = s->top != 0;
        for (int q = t; q < free; q += THREADS)
            if (column[a.list[q]] >= 0) bidder[column[a.list[q]]] = p.rows;
        meet();
        if (!news) return;
    }
}
