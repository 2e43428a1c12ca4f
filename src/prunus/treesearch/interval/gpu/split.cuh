// Moving half of one pool to another: what every steal and every donation does.
//
// Of each of the bottom entries (the largest, being shallowest) the upper half of the waiting
// children goes; of entries with a single child every second one. The receiver gets copies of the
// entries and so needs no replay; both sides keep node-aligned intervals. What the giver keeps moves
// up over the gaps, or a few leftovers at the bottom would hide everything above them.
#pragma once

// Waiting children in the window that `share` looks at.
DEVICE int divisible_children(const Pool& pool)
{
    const bool here = lane() < pool.top - pool.bottom;
    u32 waiting[WORDS];
    const u32* entry = pool.at(pool.bottom + (here ? lane() : 0));
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) waiting[w] = here ? entry[WAITING + w] : 0;
    return warp_shuffle(warp_scan(count_items(waiting)), WARP - 1);
}

// Move all but the first `leave` waiting children of each lane's bottom entry to `to`, as copies of
// the entries; return how many entries that makes. With `close`, what is kept moves up over the gaps.
DEVICE int move_children(Pool& pool, const u32* waiting, int count, int leave, u32* to, int words,
                     bool close)
{
    const int l = lane();
    const bool here = l < pool.top - pool.bottom, gives = leave < count;
    u32* entry = pool.at(pool.bottom + (here ? l : 0));
    const lanes_t donations = warp_ballot(gives);
    if (gives) {
        u32* copy = to + (u64)count_lanes(donations & lanes_before(l)) * words;
        const int cut = nth_item(waiting, leave);
        copy_words(copy, entry, words);
        for (int w = 0; w < WORDS; w++) {
            copy[WAITING + w] = waiting[w] & ~below(w, cut);
            entry[WAITING + w] = waiting[w] & below(w, cut);
        }
    }
    const bool kept = (gives ? leave : count) > 0;
    const lanes_t dead = warp_ballot(here && !kept);
    const int gone = close ? count_lanes(dead) : 0;
    if (gone) {
        const bool moves = here && kept;
        u32* goal = pool.at(pool.bottom + l + (moves ? count_lanes(dead & ~lanes_before(l)) : 0));
        warp_sync();
        for (int i = 0; i < ENTRY_WORDS; i += 4) {
            uint4 piece;
            if (moves) piece = *(const uint4*)(entry + i);
            warp_sync();
            if (moves) *(uint4*)(goal + i) = piece;
            warp_sync();
        }
    }
    pool.bottom += gone;
    if (pool.base < pool.bottom) pool.base = pool.bottom;
    warp_sync();
    return count_lanes(donations);
}

// What waits in each lane's bottom entry, and how much of it stays if half is given.
struct Half {
    u32 waiting[WORDS];
    int count, leave;
};

DEVICE Half half_of(const Pool& pool)
{
    Half half;
    const bool here = lane() < pool.top - pool.bottom;
    const u32* entry = pool.at(pool.bottom + (here ? lane() : 0));
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) half.waiting[w] = here ? entry[WAITING + w] : 0;
    half.count = count_items(half.waiting);
    const lanes_t odd = warp_ballot(half.count & 1);
    half.leave = (half.count + (count_lanes(odd & lanes_before(lane())) & 1 ? 0 : 1)) / 2;
    return half;
}

// Give about half to the empty pool at `to`; return how many entries it now has.
DEVICE int split_half(Pool& pool, u32* to)
{
    const Half half = half_of(pool);
    return move_children(pool, half.waiting, half.count, half.leave, to, ENTRY_WORDS, true);
}

// The leaves from an entry's first to its last waiting child, in weights of its level: what the entry
// stands for as an interval. `waiting` must not be empty.
DEVICE int width(const u32* waiting, const u32* free, int first)
{
    const int low = nth_item(waiting, first), high = nth_item(waiting, count_items(waiting) - 1);
    int between = 1;
    for (int w = 0; w < WORDS; w++) between += __popc(free[w] & below(w, high) & ~below(w, low));
    return between;
}

// Add up the widths of the lanes' entries by level.
DEVICE void add_widths(u64* sums, bool counts, int level, int value)
{
    lanes_t left = warp_ballot(counts);
    while (left) {
        const int common = warp_shuffle(level, lowest_lane(left));
        const bool same = counts && level == common;
        const int sum = warp_scan(same ? value : 0);
        if (lane() == WARP - 1) atomicAdd(sums + common, (u64)sum);
        left &= ~warp_ballot(same);
    }
}
