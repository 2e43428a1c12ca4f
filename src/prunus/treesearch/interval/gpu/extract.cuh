// What the host asks of all pools at once: open intervals, a share to donate away, the least bound.
// One warp a pool; further warps look at the work buffer, WARP entries each.
#pragma once

DEVICE Pool pool_or_buffer_part(Search* s, int me)
{
    const int explorers = (int)s->explorers;
    if (me < explorers) return pool_of(s, me, 0);
    const int from = s->control->buffer_next + (me - explorers) * WARP, size = s->control->buffer_size;
    Pool pool = {s->buffer, 0, from, from + WARP < size ? from + WARP : size};
    pool.base = pool.top;
    return pool;
}

// Before `take` or `copy`.
KERNEL(128, 1) clear_output(Search* s)
{
    Control* c = s->control;
    if (threadIdx.x == 0) c->extracted = c->active = c->entries = 0;
    for (int d = threadIdx.x; d < LEVELS; d += blockDim.x) s->widths[d] = 0;
}

// Give `share` of the waiting children in the bottom entries of every pool: of each entry those
// visited last, as entries of their own in `out`.
KERNEL(128, 1) extract_share(Search* s)
{
    const int me = warp_id(), explorers = (int)s->explorers;
    Pool pool = pool_or_buffer_part(s, me);
    const bool here = lane() < pool.top - pool.bottom;
    const u32* entry = pool.at(pool.bottom + (here ? lane() : 0));
    u32 waiting[WORDS], free[WORDS];
    for (int w = 0; w < WORDS; w++) {
        waiting[w] = here ? entry[WAITING + w] : 0;
        free[w] = here ? entry[FREE + w] : 0;
    }
    const int level = here ? (int)(entry[0] & 0xffffu) : 0;
    const i64 part = me * 40503 & 0xffff; // small shares of many small pools still add up
    const int count = count_items(waiting), upto = warp_scan(count);
    const i64 share = s->extract_fraction, after = (upto * share + part) >> 16;
    const int gives = (int)(after - (((upto - count) * share + part) >> 16));
    const int donations = count_lanes(warp_ballot(gives > 0));
    if (donations == 0) return;
    int at = 0;
    if (lane() == 0) at = atomicAdd(&s->control->extracted, donations);
    at = warp_shuffle(at, 0);
    if (at + donations > (int)s->out_capacity) {
        if (lane() == 0) s->control->overflow = 1;
        return;
    }
    const int leave = count - gives;
    add_widths(s->widths, gives > 0, level, gives > 0 ? width(waiting, free, leave) : 0);
    u32* to = s->out + (u64)at * s->out_words;
    move_children(pool, waiting, count, leave, to, (int)s->out_words, me < explorers);
    if (lane() == 0 && me < explorers) s->bottom[me] = pool.bottom;
}

// Copy every open entry to `out`.
KERNEL(128, 1) copy_open(Search* s)
{
    const Pool pool = pool_or_buffer_part(s, warp_id());
    for (int base = pool.bottom; base < pool.top; base += WARP) {
        const bool here = base + lane() < pool.top;
        const u32* entry = pool.at(base + (here ? lane() : 0));
        u32 waiting[WORDS], free[WORDS];
        for (int w = 0; w < WORDS; w++) {
            waiting[w] = here ? entry[WAITING + w] : 0;
            free[w] = here ? entry[FREE + w] : 0;
        }
        const bool open = count_items(waiting) > 0;
        const lanes_t all = warp_ballot(open);
        if (!all) continue;
        add_widths(s->widths, open, (int)(entry[0] & 0xffffu), open ? width(waiting, free, 0) : 0);
        int at = 0;
        if (lane() == 0) at = atomicAdd(&s->control->extracted, count_lanes(all));
        at = warp_shuffle(at, 0);
        if (at + count_lanes(all) > (int)s->out_capacity) {
            if (lane() == 0) s->control->overflow = 1;
            return;
        }
        if (open)
            copy_words(s->out + (u64)(at + count_lanes(all & lanes_before(lane()))) * s->out_words,
                       entry, (int)s->out_words);
    }
}

KERNEL(128, 1) least_bound(Search* s)
{
    DYNAMIC_SHARED(shared);
    const Tables tables = load_tables(s->tables, (u32*)shared);
    block_sync();
    Pool pool = pool_or_buffer_part(s, warp_id());
    for (int base = pool.bottom; base < pool.top; base += WARP) {
        const bool here = base + lane() < pool.top;
        const u32* entry = pool.at(base + (here ? lane() : 0));
        u32 waiting[WORDS], free[WORDS], everyone[WORDS];
        for (int w = 0; w < WORDS; w++) {
            waiting[w] = here ? entry[WAITING + w] : 0;
            free[w] = here ? entry[FREE + w] : 0;
            everyone[w] = warp_or(waiting[w]);
        }
        Node node;
        read(node, entry + STATE);
        const i64 value = least(node, tables, waiting, free, everyone, (int)(entry[0] & 0xffffu),
                                (int)(entry[0] >> 16));
        if (here) atomicMin((u64*)&s->control->least_bound, (u64)value);
    }
}
