// A long inner list: the keys of all subsets of some items in the order of their residues, one range of
// residues at a time.
//
// The subsets of the first items form a short list, in buckets of neighbouring residues. For each entry
// of the table of the remaining items, the subsets that fall into a range are contiguous, in a few
// buckets of the short list. ``measure`` counts the subsets before every range; ``place`` collects those
// of a range in shared memory in any order, counts those of each residue, sorts them there and writes
// them contiguously.
//
// Constants: THREADS of a block, BLOCKS per multiprocessor; AHEAD subsets that a lane loads at once; EACH
// subsets of a range per lane for which shared memory has room; WIDEST, the logarithm of the largest
// number of residues in a range.
#include "hardware/cuda/portable.cuh"
#include "subsetsum/gpu/layout.h"

#define PRIME 0x7fffffffu
#define NONE 0xffffffffu
#define ROOM (THREADS * EACH)

DEVICE u32 reduced(u32 sum, u32 modulus) { return sum < modulus ? sum : sum - modulus; }

template <class Visit>
DEVICE void each_short(const LongList* search, Visit visit)
{
    const u32 split = (u32)search->split, count = 1u << search->items, modulus = (u32)search->modulus;
    for (u32 m = blockIdx.x * THREADS + threadIdx.x; m < count; m += gridDim.x * THREADS) {
        const u64 a = search->first[m & ((1u << split) - 1)], b = search->second[m >> split];
        visit(m, reduced((u32)a + (u32)b, modulus), reduced((u32)(a >> 32) + (u32)(b >> 32), PRIME));
    }
}

KERNEL(THREADS, 1) tally_short(LongList* search)
{
    u32* const bucket = search->bucket;
    const u32 shift = (u32)search->shift;
    each_short(search, [&](u32, u32 residue, u32) { atomicAdd(&bucket[residue >> shift], 1u); });
}

KERNEL(THREADS, 1) place_short(LongList* search)
{
    u32* const bucket = search->bucket;
    const u32 shift = (u32)search->shift;
    each_short(search, [&](u32 mask, u32 residue, u32 key) {
        const u32 at = atomicSub(&bucket[residue >> shift], 1u) - 1;
        search->pairs[at] = (u64)key << 32 | residue;
        search->names[at] = mask;
    });
}

// For each range and each entry of the table, count the entries of the short list whose residues precede
// the first residue that belongs to them. Going round the circle of residues a second time counts all of
// them once more; the excess is the same for all ranges, namely the count before the first.
KERNEL(THREADS, 1) measure(LongList* search)
{
    const u32 modulus = (u32)search->modulus, shift = (u32)search->shift, highs = (u32)search->highs;
    const u32 *const bucket = search->bucket, all = 1u << search->items;
    const u64 edges = search->ranges + 1, parts = (highs + WARP - 1) / WARP;
    const u64 warps = (u64)gridDim.x * (THREADS / WARP);
    for (u64 k = warp_id(); k < edges * parts; k += warps) {
        const u64 edge = k % edges;
        const u64 begin = edge * search->width < modulus ? edge * search->width : modulus;
        const u32 high = (u32)(k / edges) * WARP + lane();
        u32 count = 0;
        if (high < highs) {
            const u32 own = (u32)search->high[high];
            const u64 wanted = begin + (own ? modulus - own : 0);
            const u32 residue = (u32)(wanted >= modulus ? wanted - modulus : wanted);
            const u32 from = bucket[residue >> shift], to = bucket[(residue >> shift) + 1];
            count = from + (wanted >= modulus ? all : 0);
            for (u32 j = from; j < to; j++) count += (u32)search->pairs[j] < residue;
        }
        count = (u32)warp_scan((int)count);
        if (lane() == WARP - 1) atomicAdd(&search->before[edge], count);
    }
}

// Visit every subset whose residue is one of ``width`` from ``begin`` on: its offset in this range (at
// least ``width`` if it lies outside, as some do), its key, the subset itself, and a unique number. A
// warp takes the subsets of as many entries of the table as it has lanes, AHEAD subsets per lane at a
// time.
template <class Visit>
DEVICE void each(const LongList* search, u32 begin, u32 width, u32* numbers, Visit visit)
{
    const u32 modulus = (u32)search->modulus, shift = (u32)search->shift, highs = (u32)search->highs;
    const u32 items = (u32)search->items;
    const u32 *const bucket = search->bucket, *const names = search->names;
    const u64* const pairs = search->pairs;
    const u32 end = ((modulus - 1) >> shift) + 1;
    for (u32 base = threadIdx.x & ~(WARP - 1); base < highs; base += THREADS) {
        u32 own = 0, key = 0, from = 0, count = 0, again = 0;
        if (base + lane() < highs) {
            const u64 high = search->high[base + lane()];
            const u32 residue = (u32)high;
            key = (u32)(high >> 32);
            own = begin >= residue ? begin - residue : begin + modulus - residue;
            const u32 last = own + width - 1;
            // Residues form a circle: a run that begins near its end may continue at its beginning.
            const bool round = last >= modulus;
            from = bucket[own >> shift];
            count = bucket[round ? end : (last >> shift) + 1] - from;
            if (round) again = bucket[((last - modulus) >> shift) + 1];
        }
        const u32 past = (u32)warp_scan((int)(count + again)), before = past - count - again;
        const u32 all = (u32)warp_shuffle((int)past, WARP - 1);
        const u32 first = (u32)warp_shuffle(lane() == 0 ? (int)atomicAdd(numbers, all) : 0, 0);
        for (u32 k = 0; k < all; k += AHEAD * WARP) {
            u64 pair[AHEAD];
            u32 far[AHEAD], name[AHEAD], added[AHEAD];
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                const u32 i = k + u * WARP + lane();
                // The last entry of the table with a count before it that does not exceed this.
                int entry = 0;
#pragma unroll
                for (int step = WARP / 2; step; step >>= 1)
                    if ((u32)warp_shuffle((int)before, entry + step) <= i) entry += step;
                const u32 j = i - (u32)warp_shuffle((int)before, entry);
                const u32 n = (u32)warp_shuffle((int)count, entry);
                const u32 f = (u32)warp_shuffle((int)from, entry);
                far[u] = (j < n ? 0 : modulus) - (u32)warp_shuffle((int)own, entry);
                added[u] = (u32)warp_shuffle((int)key, entry);
                name[u] = (base + entry) << items;
                if (i >= all) continue;
                const u32 at = j < n ? f + j : j - n;
                pair[u] = pairs[at];
                name[u] |= names[at];
            }
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                const u32 i = k + u * WARP + lane();
                if (i >= all) continue;
                const u32 sum = reduced((u32)(pair[u] >> 32) + added[u], PRIME);
                visit(far[u] + (u32)pair[u], sum, name[u], first + i);
            }
        }
    }
}

