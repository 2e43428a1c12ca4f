// ATSP, the naive partial-cost bound (Gmys et al. 2017): lengths only grow.
#pragma once
#include "both/path.hpp"

constexpr int CITIES = LEVELS + 1;
constexpr int STATE_WORDS = 4;
constexpr int TABLE_WORDS = CITIES * CITIES * (NUMBER_BYTES / 4);
constexpr int SHARED_WORDS = ROUND4(TABLE_WORDS);

struct Node {
    NUMBER length;
    int city;
};

struct Tables {
    const NUMBER* distances; // CITIES x CITIES
};

DEVICE Tables load_tables(const u32* from, u32* shared)
{
    for (int i = threadIdx.x; i < TABLE_WORDS; i += blockDim.x) shared[i] = from[i];
    Tables tables = {(const NUMBER*)shared};
    return tables;
}

DEVICE void root(Node& node, const Tables&)
{
    node.length = 0;
    node.city = 0;
}

DEVICE void read(Node& node, const u32* state)
{
    const uint4 v = *(const uint4*)state;
    node.length = (NUMBER)((u64)v.y << 32 | v.x);
    node.city = (int)v.z;
}

DEVICE void write(const Node& node, u32* state)
{
    uint4 v;
    v.x = (u32)node.length;
    v.y = (u32)((u64)(i64)node.length >> 32);
    v.z = (u32)node.city;
    v.w = 0;
    *(uint4*)state = v;
}

DEVICE void descend(Node& node, const Tables& tables, int, int item, int)
{
    node.length = path_bound(node.length, tables.distances, CITIES, node.city, item + 1, false);
    node.city = item + 1;
}

// The length of the path to each city that any lane has free; the last one closes the tour.
template <class Each>
DEVICE void bound_children(const Node& node, const Tables& tables, const u32* everyone, int depth,
                           Each each)
{
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) {
        for (u32 items = everyone[w]; items; items &= items - 1) {
            const int item = w * 32 + __ffs(items) - 1;
            each(w, items & (0u - items),
                 path_bound(node.length, tables.distances, CITIES, node.city, item + 1, depth + 1 == LEVELS));
        }
    }
}

DEVICE int branch(const Node& node, const Tables& tables, const u32* free, const u32* everyone,
                  int depth, i64 incumbent, int, u32* survivors)
{
    const NUMBER ub = incumbent < (i64)LARGEST ? (NUMBER)incumbent : (NUMBER)LARGEST;
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) survivors[w] = 0;
    bound_children(node, tables, everyone, depth, [&](int w, u32 bit, NUMBER length) {
        if (length < ub) survivors[w] |= bit;
    });
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) survivors[w] &= free[w];
    return 0;
}

DEVICE i64 least(const Node& node, const Tables& tables, const u32* among, const u32*,
                 const u32* everyone, int depth, int)
{
    NUMBER value = (NUMBER)LARGEST;
    bound_children(node, tables, everyone, depth, [&](int w, u32 bit, NUMBER length) {
        if ((among[w] & bit) && length < value) value = length;
    });
    return (i64)value;
}
