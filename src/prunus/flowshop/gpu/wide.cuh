// Flow shop, LB1 in whole numbers of 32 or 64 bits (NUMBER): instances whose sums exceed 15 bits.
#pragma once

struct Node {
    NUMBER front[MACHINES], back[MACHINES], remaining[MACHINES];
};

DEVICE void read_row(NUMBER* to, const u32* from)
{
    const NUMBER* row = (const NUMBER*)from;
#pragma unroll
    for (int k = 0; k < MACHINES; k++) to[k] = row[k];
}

DEVICE void write_row(u32* to, const NUMBER* from)
{
    NUMBER* row = (NUMBER*)to;
#pragma unroll
    for (int k = 0; k < MACHINES; k++) row[k] = from[k];
}

DEVICE void read(Node& node, const u32* state)
{
    read_row(node.front, state);
    read_row(node.back, state + ROW_WORDS);
    read_row(node.remaining, state + 2 * ROW_WORDS);
}

DEVICE void write(const Node& node, u32* state)
{
    write_row(state, node.front);
    write_row(state + ROW_WORDS, node.back);
    write_row(state + 2 * ROW_WORDS, node.remaining);
}

DEVICE void root(Node& node, const Tables& tables) { read(node, tables.root); }

DEVICE NUMBER time_of(const Tables& tables, int job, int k)
{
    return ((const NUMBER*)(tables.rows + job * ROW_WORDS))[k];
}

DEVICE void descend(Node& node, const Tables& tables, int, int job, int direction)
{
    NUMBER time = 0;
    if (direction) {
#pragma unroll
        for (int k = MACHINES - 1; k >= 0; k--) {
            time = later(time, node.back[k]) + time_of(tables, job, k);
            node.back[k] = time;
        }
    } else {
#pragma unroll
        for (int k = 0; k < MACHINES; k++) {
            time = later(time, node.front[k]) + time_of(tables, job, k);
            node.front[k] = time;
        }
    }
#pragma unroll
    for (int k = 0; k < MACHINES; k++) node.remaining[k] -= time_of(tables, job, k);
}

// A child's bounds, in front and at the back, and what is asked of them.
struct Pair {
    NUMBER front, back;
};

DEVICE NUMBER front_of(Pair p) { return p.front; }
DEVICE NUMBER back_of(Pair p) { return p.back; }
DEVICE Pair pair_of(NUMBER front, NUMBER back)
{
    Pair p = {front, back};
    return p;
}
DEVICE SUM add_difference(SUM sum, Pair p, u32 test)
{
    return test ? sum + ((SUM)p.front - (SUM)p.back) : sum;
}
DEVICE NUMBER limit_of(NUMBER ub) { return ub; }
DEVICE void add_survivors(u32& forward, u32& backward, u32 bit, Pair p, NUMBER limit)
{
    if (p.front < limit) forward += bit;
    if (p.back < limit) backward += bit;
}

// Call each(word, bit, bounds) for all jobs that any lane has free.
template <class Each>
DEVICE void bound_children(const Node& node, const Tables& tables, const u32* everyone, Each each)
{
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) {
        u32 jobs = everyone[w];
        while (jobs) {
            const int b = __ffs(jobs) - 1;
            jobs &= jobs - 1;
            NUMBER p[MACHINES], time = 0, front = 0, back = 0;
            read_row(p, tables.rows + (w * 32 + b) * ROW_WORDS);
#pragma unroll
            for (int k = 0; k < MACHINES; k++) {
                one_machine(time, front, node.front[k], node.remaining[k] + node.back[k], p[k]);
            }
            time = 0;
#pragma unroll
            for (int k = MACHINES - 1; k >= 0; k--) {
                one_machine(time, back, node.back[k], node.remaining[k] + node.front[k], p[k]);
            }
            each(w, 1u << b, pair_of(front, back));
        }
    }
}

DEVICE void fronts(const Node& node, NUMBER* front, NUMBER* back)
{
#pragma unroll
    for (int k = 0; k < MACHINES; k++) {
        front[k] = node.front[k];
        back[k] = node.back[k];
    }
}
