// The forward beam of a tree of permutations: one level at a time, one lane a child. A problem has its
// Node (see node.cuh of users' problems), and cost_of, guide_of, same_state and state_print.
//
//   plant       makes the root the only node of the first level
//   rate        gives every child a key: its bound or its guide, and what its completion costs
//   rank, bins, pick
//               find the key up to which children are candidates
//   count, place, list
//               list these in the order of their parents
//   print       gives each a fingerprint of what is below it, and enters it into a table
//   distinguish drops those of which an earlier one has the same below it
//   rank, bins, pick, count, place, keep
//               choose the nodes of the next level from the others
//   apply       makes them
//   inherit     lists what is free at each
//   trace       lists the items that lead to a node
//
// Of all nodes of a level the same number of items is free, so that child c is the (c mod free)-th of
// node c / free; each node has them listed in the order in which completions fix them.
#pragma once

DEVICE u32 left_at(const Level& at) { return (u32)(LEVELS - at.depth); }

// A child, the items that are free at its parent, and at itself.
struct Child {
    Node node;
    u32 parent;
    int item;
    u32 all[WORDS], own[WORDS];
};

DEVICE void make_child(Child& child, const Level& at, const Tables& tables, u32 c)
{
    child.parent = c / left_at(at);
    child.item = at.lists[c];
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) {
        child.all[w] = at.free[(u64)child.parent * WORDS + w];
        child.own[w] = child.all[w] & ~(w == child.item >> 5 ? 1u << (child.item & 31) : 0);
    }
    read(child.node, at.states + (u64)child.parent * STATE_WORDS);
    descend(child.node, tables, (int)at.depth, child.item, 0);
}

// What a node costs if all other items follow as they are listed.
DEVICE NUM complete(const Child& child, const Level& at, const Tables& tables)
{
    Node node = child.node;
    u32 own[WORDS];
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) own[w] = EAGER ? child.own[w] : 0;
    const u32 free = left_at(at);
    const u16* listed = at.lists + (u64)child.parent * free;
    int depth = (int)at.depth + 1;
    NUM cost = NO_KEY;
#pragma unroll 1
    for (u32 r = 0; r < free; r++) {
        const int item = listed[r];
        if (item == child.item) continue;
        descend(node, tables, depth++, item, 0);
        if (EAGER) own[item >> 5] &= ~(1u << (item & 31));
        if (EAGER || depth == LEVELS) {
            cost = cost_of(node, tables, own, own, depth);
            if (cost == NO_KEY) break;
        }
    }
    return cost;
}

KERNEL(128, 1) plant(const Level* level)
{
    const Level at = *level;
    DYNAMIC_SHARED(memory);
    const Tables tables = load_tables(at.tables, (u32*)memory);
    block_sync();
    if (threadIdx.x) return;
    Node node;
    root(node, tables);
    write(node, at.states);
    for (int w = 0; w < WORDS; w++) at.free[w] = LEVELS - w * 32 >= 32 ? 0xffffffffu : (1u << (LEVELS - w * 32)) - 1;
}

KERNEL(128, RATE_BLOCKS) rate(BY_VALUE(Piece) given)
{
    const Piece& piece = argument(given);
    const Level at = *piece.level;
    const u32 free = left_at(at);
    const u64 all = at.control->nodes * (u64)free, end = piece.end < all ? piece.end : all;
    if (piece.first + blockIdx.x * (u64)blockDim.x >= end) return;
    DYNAMIC_SHARED(memory);
    u64* shared = (u64*)memory; // the least key, the least completion and whose that is
    const Tables tables = load_tables(at.tables, (u32*)(shared + 4));
    if (threadIdx.x < 3) shared[threadIdx.x] = ~0ull;
    block_sync();
    const NUM cutoff = at.cutoff < (i64)LARGEST ? (NUM)at.cutoff : (NUM)LARGEST;
    const bool last = free == 1, completes = at.weight > 0.0 && !last;
    u64 least = ~0ull, completed = ~0ull, who = 0;
#pragma unroll 1
    for (u64 c = piece.first + blockIdx.x * (u64)blockDim.x + threadIdx.x; c < end; c += (u64)gridDim.x * blockDim.x) {
        Child child;
        make_child(child, at, tables, (u32)c);
        NUM key = cost_of(child.node, tables, child.own, child.all, (int)at.depth + 1);
        if (key >= cutoff) key = NO_KEY;
        else if (!last) {
            if (GUIDED) key = guide_of(child.node, tables, child.own, child.all, (int)at.depth + 1);
            if (completes) {
                i64 cost = (i64)complete(child, at, tables);
                if (cost < (i64)LARGEST && ordered(cost) < completed) {
                    completed = ordered(cost);
                    who = c;
                }
                if (cost > 1ll << 62) cost = 1ll << 62;
                i64 value = (i64)key + (i64)(at.weight * (double)(cost - (i64)key));
                if (value >= (i64)LARGEST) value = (i64)LARGEST - 1;
                key = (NUM)value;
            }
        }
        ((NUM*)at.children.keys)[c] = key;
        if (key != NO_KEY && ordered((i64)key) < least) least = ordered((i64)key);
    }
    if (least != ~0ull) atomicMin(&shared[0], least);
    if (completed != ~0ull) atomicMin(&shared[1], completed);
    block_sync();
    if (completed != ~0ull && completed == shared[1]) atomicMin(&shared[2], who);
    block_sync();
    if (threadIdx.x) return;
    Control& control = *at.control;
    if (shared[0] != ~0ull) atomicMin(&control.least, shared[0]);
    if (shared[1] == ~0ull || shared[1] > load_volatile(&control.completed)) return;
    while (atomicCAS(&control.lock, 0ull, 1ull)) sleep_briefly();
    fence();
    const u64 best = load_volatile(&control.completed);
    if (shared[1] < best || (shared[1] == best && shared[2] < load_volatile(&control.who))) {
        store_volatile(&control.completed, shared[1]);
        store_volatile(&control.who, shared[2]);
    }
    fence();
    atomicExch(&control.lock, 0ull);
}

