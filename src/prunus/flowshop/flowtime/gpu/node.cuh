// A node of the tree of total flow times: when each machine is free after the first jobs, and their
// completion times added up. The bound is explained in src/native/flowshop/flowtime_search.cpp.
#pragma once

typedef NUMBER NUM;

constexpr int SIZE = LEVELS * MACHINES;
constexpr int PAIR = NUMBER_BYTES / 4;
constexpr int STATE_WORDS = ROUND4((MACHINES + 1) * PAIR);
constexpr int ORDER_WORDS = ROUND4((SIZE + 1) / 2);
constexpr int TABLE_WORDS = 2 * ROUND4(SIZE * PAIR) + ORDER_WORDS;
constexpr int SHARED_WORDS = SHARED_TABLES ? TABLE_WORDS : 0;

struct Tables {
    const NUM* times; // MACHINES x LEVELS
    const NUM* tails; // the same: a job's times on all later machines
    const u16* order; // the same: the jobs on each machine, the shortest first
};

struct Node {
    NUM front[MACHINES], ended;
};

DEVICE Tables load_tables(const u32* from, u32* shared)
{
    if (SHARED_TABLES)
        for (int i = threadIdx.x; i < TABLE_WORDS; i += blockDim.x) shared[i] = from[i];
    const u32* words = SHARED_TABLES ? shared : from;
    const int part = ROUND4(SIZE * PAIR);
    Tables tables = {(const NUM*)words, (const NUM*)(words + part), (const u16*)(words + 2 * part)};
    return tables;
}

DEVICE void root(Node& node, const Tables&)
{
    for (int k = 0; k < MACHINES; k++) node.front[k] = 0;
    node.ended = 0;
}

DEVICE void read(Node& node, const u32* state)
{
    const NUM* from = (const NUM*)state;
    for (int k = 0; k < MACHINES; k++) node.front[k] = from[k];
    node.ended = from[MACHINES];
}

DEVICE void write(const Node& node, u32* state)
{
    NUM* to = (NUM*)state;
    for (int k = 0; k < MACHINES; k++) to[k] = node.front[k];
    to[MACHINES] = node.ended;
}

DEVICE void descend(Node& node, const Tables& tables, int depth, int job, int)
{
    if (depth < 0) return; // a lane without a node
    NUM time = 0;
    for (int k = 0; k < MACHINES; k++) {
        const NUM start = time > node.front[k] ? time : node.front[k];
        time = start + tables.times[k * LEVELS + job];
        node.front[k] = time;
    }
    node.ended += time;
}

// Bounds of a lane's children, all lanes at the same job at the same moment.
struct Bounds {
    NUM value[LEVELS];
};

DEVICE void bound_children(const Node& node, const Tables& tables, const u32* free, const u32* everyone,
                           Bounds& found)
{
    // Of each child: when its job is completed on a machine, and when the next one can begin there.
    NUM time[LEVELS], begin[LEVELS];
    const int left = count_items(free);
    const NUM others = left - 1;
    NUM least = 0;
    for (int j = 0; j < LEVELS; j++) found.value[j] = time[j] = begin[j] = 0;
    for (int k = 0; k < MACHINES; k++) {
        const NUM* times = tables.times + k * LEVELS;
        const NUM* tails = tables.tails + k * LEVELS;
        const u16* order = tables.order + k * LEVELS;
        // All jobs that are left, the shortest first: their completion times without a pause.
        NUM total = 0, soonest = 0;
        int rank = left;
        for (int i = 0; i < LEVELS; i++) {
            const int j = order[i];
            if (!(everyone[j >> 5] >> (j & 31) & 1)) continue;
            const bool mine = free[j >> 5] >> (j & 31) & 1;
            const NUM p = times[j];
            if (mine && rank == left) soonest = p;
            total += mine ? rank * p + tails[j] : 0;
            rank -= mine;
        }
        NUM shorter = 0;
        rank = left;
        for (int i = 0; i < LEVELS; i++) {
            const int j = order[i];
            if (!(everyone[j >> 5] >> (j & 31) & 1)) continue;
            const bool mine = free[j >> 5] >> (j & 31) & 1;
            const NUM p = times[j], own = rank * p + tails[j] + shorter;
            const NUM start = time[j] > node.front[k] ? time[j] : node.front[k], end = start + p;
            const NUM after = begin[j] + least, next = end > after ? end : after;
            const NUM bound = node.ended + total - own + others * next;
            time[j] = end;
            begin[j] = next;
            if (bound > found.value[j]) found.value[j] = bound;
            shorter += mine ? p : 0;
            rank -= mine;
        }
        least = soonest;
    }
    for (int j = 0; j < LEVELS; j++) found.value[j] += time[j];
}

DEVICE int branch(const Node& node, const Tables& tables, const u32* free, const u32* everyone, int,
                  i64 incumbent, int, u32* survivors)
{
    const NUM ub = incumbent < (i64)LARGEST ? (NUM)incumbent : (NUM)LARGEST;
    Bounds found;
    bound_children(node, tables, free, everyone, found);
    for (int w = 0; w < WORDS; w++) {
        survivors[w] = 0;
        for (u32 jobs = everyone[w]; jobs; jobs &= jobs - 1) {
            const u32 bit = jobs & (0u - jobs);
            if (found.value[w * 32 + __ffs(jobs) - 1] < ub) survivors[w] |= free[w] & bit;
        }
    }
    return 0;
}

DEVICE i64 least(const Node& node, const Tables& tables, const u32* among, const u32* free,
                 const u32* everyone, int, int)
{
    Bounds found;
    bound_children(node, tables, free, everyone, found);
    NUM value = (NUM)LARGEST;
    for (int j = 0; j < LEVELS; j++)
        if ((among[j >> 5] >> (j & 31) & 1) && found.value[j] < value) value = found.value[j];
    return (i64)value;
}
