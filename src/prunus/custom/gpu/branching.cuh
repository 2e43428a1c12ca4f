// Bounding the children of a node of a user's problem.
#pragma once

// The cost of each child of a lane's own, all lanes at the same item at the same moment.
template <class Which>
DEVICE void bound_children(const Node& node, const Tables& tables, const u32* free, const u32* all,
                           const u32* everyone, int depth, Watch& watch, Which which)
{
    u32 left[WORDS];
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) left[w] = free[w];
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) {
        for (u32 items = everyone[w]; items; items &= items - 1) {
            if (watch.over()) return;
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
                  int depth, i64 incumbent, int, u32* survivors, Watch& watch)
{
    const NUM ub = incumbent < (i64)LARGEST ? (NUM)incumbent : (NUM)LARGEST;
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) survivors[w] = 0;
    bound_children(node, tables, free, everyone, everyone, depth, watch, [&](int w, u32 bit, NUM cost) {
        if (cost < ub) survivors[w] |= bit;
    });
    return 0;
}

DEVICE i64 least(const Node& node, const Tables& tables, const u32* among, const u32* free,
                 const u32* everyone, int depth, int, Watch& watch)
{
    if (COUNTING) return 0x7fffffffffffffffLL; // no leaf is better than another one
    NUM value = (NUM)LARGEST;
    bound_children(node, tables, free, free, everyone, depth, watch, [&](int w, u32 bit, NUM cost) {
        if ((among[w] & bit) && cost < value) value = cost;
    });
    return value > 0 ? (i64)value : 0; // nothing costs less than nothing
}
