// A problem that a warp solves alone: shortest augmenting paths, by Dijkstra's search from one free row after
// the other.
//
// There are more warps than can be served, so instructions count, not how often one waits. Prices of columns
// begin with the least of each column (square problems; else with zero, which a column without a partner
// must keep), and the row that has it takes the column.
#pragma once
#include "assignment/gpu/kernels/stack_problem.cuh"

// A lane's columns.
struct Columns {
    const char* first[SLOTS]; // where its values are, and how far apart
    i64 step;
    price_t price[SLOTS];
    int owner[SLOTS]; // the row that has it, or -1

    DEVICE value_t value(int k, u32 row) const { return *(const value_t*)(first[k] + row * step); }
    DEVICE int number(int k) const { return lane() + k * WARP; }
};

// Prices, and the rows that are matched at these. Returns what is wrong.
DEVICE int begin_alone(const Problem& p, const State& a, Columns& c)
{
    const bool square = p.rows == p.columns;
    price_t least[SLOTS];
    int at[SLOTS];
    c.step = p.down * (i64)sizeof(value_t);
    EACH_SLOT for (int k = 0; k < SLOTS; k++) {
        c.first[k] = (const char*)p.at(0, c.number(k) < p.columns ? c.number(k) : 0);
        least[k] = FAR;
        at[k] = -1;
    }
    for (int i = lane(); i < p.rows; i += WARP) a.mate[i] = -1, a.u[i] = 0;
    bool wrong = false, large = false;
#pragma unroll 8
    for (int i = 0; i < p.rows; i++)
        EACH_SLOT for (int k = 0; k < SLOTS; k++) {
            const value_t value = c.value(k, i);
            wrong |= is_wrong(value);
            large |= is_large(value, p.rows);
            const price_t cost = p.cost(value);
            if (cost < least[k]) least[k] = cost, at[k] = i;
        }
    warp_sync();
    EACH_SLOT for (int k = 0; k < SLOTS; k++) {
        if (!square || c.number(k) >= p.columns) at[k] = -1;
        c.price[k] = at[k] < 0 ? 0 : least[k];
        if (at[k] >= 0) atomicMin((u32*)&a.mate[at[k]], (u32)c.number(k)); // of several columns the first
    }
    warp_sync();
    EACH_SLOT for (int k = 0; k < SLOTS; k++) {
        c.owner[k] = at[k] >= 0 && a.mate[at[k]] == c.number(k) ? at[k] : -1;
        if (c.number(k) < p.columns) a.owner[c.number(k)] = c.owner[k];
    }
    return warp_any(large) ? TOO_LARGE : warp_any(wrong) ? INVALID : SOLVED;
}

// Gives a free row a column, along a shortest path. False if there is none.
DEVICE bool augment_alone(const Problem& p, const State& a, Columns& c, int first)
{
    // Distances: not negative, of what is labelled for good -FAR, which is the largest as bits.
    price_t label[SLOTS];
    int parent[SLOTS];
    lanes_t vacant[SLOTS];
    price_t least = FAR;
    EACH_SLOT for (int k = 0; k < SLOTS; k++) {
        label[k] = p.cost(c.value(k, first)) - c.price[k];
        if (c.number(k) < p.columns && label[k] < least) least = label[k];
    }
    const u64 key = ordered(least), lowest = warp_min(key);
    if (lowest == ordered(FAR)) return false;
    least = shuffle_from(least, lowest_lane(warp_ballot(key == lowest)));
    EACH_SLOT for (int k = 0; k < SLOTS; k++) {
        label[k] = c.number(k) < p.columns ? label[k] - least : -FAR;
        parent[k] = first;
        vacant[k] = warp_ballot(c.owner[k] < 0);
    }
    price_t* const offsets = (price_t*)a.best; // of rows: how far they are, less their price
    price_t reach;
    int sink;
    for (;;) {
        u64 key = key_of(label[0]);
        EACH_SLOT for (int k = 1; k < SLOTS; k++) key = key_of(label[k]) < key ? key_of(label[k]) : key;
        const u64 lowest = warp_min(key);
        reach = price_of(lowest);
        if (lowest >= key_of(FAR)) return false;
        lanes_t nearest = 0, ends = 0;
        int at = 0, to = 0;
        EACH_SLOT for (int k = 0; k < SLOTS; k++) {
            const lanes_t set = warp_ballot(key_of(label[k]) == lowest);
            if (set) nearest = set, at = k;
            if (set & vacant[k]) ends = set & vacant[k], to = k;
        }
        if (ends) {
            sink = lowest_lane(ends) + to * WARP;
            break;
        }
        const int leader = lowest_lane(nearest);
        int row = c.owner[0];
        EACH_SLOT for (int k = 1; k < SLOTS; k++)
            if (k == at) row = c.owner[k];
        row = warp_shuffle(row, leader);
        value_t value[SLOTS];
        EACH_SLOT for (int k = 0; k < SLOTS; k++) value[k] = c.value(k, row);
        const price_t offset = reach - a.u[row];
        if (lane() == 0) offsets[row] = offset;
        EACH_SLOT for (int k = 0; k < SLOTS; k++)
            if (k == at && lane() == leader) label[k] = -FAR, c.price[k] += reach;
        EACH_SLOT for (int k = 0; k < SLOTS; k++) {
            price_t way = p.cost(value[k]) + offset - c.price[k];
            if (!is_whole(value[k])) way = way > reach ? way : reach; // not less by rounding, nor -0.0
            if (way < label[k]) label[k] = way, parent[k] = row;
        }
    }
    EACH_SLOT for (int k = 0; k < SLOTS; k++) {
        const int j = c.number(k);
        if (j >= p.columns) continue;
        a.parent[j] = parent[k];
        if (label[k] >= 0) continue;
        a.u[c.owner[k]] = reach - offsets[c.owner[k]];
        c.price[k] -= reach;
    }
    if (lane() == 0) a.u[first] = least + reach;
    warp_sync();
    if (lane() == 0)
        for (int j = sink, before; j >= 0; j = before) {
            const int i = a.parent[j];
            before = a.mate[i];
            a.owner[j] = i;
            a.mate[i] = j;
        }
    warp_sync();
    EACH_SLOT for (int k = 0; k < SLOTS; k++)
        if (c.number(k) < p.columns) c.owner[k] = a.owner[c.number(k)];
    return true;
}

// Leaves pairs and prices of columns; returns what is wrong.
DEVICE int solve_alone(const Problem& p, const State& a)
{
    Columns c;
    int status = begin_alone(p, a, c);
    for (int from = 0; from < p.rows && status == SOLVED; from += WARP) {
        lanes_t free = warp_ballot(from + lane() < p.rows && a.mate[from + lane()] < 0);
        for (; free && status == SOLVED; free &= free - 1)
            if (!augment_alone(p, a, c, from + lowest_lane(free))) status = INFEASIBLE;
    }
    EACH_SLOT for (int k = 0; k < SLOTS; k++)
        if (c.number(k) < p.columns) a.v[c.number(k)] = c.price[k];
    warp_sync();
    return status;
}
