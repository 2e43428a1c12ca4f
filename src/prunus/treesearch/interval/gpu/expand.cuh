// One step of an explorer: a warp branches up to WARP open nodes, one a lane.
//
// The children that wait in the top entries of the pool are dealt to the lanes, deepest first. Every
// lane rebuilds its node from the parent's state and bounds all its children; what all lanes read
// (the processing times of a child, say) is the same at the same moment. Nodes with survivors become
// entries on top of the pool. Because entries are consumed from the top, a pool that starts with x
// entries never holds more than x + WARP * LEVELS.
#pragma once

// Keep a better solution in the warp's slot; the host takes the one that equals the incumbent.
DEVICE void record_solution(Search* s, int slot, i64 value, const u32* path)
{
    atomicMin((u64*)&s->control->incumbent, (u64)value);
    if (value < s->best_values[slot]) {
        s->best_values[slot] = value;
        for (int i = 0; i < PATH_WORDS; i++) s->solutions[(u64)slot * PATH_WORDS + i] = path[i];
    }
}

// Complete schedules are rare: a lane at a time. `path` is the lane's own, up to the node.
DEVICE void record_leaves(Search* s, int slot, bool leaf, const Tables& tables, const Node& node,
                          const u32* free, int depth, int direction, const u32* directions,
                          u32* path)
{
    const lanes_t leaves = warp_ballot(leaf);
    u32 last[WORDS], everyone[WORDS];
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) {
        last[w] = leaf ? free[w] : 0;
        everyone[w] = warp_or(last[w]);
    }
    const i64 value = least(node, tables, last, last, everyone, depth, direction);
    for (int l = 0; l < WARP; l++) {
        if ((leaves >> l & 1) && lane() == l) {
            path_write(path, path_place(directions, depth, direction), nth_item(free, 0));
            record_solution(s, slot, value, path);
        }
        warp_sync();
    }
}

struct Step {
    int nodes, leaves;
};

DEVICE Step expand(Search* s, Pool& pool, int slot, i64 incumbent, const Tables& tables)
{
    refill(pool);
    const int l = lane(), size = pool.size();
    const bool here = l < size;

    // Deal the waiting children of the top entries.
    u32 waiting[WORDS];
    const u32* mine = pool.near_at(pool.top - 1 - (here ? l : 0));
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) waiting[w] = here ? mine[WAITING + w] : 0;
    const int count = count_items(waiting), upto = warp_scan(count);
    const int total = warp_shuffle(upto, WARP - 1), take = total < WARP ? total : WARP;
    const bool active = l < take;
    int owner = 0;
#pragma unroll
    for (int step = WARP / 2; step; step >>= 1) {
        int reached = warp_shuffle(upto, owner + step - 1);
        if (active && reached <= l) owner += step;
    }
    const int rank = l - warp_shuffle(upto - count, owner);
    u32 family[WORDS];
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) family[w] = (u32)warp_shuffle((int)waiting[w], owner);
    const int item = active ? nth_item(family, rank) : 0;
    u32* parent = pool.near_at(pool.top - 1 - owner);
    const lanes_t consumed = warp_ballot(here && upto <= take);
    pool.top -= count_lanes(consumed);

    // Rebuild the nodes.
    Node node;
    read(node, parent + STATE);
    u32 free[WORDS], everyone[WORDS];
    const u32 head = parent[0];
    const int depth = (int)(head & 0xffffu), direction = (int)(head >> 16);
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) {
        free[w] = active ? parent[FREE + w] & ~(below(w, item + 1) & ~below(w, item)) : 0;
        everyone[w] = warp_or(free[w]);
    }
    descend(node, tables, active ? depth : -1, item, direction);
    warp_sync();
    if (l == take - 1) { // the last entry may keep some of its children
#pragma unroll ITEM_SETS
        for (int w = 0; w < WORDS; w++) parent[WAITING + w] = family[w] & ~below(w, item + 1);
    }

    // Bound all children, choose the direction.
    u32 survivors[WORDS];
    const int chosen = branch(node, tables, free, everyone, depth + 1, incumbent, -1, survivors);

    u32 some = 0, directions[WORDS];
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) {
        some |= survivors[w];
        directions[w] = parent[DIRECTIONS + w];
    }
    const int place = path_place(directions, depth, direction);
    if (direction) {
#pragma unroll ITEM_SETS
        for (int w = 0; w < WORDS; w++) directions[w] |= below(w, depth + 1) & ~below(w, depth);
    }
    const bool alive = active && some, leaf = alive && depth + 2 == LEVELS;
    const int leaves = count_lanes(warp_ballot(leaf));
    if (leaves) {
        alignas(16) u32 path[PATH_WORDS];
        copy_words(path, parent + HEAD_WORDS, PATH_WORDS);
        path_write(path, place, item);
        record_leaves(s, slot, leaf, tables, node, free, depth + 1, chosen, directions, path);
    }

    // Push the nodes that have survivors.
    const bool born = alive && !leaf;
    const lanes_t births = warp_ballot(born);
    alignas(16) u32 path[PATH_WORDS];
    if (born) copy_words(path, parent + HEAD_WORDS, PATH_WORDS);
    warp_sync();
    const int height = pool.top + count_lanes(births);
    spill(pool, count_lanes(births));
    if (height > s->capacity) {
        if (l == 0) s->control->overflow = s->control->stop = 1;
    } else if (born) {
        u32* entry = pool.near_at(pool.top + count_lanes(births & lanes_before(l)));
        write_entry(entry, depth + 1, chosen, survivors, free, directions, path, node);
        path_write(entry + HEAD_WORDS, place, item);
    }
    warp_sync();
    pool.top = height;
    if (pool.top == pool.bottom) pool.top = pool.bottom = pool.base = 0;
    Step done = {take, leaves};
    return done;
}
