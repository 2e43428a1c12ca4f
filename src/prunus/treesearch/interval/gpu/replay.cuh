// From intervals to entries: a receiver walks the path again and bounds the siblings still to come,
// in the recorded directions, with the incumbent it has. One lane an interval; entries go to the work buffer.
#pragma once

KERNEL(WARP, 1) replay(Search* s)
{
    DYNAMIC_SHARED(shared);
    const Tables tables = load_tables(s->tables, (u32*)shared);
    block_sync();
    Control* c = s->control;
    const i64 incumbent = s->incumbent, i = (i64)blockIdx.x * WARP + lane();
    const bool mine = i < s->intervals;
    const int depth = mine ? s->depth[i] : 0;
    const bool whole = mine && depth == 0;
    const u8* digits = s->digits + (mine ? (u64)s->starts[i] * DIGIT_BYTES : 0);
    const u8* bits = s->directions + (mine ? (u64)i * DIRECTION_BYTES : 0);
    const int levels = whole ? 1 : depth, end_level = mine && !whole ? s->end_level[i] : 0;
    Node node;
    root(node, tables);
    u32 free[WORDS], directions[WORDS];
    alignas(16) u32 path[PATH_WORDS];
    for (int w = 0; w < WORDS; w++) {
        free[w] = below(w, LEVELS);
        directions[w] = 0;
    }
    for (int p = 0; p < PATH_WORDS; p++) path[p] = 0;
    u64 nodes = 0, leaves = 0;
    for (int d = 0; warp_any(d < levels); d++) {
        const bool going = d < levels, bounding = going && d >= end_level;
        int digit = 0, direction = -1;
        if (going && !whole) {
            digit = digits[d * DIGIT_BYTES];
            if (DIGIT_BYTES == 2) digit |= digits[d * 2 + 1] << 8;
            direction = bits[d / 8] >> (d & 7) & 1;
        }
        const int item = going ? nth_item(free, digit) : 0;
        u32 asked[WORDS], everyone[WORDS], survivors[WORDS], some = 0;
        for (int w = 0; w < WORDS; w++) {
            asked[w] = bounding ? free[w] : 0;
            everyone[w] = warp_or(asked[w]);
        }
        direction = branch(node, tables, asked, everyone, d, incumbent, direction, survivors);
        if (whole) nodes++;
        const int first = whole ? 0 : d == depth - 1 ? item : item + 1;
        const int stop = bounding && d == end_level && !whole && s->end_digit[i] < LEVELS - d
                             ? nth_item(free, s->end_digit[i]) : LEVELS;
        for (int w = 0; w < WORDS; w++) {
            survivors[w] &= below(w, stop) & ~below(w, first);
            if (bounding) some |= survivors[w];
        }
        const bool leaf = some && d + 1 == LEVELS;
        if (warp_any(leaf)) {
            if (lane() == 0) while (atomicExch(&c->replay_lock, 1)) sleep_briefly();
            warp_sync();
            fence();
            record_leaves(s, (int)s->explorers, leaf, tables, node, free, d, direction, directions,
                          path);
            fence();
            warp_sync();
            if (lane() == 0) atomicExch(&c->replay_lock, 0);
            leaves += leaf;
        } else if (some) {
            const int at = atomicAdd(&c->buffer_size, 1);
            if (at < (int)s->buffer_capacity)
                write_entry(s->buffer + (u64)at * ENTRY_WORDS, d, direction, survivors, free,
                            directions, path, node);
            else
                c->overflow = 1;
        }
        if (d + 1 < levels) {
            path_write(path, path_place(directions, d, direction), item);
            for (int w = 0; w < WORDS; w++) {
                free[w] &= ~(below(w, item + 1) & ~below(w, item));
                if (direction) directions[w] |= below(w, d + 1) & ~below(w, d);
            }
        }
        descend(node, tables, going ? d : -1, item, direction > 0);
        warp_sync();
    }
    if (nodes) atomicAdd(&c->nodes, nodes);
    if (leaves) atomicAdd(&c->leaves, leaves);
}
