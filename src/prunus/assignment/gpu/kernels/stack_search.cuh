// A phase: one search from all free rows, new prices, and a path for every tree that found an end.
#pragma once
#include "assignment/gpu/kernels/stack_problem.cuh"

// The labels of a thread's columns, in registers.
struct Labels {
    const value_t* column[SLOTS];
    price_t distance[SLOTS];
    price_t reach[SLOTS]; // the distance and the price of the column: what a way must be less than
    bool open[SLOTS], vacant[SLOTS];

    DEVICE Labels(const Problem& p, const State& a, int t)
    {
        EACH_SLOT for (int k = 0; k < SLOTS; k++) {
            const int j = t + k * THREADS;
            const bool there = j < p.columns;
            column[k] = p.at(0, there ? j : 0);
            distance[k] = FAR;
            reach[k] = there ? FAR : -FAR;
            open[k] = false;
            vacant[k] = there && a.owner[j] < 0;
        }
    }

    // Notes a way that is shorter but for rounding; the price of the column is in it.
    DEVICE void lower(const State& a, int k, int j, price_t way, price_t from, int row, int tree)
    {
        const price_t v = a.v[j];
        way -= v;
        way = way > from ? way : from; // not less by rounding, nor -0.0
        if (!(way < distance[k])) return;
        distance[k] = way;
        reach[k] = way + v;
        open[k] = !vacant[k];
        a.parent[j] = row;
        a.root[j] = tree;
    }
};

// Labels the columns from free rows, ROWS at a time.
DEVICE void scan_free(const Problem& p, const State& a, Labels& l, int t, int free)
{
    for (int first = 0; first < free; first += ROWS) {
        value_t value[SLOTS][ROWS];
        // Without branches, so that the processor works at several: the last row again, not fewer.
        const int most = free - 1;
        EACH_SLOT for (int k = 0; k < SLOTS; k++) {
#pragma unroll
            for (int q = 0; q < ROWS; q++)
                value[k][q] = l.column[k][a.list[first + q < most ? first + q : most] * p.down];
        }
        EACH_SLOT for (int k = 0; k < SLOTS; k++) {
            price_t least = l.reach[k];
            int by = -1;
#pragma unroll
            for (int q = 0; q < ROWS; q++) {
                const int at = first + q < most ? first + q : most;
                const price_t way = p.cost(value[k][q]) - a.u[a.list[at]];
                if (way < least) least = way, by = at;
            }
            if (by < 0) continue;
            const int row = a.list[by];
            l.lower(a, k, t + k * THREADS, least, 0, row, row);
        }
    }
}

// Labels the columns from the rows of what the groups of a set propose.
DEVICE void scan_proposed(const Problem& p, const State& a, Labels& l, int t, const Entry* entry, lanes_t set)
{
    for (int first = 0; first < GROUPS; first += ROWS) {
        if (!(set >> first)) break;
        const int last = GROUPS - 1;
        value_t value[SLOTS][ROWS];
        EACH_SLOT for (int k = 0; k < SLOTS; k++) {
#pragma unroll
            for (int q = 0; q < ROWS; q++)
                value[k][q] = l.column[k][entry[first + q < last ? first + q : last].start];
        }
        EACH_SLOT for (int k = 0; k < SLOTS; k++) {
            price_t least = l.reach[k];
            int by = -1;
#pragma unroll
            for (int q = 0; q < ROWS; q++) {
                const int at = first + q < last ? first + q : last;
                const price_t way = p.cost(value[k][q]) + entry[at].offset;
                if (way < least) least = way, by = at;
            }
            if (by < 0) continue;
            const Entry& e = entry[by];
            l.lower(a, k, t + k * THREADS, least, e.label, e.row, e.tree);
        }
    }
}