// Slots of the table for so many candidates.
DEVICE u64 slots_for(u64 candidates)
{
    u64 slots = 64;
    while (slots < 2 * candidates) slots *= 2;
    return slots;
}

KERNEL(128, 8) list(const Level* level)
{
    const Level at = *level;
    DYNAMIC_SHARED(memory);
    const u64 slots = slots_for(at.children.choice->kept);
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < slots; i += (u64)gridDim.x * blockDim.x) {
        at.table[i] = 0;
        at.owners[i] = 0xffffffffu;
    }
    each_kept(at.children, (u64*)memory, [&](u32 place, u64 c) {
        at.places[place] = (u32)c;
        ((NUM*)at.candidates.keys)[place] = at.children.keys[c];
    });
}

// Does something with each number below `count`, a lane each, with the problem's tables in shared memory.
template <class Do>
DEVICE void each_below(u32 count, const Level& at, u32* shared, Do what)
{
    if (blockIdx.x * blockDim.x >= count) return;
    const Tables tables = load_tables(at.tables, shared);
    block_sync();
#pragma unroll 1
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) what(tables, i);
}

KERNEL(128, 4) print(const Level* level)
{
    const Level at = *level;
    DYNAMIC_SHARED(memory);
    const u32 candidates = at.children.choice->kept;
    const u64 mask = slots_for(candidates) - 1;
    each_below(candidates, at, (u32*)memory, [&](const Tables& tables, u32 i) {
        Child child;
        make_child(child, at, tables, at.places[i]);
        u64 mixture = state_print(child.node, at.salts);
#pragma unroll ITEM_SETS
        for (int w = 0; w < WORDS; w++) mixture += child.own[w] * at.salts[STATE_SIZE + w];
        mixture = mixed(mixture);
        mixture += mixture == 0;
        u64 slot = mixture & mask;
        while (true) {
            const u64 there = atomicCAS(&at.table[slot], 0ull, mixture);
            if (there == 0 || there == mixture) break;
            slot = (slot + 1) & mask;
        }
        atomicMin(&at.owners[slot], i);
        at.prints[i] = mixture;
        at.slots[i] = (u32)slot;
    });
}

KERNEL(128, 4) distinguish(const Level* level)
{
    const Level at = *level;
    DYNAMIC_SHARED(memory);
    each_below(at.children.choice->kept, at, (u32*)memory, [&](const Tables& tables, u32 i) {
        const u32 owner = at.owners[at.slots[i]];
        if (owner == i) return;
        // A fingerprint may be wrong once in 2^64 times: states and free items are compared.
        Child one, other;
        make_child(one, at, tables, at.places[i]);
        make_child(other, at, tables, at.places[owner]);
        bool alike = same_state(one.node, other.node);
#pragma unroll ITEM_SETS
        for (int w = 0; w < WORDS; w++) alike = alike && one.own[w] == other.own[w];
        if (alike) ((NUM*)at.candidates.keys)[i] = NO_KEY;
    });
}

KERNEL(128, 8) keep(const Level* level)
{
    const Level at = *level;
    DYNAMIC_SHARED(memory);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        const Choice children = *at.children.choice, candidates = *at.candidates.choice;
        const bool dropped = children.total > at.children.target || candidates.total > at.candidates.target;
        Control& next = at.control[1];
        next.nodes = candidates.kept;
        next.dropped = at.control->dropped || (dropped && left_at(at) > 1);
        next.evaluated = at.control->evaluated + at.control->nodes * (u64)left_at(at);
    }
    each_kept(at.candidates, (u64*)memory, [&](u32 place, u64 i) { at.chosen[place] = at.places[i]; });
}

KERNEL(128, 4) apply(const Level* level)
{
    const Level at = *level;
    DYNAMIC_SHARED(memory);
    each_below(at.control[1].nodes, at, (u32*)memory, [&](const Tables& tables, u32 i) {
        Child child;
        make_child(child, at, tables, at.chosen[i]);
        at.parents[i] = child.parent;
        at.items[i] = (u16)child.item;
        write(child.node, at.next_states + (u64)i * STATE_WORDS);
#pragma unroll ITEM_SETS
        for (int w = 0; w < WORDS; w++) at.next_free[(u64)i * WORDS + w] = child.own[w];
    });
}

KERNEL(256, 8) inherit(const Level* level)
{
    const Level at = *level;
    const u32 free = left_at(at), left = free - 1, all = at.control[1].nodes * left;
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += gridDim.x * blockDim.x) {
        const u32 node = i / left, r = i - node * left, c = at.chosen[node], parent = c / free;
        at.next_lists[i] = at.lists[parent * free + r + (r >= c - parent * free)];
    }
}

KERNEL(32, 1) trace(BY_VALUE(Piece) given)
{
    const Piece& piece = argument(given);
    if (blockIdx.x || threadIdx.x) return;
    u32 node = (u32)piece.first;
    for (int back = 1; back <= (int)piece.level->depth; back++) {
        const Level& earlier = piece.level[-back];
        piece.level->path[back - 1] = earlier.items[node];
        node = earlier.parents[node];
    }
}
