// The inner list of a side: the keys of all subsets of some items in the order of their residues.
//
// A counting sort: the residues are tallied, the host has the running sums made, and every subset
// then takes a place at the end of what is left of its residue's. A subset's residue and key are
// sums of two entries of small tables. Of a long list one range of residues is made after another, so
// that the places and counters that are written at the same time stay in the cache: the first table is
// then in the order of its residues, and what goes with an entry of the second lies side by side.
// Constants: THREADS a block.
#include "cuda/portable.cuh"

#define PRIME 0x7fffffffu

struct Search {
    const u64* low;   // of the subsets of the first items: residues, keys above them
    const u32* names; // the subsets
    const u64* high;  // of the others
    u64 split;        // how many items are the first
    u64 count;        // of subsets
    u64 modulus;
    u64 ranges;       // of residues
    u32* start;
    u32* keys;
    u32* masks;
};

DEVICE u32 reduced(u32 sum, u32 modulus) { return sum < modulus ? sum : sum - modulus; }

// The first entry of the first table whose residue is not below a bound, found by a warp.
DEVICE u32 bound(const u64* low, u32 count, u32 residue)
{
    u32 from = 0, to = count;
    while (from < to) {
        const u32 step = (to - from + WARP - 1) / WARP, at = from + (lane() + 1) * step - 1;
        const u32 below = count_lanes(warp_ballot(at < to && (u32)low[at < to ? at : from] < residue));
        from += below * step;
        if (from + step - 1 < to) to = from + step - 1;
    }
    return from < to ? from : to;
}

template <class Visit>
DEVICE void each(const Search* search, Visit visit)
{
    const u32 split = (u32)search->split, modulus = (u32)search->modulus, ranges = (u32)search->ranges;
    const u64 *const low = search->low, *const high = search->high;
    const u32* const names = search->names;
    const u32 lows = 1u << split;
    const auto pair = [&](u32 l, u64 b, u32 h) {
        const u64 a = low[l];
        visit(names[l] | h << split, reduced((u32)a + (u32)b, modulus), reduced((u32)(a >> 32) + (u32)(b >> 32), PRIME));
    };
    if (ranges == 1) {
        const u64 stride = (u64)gridDim.x * THREADS;
        for (u64 m = (u64)blockIdx.x * THREADS + threadIdx.x; m < search->count; m += stride)
            pair((u32)m & (lows - 1), high[m >> split], (u32)(m >> split));
        return;
    }
    const u64 highs = search->count >> split, warps = (u64)gridDim.x * (THREADS / WARP);
    for (u64 task = warp_id(); task < ranges * highs; task += warps) {
        const u32 range = (u32)(task / highs), h = (u32)(task % highs);
        const u64 b = high[h];
        const u32 first = (u32)((u64)modulus * range / ranges), end = (u32)((u64)modulus * (range + 1) / ranges);
        const u32 own = (u32)b;
        const u32 from = bound(low, lows, first >= own ? first - own : first + modulus - own);
        const u32 to = end == own ? lows : bound(low, lows, end >= own ? end - own : end + modulus - own);
        // Residues are a circle: what begins near the end of the table may go on at its beginning.
        const bool round = (first >= own) != (end > own);
        const u32 stop = round ? lows : to;
        for (u32 l = from + lane(); l < stop; l += WARP) pair(l, b, h);
        if (round)
            for (u32 l = lane(); l < to; l += WARP) pair(l, b, h);
    }
}

KERNEL(THREADS, 1) tally(Search* search)
{
    u32* const start = search->start;
    each(search, [&](u32, u32 residue, u32) { atomicAdd(&start[residue], 1u); });
}

KERNEL(THREADS, 1) place(Search* search)
{
    u32 *const start = search->start, *const keys = search->keys, *const masks = search->masks;
    each(search, [&](u32 mask, u32 residue, u32 key) {
        const u32 at = atomicSub(&start[residue], 1u) - 1;
        keys[at] = key;
        masks[at] = mask;
    });
}
