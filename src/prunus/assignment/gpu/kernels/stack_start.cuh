// The start: prices, the rows that are matched at these, and those that are left.
#pragma once
#include "assignment/gpu/kernels/stack_problem.cuh"

// Shows a lane its columns of a row, from the first on: value, reduced cost, column, owner (-1: none). Without
// branches for each, and a few at a time, so that the processor works at several; not many in a loop, whose
// code would be long.
template <class Look>
DEVICE void look_through(const Problem& p, const State& a, int i, Look look)
{
    constexpr int many = ROWS > 16 ? ROWS / 2 : ROWS, few = 4;
    for (int first = 0; first < p.columns; first += many * WARP) {
        value_t value[many];
        const value_t* at = p.at(i, first + lane());
#pragma unroll
        for (int q = 0; q < many; q++, at += p.across * WARP) {
            value[q] = value_t();
            if (first + q * WARP + lane() < p.columns) value[q] = *at;
        }
#pragma unroll
        for (int from = 0; from < many; from += few) {
            if (first + from * WARP >= p.columns) break;
            price_t cost[few];
            int owner[few];
#pragma unroll
            for (int q = from; q < from + few && q < many; q++) {
                const int j = first + q * WARP + lane();
                cost[q - from] = FAR;
                owner[q - from] = 0;
                if (j >= p.columns) continue;
                cost[q - from] = p.cost(value[q]) - a.v[j];
                owner[q - from] = a.owner[j];
            }
#pragma unroll
            for (int q = from; q < from + few && q < many; q++)
                look(value[q], cost[q - from], first + q * WARP + lane(), owner[q - from]);
        }
    }
}

// Copies the values so that those of a row lie side by side: lanes that read a row elsewhere would fetch
// eight times as much. The lanes of a warp have a row each and store some of its values at once.
DEVICE void lay_by_rows(Problem& p, value_t* room, int t)
{
    constexpr int many = 16 / sizeof(value_t);
    struct alignas(16) Pack { value_t value[many]; };
    const int packs = (p.columns + many - 1) / many;
    for (int k = t / WARP; k < packs; k += WARPS)
#pragma unroll 2
        for (int i = lane(); i < p.rows; i += WARP) {
            Pack pack;
#pragma unroll
            for (int e = 0; e < many; e++) {
                const int j = k * many + e;
                pack.value[e] = *p.at(i, j < p.columns ? j : p.columns - 1);
            }
            ((Pack*)room)[(i64)i * packs + k] = pack;
        }
    p.values = room;
    p.down = packs * many;
    p.across = 1;
}

// How far from zero a finite cost is, at most.
DEVICE price_t largest_size(const Problem& p, Shared* s, int t)
{
    if (t == 0) s->top = 0;
    meet();
    price_t largest = 0;
    for (int i = t / WARP; i < p.rows; i += WARPS)
        for (int j = lane(); j < p.columns; j += WARP) {
            const price_t size = size_of(p.given(*p.at(i, j)));
            largest = size > largest ? size : largest;
        }
    atomicMax(&s->top, key_of(largest));
    meet();
    return price_of(s->top);
}

// Prices of columns: what each costs at least in a square problem; whoever has the least takes it.
DEVICE void reduce_columns(const Problem& p, const State& a, int t)
{
    for (int j = t; j < p.columns; j += THREADS) {
        price_t least = FAR;
        int at = -1;
        constexpr int many = ROWS < 8 ? 8 : ROWS;
        for (int from = 0; from < p.rows; from += many) {
            value_t value[many];
#pragma unroll
            for (int q = 0; q < many; q++)
                value[q] = *p.at(from + q < p.rows ? from + q : p.rows - 1, j);
#pragma unroll
            for (int q = 0; q < many; q++) {
                const price_t c = p.cost(value[q]);
                if (c < least) least = c, at = from + q; // the last row again is not less
            }
        }
        if (at < 0) continue;
        a.v[j] = least;
        if (atomicCAS(&a.mate[at], -1, j) < 0) a.owner[j] = at;
    }
}

// Prices of rows, and columns at that price for rows that have none. Returns what is wrong.
DEVICE int reduce_rows(const Problem& p, const State& a, int t)
{
    int wrong = SOLVED;
    for (int i = t / WARP; i < p.rows; i += WARPS) {
        price_t least = FAR;
        int at = -1, taken = 0;
        look_through(p, a, i, [&](value_t value, price_t c, int j, int owner) {
            if (is_wrong(value)) wrong = INVALID;
            if (is_large(value, p.rows)) wrong = TOO_LARGE;
            const bool better = (c < least) | ((c == least) & ((owner & ~taken) < 0));
            least = better ? c : least;
            at = better ? j : at;
            taken = better ? owner : taken;
        });
        const u64 key = ordered(least), lowest = warp_min(key);
        if (key == lowest) a.u[i] = least; // the same of all lanes
        if (lowest == ordered(FAR) && wrong == SOLVED) wrong = INFEASIBLE;
        if (a.mate[i] >= 0) continue;
        for (lanes_t free = warp_ballot(key == lowest && taken < 0); free; free &= free - 1) {
            int before = 0;
            if (lane() == lowest_lane(free)) {
                before = atomicCAS(&a.owner[at], -1, i) + 1;
                if (before == 0) a.mate[i] = at;
            }
            if (!warp_shuffle(before, lowest_lane(free))) break;
        }
        warp_sync();
    }
    return wrong;
}

// Both, from nothing. Leaves what is wrong in s->status.
DEVICE void reduce(const Problem& p, const State& a, Shared* s, int t)
{
    for (int j = t; j < p.columns; j += THREADS) a.v[j] = 0, a.owner[j] = -1;
    for (int i = t; i < p.rows; i += THREADS) a.mate[i] = -1;
    meet();
    if (p.rows == p.columns) {
        reduce_columns(p, a, t);
        meet();
    }
    const int wrong = reduce_rows(p, a, t);
    if (wrong != SOLVED) atomicMax(&s->status, wrong);
    meet();
}

// Lists the free rows, forgets the trees.
DEVICE int find_free(const Problem& p, const State& a, Shared* s, int t)
{
    if (t < WARP) {
        int count = 0;
        for (int from = 0; from < p.rows; from += WARP) {
            const int i = from + t;
            const bool is = i < p.rows && a.mate[i] < 0;
            const lanes_t set = warp_ballot(is);
            if (is) {
                a.list[count + count_lanes(set & lanes_before(t))] = i;
                a.claim[i] = -1;
                a.best[i] = ~(u64)0;
            }
            count += count_lanes(set);
        }
        if (t == 0) s->free = count, s->second = ~(u64)0, s->top = 0;
    }
    meet();
    return s->free;
}
