// What the host asks of all pools at once: open intervals, a share to give away, the least bound.
// One warp a pool; further warps look at the bag, WARP entries each.
#pragma once

DEVICE Pool pool_or_bag(Search* s, int me)
{
    const int explorers = (int)s->explorers;
    if (me < explorers) return pool_of(s, me, 0);
    const int from = s->control->bag_next + (me - explorers) * WARP, size = s->control->bag_size;
    Pool pool = {s->bag, 0, from, from + WARP < size ? from + WARP : size};
    pool.base = pool.top;
    return pool;
}

// Write `share` of the waiting children (those visited last) to `out`, as entries without state.
KERNEL(128, 1) take(Search* s)
{
    Pool pool = pool_or_bag(s, warp_id());
    const int size = pool.top - pool.bottom;
    const int n = size < (int)s->window_take ? size : (int)s->window_take;
    const i64 part = warp_id() * 40503 & 0xffff; // small shares of many small pools still add up
    i64 seen = 0;
    for (int base = 0; base < n; base += WARP) {
        const bool here = base + lane() < n;
        u32* entry = pool.at(pool.bottom + base + (here ? lane() : 0));
        u32 waiting[WORDS];
        for (int w = 0; w < WORDS; w++) waiting[w] = here ? entry[WAITING + w] : 0;
        const int count = count_items(waiting), upto = warp_scan(count);
        const i64 after = ((seen + upto) * s->share + part) >> 16;
        const int gives = (int)(after - (((seen + upto - count) * s->share + part) >> 16));
        seen += warp_shuffle(upto, WARP - 1);
        if (gives > 0) {
            const int at = atomicAdd(&s->control->given, 1);
            if (at >= (int)s->out_capacity) continue;
            u32* copy = s->out + (u64)at * STATE;
            const int cut = nth_item(waiting, count - gives);
            copy_words(copy, entry, STATE);
            for (int w = 0; w < WORDS; w++) {
                copy[WAITING + w] = waiting[w] & ~below(w, cut);
                if (!s->keep) entry[WAITING + w] = waiting[w] & below(w, cut);
            }
        }
    }
}

KERNEL(128, 1) least_bound(Search* s)
{
    DYNAMIC_SHARED(shared);
    const Tables tables = load_tables(s->tables, (u32*)shared);
    block_sync();
    Pool pool = pool_or_bag(s, warp_id());
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
        if (here) atomicMin((u64*)&s->control->least, (u64)value);
    }
}
