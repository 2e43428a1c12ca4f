// Flow shop, LB1 in packed 16-bit halves: both branching directions in one word.
//
// The low half walks the machines from the first to the last on (front, remaining + back), the high
// half from the last to the first on (back, remaining + front); tables are stored so that both halves
// read the same index: one_machine of both/makespan.hpp for two children in a word. A machine costs
// two DPX instructions a child: start = max(start + p, front), bound = max(start + load, bound). Sums
// must fit in 15 bits.
#pragma once

struct Node {
    u32 free_at[MACHINES]; // front | back of the mirrored machine << 16
    u32 load[MACHINES];    // remaining + back | remaining + front of the mirrored machine << 16
};

DEVICE void unpack(u32* to, int k, uint4 v)
{
    to[k] = v.x;
    if (k + 1 < MACHINES) to[k + 1] = v.y;
    if (k + 2 < MACHINES) to[k + 2] = v.z;
    if (k + 3 < MACHINES) to[k + 3] = v.w;
}

DEVICE void read_row(u32* to, const u32* from, int first = 0)
{
#pragma unroll
    for (int k = first; k < ROW_WORDS; k += 4) unpack(to, k, *(const uint4*)(from + k));
}

DEVICE void write_row(u32* to, const u32* from)
{
#pragma unroll
    for (int k = 0; k < ROW_WORDS; k += 4) {
        uint4 v;
        v.x = from[k];
        v.y = k + 1 < MACHINES ? from[k + 1 < MACHINES ? k + 1 : 0] : 0;
        v.z = k + 2 < MACHINES ? from[k + 2 < MACHINES ? k + 2 : 0] : 0;
        v.w = k + 3 < MACHINES ? from[k + 3 < MACHINES ? k + 3 : 0] : 0;
        *(uint4*)(to + k) = v;
    }
}

DEVICE void read(Node& node, const u32* state)
{
    read_row(node.free_at, state);
    read_row(node.load, state + ROW_WORDS);
}

DEVICE void write(const Node& node, u32* state)
{
    write_row(state, node.free_at);
    write_row(state + ROW_WORDS, node.load);
}

DEVICE void root(Node& node, const Tables& tables) { read(node, tables.root); }

DEVICE void descend(Node& node, const Tables& tables, int, int job, int direction)
{
    const u32* row = tables.rows + job * ROW_WORDS;
    const u32 moving = direction ? 0xffff0000u : 0x0000ffffu;
    u32 p[MACHINES], start = 0, previous = 0;
    read_row(p, row);
#pragma unroll
    for (int k = 0; k < MACHINES; k++) {
        const u32 before = node.free_at[k];
        start = add_max_2x16(start, previous, before);
        const u32 after = ((start + p[k]) & moving) | (before & ~moving);
        node.free_at[k] = after;
        node.load[k] -= p[k];
        node.load[MACHINES - 1 - k] += swap_halves(after - before);
        previous = p[k];
    }
}

// A child's bounds, in front and at the back, and what is asked of them.
typedef u32 Pair;

DEVICE int front_of(Pair p) { return (int)(p & 0xffffu); }
DEVICE int back_of(Pair p) { return (int)(p >> 16); }
DEVICE Pair pair_of(int front, int back) { return (u32)front | (u32)back << 16; }
DEVICE SUM add_difference(SUM sum, Pair p, u32 test) { return add_difference_if(sum, p, test); }

// Adding the limit carries a bound that is at least `ub` into its half's sign.
DEVICE u32 limit_of(int ub) { return (u32)(32768 - ub) * 0x10001u; }
DEVICE void add_survivors(u32& forward, u32& backward, u32 bit, Pair p, u32 limit)
{
    forward = add_unless_negative(forward, (int)low_to_high(p + limit), bit);
    backward = add_unless_negative(backward, (int)(p + limit), bit);
}

// Call each(word, bit, bounds) for all jobs that any lane has free. The next job is looked up, and
// the first of its times loaded, while the machines are walked for this one.
template <class Each>
DEVICE void bound_children(const Node& node, const Tables& tables, const u32* everyone, Each each)
{
    const u32 first = node.free_at[0] + node.load[0];
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) {
        u32 jobs = everyone[w], bit = jobs & (0u - jobs);
        const u32* rows = tables.rows + w * 32 * ROW_WORDS;
        const u32* row = rows + (jobs ? __ffs(jobs) - 1 : 0) * ROW_WORDS;
        uint4 ahead = *(const uint4*)row;
        while (jobs) {
            u32 p[MACHINES], start = node.free_at[0], bound = first;
            unpack(p, 0, ahead);
            read_row(p, row, 4);
            jobs ^= bit;
            const u32 next = jobs & (0u - jobs);
            row = rows + (jobs ? __ffs(jobs) - 1 : 0) * ROW_WORDS;
            ahead = *(const uint4*)row;
#pragma unroll
            for (int k = 1; k < MACHINES; k++) {
                start = add_max_2x16(start, p[k - 1], node.free_at[k]);
                bound = add_max_2x16(start, node.load[k], bound);
            }
            each(w, bit, bound);
            bit = next;
        }
    }
}

DEVICE void fronts(const Node& node, int* front, int* back)
{
#pragma unroll
    for (int k = 0; k < MACHINES; k++) {
        front[k] = (int)(node.free_at[k] & 0xffffu);
        back[MACHINES - 1 - k] = (int)(node.free_at[k] >> 16);
    }
}

DEVICE int time_of(const Tables& tables, int job, int k)
{
    return (int)(tables.rows[job * ROW_WORDS + k] & 0xffffu);
}
