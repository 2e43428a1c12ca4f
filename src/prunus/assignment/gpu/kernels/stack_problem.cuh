// One of many problems: its values, its working memory, and what its threads tell each other.
#pragma once
#include "hardware/cuda/shuffle.cuh"
#include "assignment/gpu/kernels/stack_values.cuh"

#define THREADS (EACH > 1 ? WARP : (int)blockDim.x) // of a problem
#define WARPS (THREADS / WARP)
#define GROUPS (THREADS / GROUP)
// Rows, or values, that are asked for before one is looked at: what counts is how often memory is
// waited for.
#define WORDS ((int)(sizeof(value_t) + 3) / 4 * SLOTS)
#define MANY ((MOST <= 128 ? 8 : MOST <= 320 ? 20 : 32) / (MOST > 128 ? WORDS : 1))
#define ROWS (MANY < 4 ? 4 : MANY)
#define SHARED 32
#define ENTRY 48

#if SLOTS <= 4
#define EACH_SLOT _Pragma("unroll")
#else
#define EACH_SLOT _Pragma("unroll 1")
#endif

// The order of distances, which are not negative, is that of their bits.
DEVICE u64 key_of(price_t v)
{
    union { price_t value; u64 bits; } x;
    x.value = v;
    return x.bits;
}
DEVICE price_t price_of(u64 bits)
{
    union { price_t value; u64 bits; } x;
    x.bits = bits;
    return x.value;
}

// A distance, or hardly less, of which the least of some lanes is found sooner: half of the bits do.
DEVICE u64 nearly(u64 key, double) { return key >> 32 << 32; }
DEVICE u64 nearly(u64 key, i64) { return key; }
DEVICE u64 nearly_least(u64 key, double) { return (u64)warp_min((u32)(key >> 32)) << 32; }
DEVICE u64 nearly_least(u64 key, i64) { return warp_min(key); }
DEVICE u64 nearly_least_of_group(u64 key, double)
{
    u32 high = (u32)(key >> 32);
#pragma unroll
    for (int d = 1; d < GROUP; d <<= 1) {
        const u32 other = (u32)warp_shuffle((int)high, lane() ^ d);
        high = other < high ? other : high;
    }
    return (u64)high << 32;
}
DEVICE u64 nearly_least_of_group(u64 key, i64)
{
#pragma unroll
    for (int d = 1; d < GROUP; d <<= 1) {
        const u64 other = shuffle_xor(key, d);
        key = other < key ? other : key;
    }
    return key;
}

// A column that a group of lanes proposes: its row is to be scanned.
struct alignas(16) Entry {
    i64 start;      // of the row, among the values
    price_t offset; // its distance less the price of its row
    price_t label;  // its distance, FAR if there is none
    int row, tree;  // the row from which its path begins
    u32 news;       // trees that have come to a free column, and AGAIN for each that has come to another
};
#define AGAIN (1u << 16)

struct alignas(16) Shared {
    // Distances of free columns: of those that are not their tree's nearest the least; 1 more than the
    // largest of those that are.
    u64 second, top;
    int free, status;

    // What the groups propose, this turn and the next.
    DEVICE Entry* entry(int turn) { return (Entry*)(this + 1) + turn * GROUPS; }
};
static_assert(sizeof(Entry) == ENTRY && sizeof(Shared) == SHARED, "the host reserves as much");

// All threads of a problem.
DEVICE void meet()
{
    if (EACH > 1) warp_sync();
    else block_sync();
}

// The working memory of a problem.
struct State {
    price_t *u, *v; // prices of rows and columns
    u64* best;      // of each tree: the distance of its nearest free column
    int *mate, *owner;
    int *parent, *root; // of columns: the row from which they were labelled, and the one of their tree
    int *list, *claim;  // the free rows; the column in which the path of a tree ends
    DEVICE State(char* room, int rows, int columns)
    {
        u = (price_t*)room;
        v = u + rows;
        best = (u64*)(v + columns);
        mate = (int*)(best + rows);
        owner = mate + rows;
        parent = owner + columns;
        root = parent + columns;
        list = root + columns;
        claim = list + rows;
    }
};