// Labels columns until enough trees have come to a free one, or there is nothing left to scan.
// Returns how far: all columns that are nearer are labelled for good; FAR if there is nothing left.
DEVICE price_t search(const Problem& p, const State& a, Shared* s, Labels& l, int t, int free)
{
    scan_free(p, a, l, t, free);
    const u32 goal = free > 1 ? free / 2 : 1;
    u32 reached = 0, news = 0;
    for (int turn = 0;; turn ^= 1) {
        price_t least = FAR;
        int at = -1;
        EACH_SLOT for (int k = 0; k < SLOTS; k++)
            if (l.open[k] && l.distance[k] < least) least = l.distance[k], at = k;
        const u64 key = key_of(least);
        const bool leads = nearly(key, least) == nearly_least_of_group(key, least);
        u32 told = 0;
        if (warp_any(news != 0)) told = (u32)warp_shuffle(warp_scan((int)news), WARP - 1);
        const int place = lane() / GROUP * GROUP;
        if (lane() - place == lowest_lane(warp_ballot(leads) >> place)) {
            Entry& e = s->entry(turn)[t / GROUP];
            e.label = least;
            e.news = place == 0 ? told : 0;
            e.start = 0;
            e.offset = BEYOND; // unless there is one, of which the first row's values change nothing
            if (at >= 0) {
                const int j = t + at * THREADS;
                e.row = a.owner[j];
                e.start = e.row * p.down;
                e.tree = a.root[j];
                e.offset = least - a.u[e.row];
                EACH_SLOT for (int k = 0; k < SLOTS; k++)
                    if (k == at) l.open[k] = false;
            }
        }
        meet();
        const bool speaks = lane() < GROUPS;
        const Entry& mine = s->entry(turn)[speaks ? lane() : 0];
        const price_t proposed = speaks ? mine.label : FAR;
        const price_t lowest = price_of(nearly_least(key_of(proposed), proposed));
        u32 heard = speaks ? mine.news : 0;
        if (warp_any(heard != 0)) {
            heard = (u32)warp_shuffle(warp_scan((int)heard), WARP - 1);
            reached += heard % AGAIN;
            // In a rectangular problem a column that remains free must keep its price.
            if (reached >= goal || (heard >= AGAIN && p.rows < p.columns)) return lowest;
        }
        if (!(lowest < FAR)) return FAR;
        news = 0;
        EACH_SLOT for (int k = 0; k < SLOTS; k++)
            if (l.vacant[k] && l.distance[k] <= lowest) {
                l.vacant[k] = false; // told once
                news += atomicExch(&a.claim[a.root[t + k * THREADS]], 0) < 0 ? 1 : AGAIN;
            }
        scan_proposed(p, a, l, t, s->entry(turn), warp_ballot(proposed < FAR));
    }
}

// One phase: at least one more row is matched. False if no free column can be reached.
DEVICE bool advance(const Problem& p, const State& a, Shared* s, int t, int free)
{
    Labels l(p, a, t);
    const price_t end = search(p, a, s, l, t, free);
    const bool square = p.rows == p.columns;
    for (int q = t; q < free; q += THREADS) a.claim[a.list[q]] = -1;
    meet();
    // The free columns that were reached, and their trees: what a label says may be old by a rounding.
    bool ends[SLOTS];
    EACH_SLOT for (int k = 0; k < SLOTS; k++) {
        const int j = t + k * THREADS;
        ends[k] = j < p.columns && l.distance[k] < FAR && l.distance[k] <= end && a.owner[j] < 0;
        if (!ends[k]) continue;
        int i = a.parent[j];
        while (a.mate[i] >= 0) i = a.parent[a.mate[i]];
        a.root[j] = i;
        if (!square) atomicMin(&a.best[i], key_of(l.distance[k]));
    }
    meet();
    EACH_SLOT for (int k = 0; k < SLOTS; k++) {
        if (!ends[k]) continue;
        const int j = t + k * THREADS, tree = a.root[j];
        const u64 key = key_of(l.distance[k]);
        ends[k] = (square || key == a.best[tree]) && atomicCAS(&a.claim[tree], -1, j) < 0;
        if (ends[k]) atomicMax(&s->top, key + 1);
        else atomicMin(&s->second, key);
    }
    meet();
    if (!s->top) return false;
    price_t far = end < FAR ? end : price_of(s->top - 1);
    if (!square && s->second < key_of(far)) far = price_of(s->second);
    EACH_SLOT for (int k = 0; k < SLOTS; k++) {
        const int j = t + k * THREADS;
        if (!(l.distance[k] < far)) continue;
        const price_t change = far - l.distance[k];
        a.v[j] -= change;
        if (a.owner[j] >= 0) a.u[a.owner[j]] += change;
    }
    for (int q = t; q < free; q += THREADS) a.u[a.list[q]] += far;
    meet();
    EACH_SLOT for (int k = 0; k < SLOTS; k++)
        if (ends[k] && l.distance[k] <= far)
            for (int j = t + k * THREADS, before; j >= 0; j = before) {
                const int i = a.parent[j];
                before = a.mate[i];
                a.owner[j] = i;
                a.mate[i] = j;
            }
    meet();
    return true;
}
