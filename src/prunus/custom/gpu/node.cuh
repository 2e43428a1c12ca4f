// A user's problem as the search sees it, made of the translated functions: Tables with fill_tables,
// custom_root, custom_descend and custom_cost.
#pragma once

constexpr int STATE_WORDS = ROUND4(STATE_SIZE * (NUMBER_BYTES / 4));
constexpr int SHARED_WORDS = TABLES_SHARED ? ROUND4(TABLE_WORDS) : 0;
constexpr int STATE_SETS = STATE_WORDS <= 64 ? STATE_WORDS / 4 : 1; // how far its copies are unrolled

struct Node {
    NUM state[STATE_SIZE];
};

DEVICE Tables load_tables(const u32* from, u32* shared)
{
    Tables tables;
    if (TABLES_SHARED) {
        for (int i = threadIdx.x; i < TABLE_WORDS; i += blockDim.x) shared[i] = from[i];
        fill_tables(tables, from, shared);
    } else {
        fill_tables(tables, from, from);
    }
    return tables;
}

DEVICE void root(Node& node, const Tables& tables)
{
    for (int k = 0; k < STATE_SIZE; k++) node.state[k] = 0;
    State state = {node.state};
    custom_root(tables, state);
}

DEVICE void read(Node& node, const u32* state)
{
#pragma unroll STATE_SETS
    for (int i = 0; i < STATE_WORDS; i += 4) {
        const uint4 v = *(const uint4*)(state + i);
        const u32 words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            if (NUMBER_BYTES == 4 && i + k < STATE_SIZE) node.state[i + k] = (NUM)(int)words[k];
            if (NUMBER_BYTES == 8 && k % 2 == 0 && (i + k) / 2 < STATE_SIZE)
                node.state[(i + k) / 2] = (NUM)((u64)words[k + 1] << 32 | words[k]);
        }
    }
}

DEVICE void write(const Node& node, u32* state)
{
#pragma unroll STATE_SETS
    for (int i = 0; i < STATE_WORDS; i += 4) {
        u32 words[4] = {0, 0, 0, 0};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            if (NUMBER_BYTES == 4 && i + k < STATE_SIZE) words[k] = (u32)node.state[i + k];
            if (NUMBER_BYTES == 8 && (i + k) / 2 < STATE_SIZE)
                words[k] = (u32)((u64)(i64)node.state[(i + k) / 2] >> k % 2 * 32);
        }
        uint4 v;
        v.x = words[0];
        v.y = words[1];
        v.z = words[2];
        v.w = words[3];
        *(uint4*)(state + i) = v;
    }
}

DEVICE void descend(Node& node, const Tables& tables, int depth, int item, int)
{
    if (depth < 0) return; // a lane without a node: who knows what the user's function would do
    State state = {node.state};
    custom_descend(tables, state, (NUM)depth, (NUM)item);
}

// The cost of each child of a lane's own, all lanes at the same item at the same moment.
template <class Which>
DEVICE void bound_children(const Node& node, const Tables& tables, const u32* free, const u32* all,
                           const u32* everyone, int depth, Which which)
{
    u32 left[WORDS];
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) left[w] = free[w];
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) {
        for (u32 items = everyone[w]; items; items &= items - 1) {
            const u32 bit = items & (0u - items);
            if (!(free[w] & bit)) continue;
            const int item = w * 32 + __ffs(items) - 1;
            Node child = node;
            descend(child, tables, depth, item, 0);
            left[w] = free[w] & ~bit;
            State state = {child.state};
            const Free others = {left, all, LEVELS - depth - 1};
            which(w, bit, custom_cost(tables, state, others, (NUM)(depth + 1)));
            left[w] = free[w];
        }
    }
}

DEVICE int branch(const Node& node, const Tables& tables, const u32* free, const u32* everyone,
                  int depth, i64 incumbent, int, u32* survivors)
{
    const NUM ub = incumbent < (i64)LARGEST ? (NUM)incumbent : (NUM)LARGEST;
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) survivors[w] = 0;
    bound_children(node, tables, free, everyone, everyone, depth, [&](int w, u32 bit, NUM cost) {
        if (cost < ub) survivors[w] |= bit;
    });
    return 0;
}

DEVICE i64 least(const Node& node, const Tables& tables, const u32* among, const u32* free,
                 const u32* everyone, int depth, int)
{
    if (COUNTING) return 0x7fffffffffffffffLL; // no leaf is better than another one
    NUM value = (NUM)LARGEST;
    bound_children(node, tables, free, free, everyone, depth, [&](int w, u32 bit, NUM cost) {
        if ((among[w] & bit) && cost < value) value = cost;
    });
    return value > 0 ? (i64)value : 0; // nothing costs less than nothing
}