// Shared memory of a block: the subsets of a range, unsorted or sorted.
struct Own {
    u32 keys[ROOM], masks[ROOM];
    u32 places[ROOM];        // offset in the range; above it, the rank among equal offsets
    u32 counts[1 << WIDEST]; // subsets of each residue, then their running sums
    u32 sums[THREADS / WARP];
    u32 taken;
};

// Replace counts by their exclusive prefix sums.
DEVICE void add_up(Own& own, u32 width)
{
    const u32 each = (width + THREADS - 1) / THREADS, first = threadIdx.x * each;
    const u32 last = first + each < width ? first + each : width;
    u32 sum = 0;
    for (u32 i = first; i < last; i++) sum += own.counts[i];
    const u32 before = (u32)warp_scan((int)sum) - sum;
    if (lane() == WARP - 1) own.sums[threadIdx.x / WARP] = before + sum;
    block_sync();
    u32 total = before;
    for (u32 w = 0; w < threadIdx.x / WARP; w++) total += own.sums[w];
    for (u32 i = first; i < last; i++) {
        const u32 count = own.counts[i];
        own.counts[i] = total;
        total += count;
    }
    block_sync();
}

KERNEL(THREADS, BLOCKS) place(LongList* search)
{
    DYNAMIC_SHARED(memory);
    Own& own = *(Own*)memory;
    const u32 modulus = (u32)search->modulus;
    for (u64 range = blockIdx.x; range < search->ranges; range += gridDim.x) {
        const u64 begin = range * search->width;
        const u32 width = modulus - begin < search->width ? (u32)(modulus - begin) : (u32)search->width;
        const u32 first = search->before[range] - search->before[0];
        for (u32 i = threadIdx.x; i < width; i += THREADS) own.counts[i] = 0;
        if (threadIdx.x == 0) own.taken = 0;
        block_sync();
        each(search, (u32)begin, width, &own.taken, [&](u32 far, u32 key, u32 mask, u32 number) {
            const bool inside = far < width;
            const u32 before = inside ? atomicAdd(&own.counts[far], 1u) : 0;
            if (number >= ROOM) return;
            own.places[number] = inside ? before << WIDEST | far : NONE;
            own.keys[number] = key;
            own.masks[number] = mask;
        });
        block_sync();
        const u32 taken = own.taken;
        add_up(own, width);
        for (u32 i = threadIdx.x; i < width; i += THREADS) search->start[begin + i] = first + own.counts[i];
        if (range + 1 == search->ranges && threadIdx.x == 0)
            search->start[modulus] = search->before[range + 1] - search->before[0];
        if (taken <= ROOM) {
            u32 place[EACH], value[EACH];
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                const u32 i = threadIdx.x + u * THREADS;
                place[u] = i < taken ? own.places[i] : NONE;
                if (place[u] == NONE) continue;
                place[u] = own.counts[place[u] & ((1u << WIDEST) - 1)] + (place[u] >> WIDEST);
                value[u] = own.keys[i];
            }
            block_sync();
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                if (place[u] == NONE) continue;
                own.keys[place[u]] = value[u];
                value[u] = own.masks[threadIdx.x + u * THREADS];
            }
            block_sync();
#pragma unroll
            for (int u = 0; u < EACH; u++)
                if (place[u] != NONE) own.masks[place[u]] = value[u];
            block_sync();
            const u32 count = search->before[range + 1] - search->before[range];
            for (u32 i = threadIdx.x; i < count; i += THREADS) {
                search->list[first + i] = own.keys[i];
                search->masks[first + i] = own.masks[i];
            }
        } else {
            // More than there is room for: visit them again and write each directly to its place.
            block_sync();
            each(search, (u32)begin, width, &own.taken, [&](u32 far, u32 key, u32 mask, u32) {
                if (far >= width) return;
                const u32 to = first + atomicAdd(&own.counts[far], 1u);
                search->list[to] = key;
                search->masks[to] = mask;
            });
        }
        block_sync();
    }
}
