// A long inner list: the keys of all subsets of some items in the order of their residues, a range of
// residues at a time.
//
// The subsets of the first items make a short list, in buckets of neighbouring residues. What goes with an
// entry of the table of the others and falls into a range then lies side by side, in a few buckets of the
// short list, and GROUP lanes read it together. tally counts the subsets of every residue, the host has
// the running sums made, and place puts a range in order; both count in shared memory, where the
// keys of a range are put as well, to be written side by side.
//
// Constants: THREADS a block, BLOCKS a multiprocessor, GROUP lanes an entry.
#include "cuda/portable.cuh"

#define PRIME 0x7fffffffu

struct Search {
    const u64* first;  // sums of the items of the short list: two tables of residues, keys above them
    const u64* second;
    u64 split;         // how many items the first table has, and both
    u64 items;
    u32* bucket;       // where each bucket begins in the short list, and the end
    u64 shift;         // the logarithm of the residues in a bucket
    u32* residues;     // of the short list
    u32* keys;
    u32* names;        // the subsets
    const u64* high;   // of the other items
    u64 highs;
    u64 modulus;
    u64 width;         // residues in a range, not more than the modulus
    u64 room;          // keys of a range that shared memory holds
    u32* start;        // where each residue begins in the list, and the end
    u32* list;
    u32* masks;
};

DEVICE u32 reduced(u32 sum, u32 modulus) { return sum < modulus ? sum : sum - modulus; }

template <class Visit>
DEVICE void each_short(const Search* search, Visit visit)
{
    const u32 split = (u32)search->split, count = 1u << search->items, modulus = (u32)search->modulus;
    for (u32 m = blockIdx.x * THREADS + threadIdx.x; m < count; m += gridDim.x * THREADS) {
        const u64 a = search->first[m & ((1u << split) - 1)], b = search->second[m >> split];
        visit(m, reduced((u32)a + (u32)b, modulus), reduced((u32)(a >> 32) + (u32)(b >> 32), PRIME));
    }
}

KERNEL(THREADS, 1) tally_short(Search* search)
{
    u32* const bucket = search->bucket;
    const u32 shift = (u32)search->shift;
    each_short(search, [&](u32, u32 residue, u32) { atomicAdd(&bucket[residue >> shift], 1u); });
}

KERNEL(THREADS, 1) place_short(Search* search)
{
    u32* const bucket = search->bucket;
    const u32 shift = (u32)search->shift;
    each_short(search, [&](u32 mask, u32 residue, u32 key) {
        const u32 at = atomicSub(&bucket[residue >> shift], 1u) - 1;
        search->residues[at] = residue;
        search->keys[at] = key;
        search->names[at] = mask;
    });
}

// Visit every subset whose residue is one of `width` from `begin` on: how far it is in this range, its
// entry of the table, its place in the short list.
template <class Visit>
DEVICE void each(const Search* search, u32 begin, u32 width, Visit visit)
{
    const u32 modulus = (u32)search->modulus, shift = (u32)search->shift, highs = (u32)search->highs;
    const u32 *const bucket = search->bucket, *const residues = search->residues;
    const u32 end = ((modulus - 1) >> shift) + 1;
    const int home = lane() & ~(GROUP - 1);
    const u32 within = lane() & (GROUP - 1);
    for (u32 base = threadIdx.x & ~(WARP - 1); base < highs; base += THREADS) {
        u32 own = 0, from = 0, count = 0, again = 0;
        if (base + lane() < highs) {
            const u32 residue = (u32)search->high[base + lane()];
            own = begin >= residue ? begin - residue : begin + modulus - residue;
            const u32 last = own + width - 1;
            // Residues are a circle: what begins near its end may go on at its beginning.
            const bool round = last >= modulus;
            from = bucket[own >> shift];
            count = bucket[round ? end : (last >> shift) + 1] - from;
            if (round) again = bucket[((last - modulus) >> shift) + 1];
        }
        for (int t = 0; t < GROUP; t++) {
            const u32 a = (u32)warp_shuffle((int)own, home + t), f = (u32)warp_shuffle((int)from, home + t);
            const u32 n = (u32)warp_shuffle((int)count, home + t), more = (u32)warp_shuffle((int)again, home + t);
            for (u32 j = within; j < n + more; j += GROUP) {
                const u32 at = j < n ? f + j : j - n;
                // Neighbours in the first or the last bucket may be outside.
                const u32 far = residues[at] - a + (j < n ? 0 : modulus);
                if (far < width) visit(far, base + home + t, at);
            }
        }
    }
}

KERNEL(THREADS, BLOCKS) tally(Search* search)
{
    DYNAMIC_SHARED(memory);
    u32* const counts = (u32*)memory;
    const u32 modulus = (u32)search->modulus, usual = (u32)search->width;
    const u64 step = (u64)gridDim.x * usual;
    for (u64 begin = (u64)blockIdx.x * usual; begin < modulus; begin += step) {
        const u32 width = modulus - begin < usual ? (u32)(modulus - begin) : usual;
        for (u32 i = threadIdx.x; i < width; i += THREADS) counts[i] = 0;
        block_sync();
        each(search, (u32)begin, width, [&](u32 far, u32, u32) { atomicAdd(&counts[far], 1u); });
        block_sync();
        for (u32 i = threadIdx.x; i < width; i += THREADS) search->start[begin + i + 1] = counts[i];
        block_sync();
    }
}

KERNEL(THREADS, BLOCKS) place(Search* search)
{
    DYNAMIC_SHARED(memory);
    u32* const counts = (u32*)memory;
    const u32 modulus = (u32)search->modulus, usual = (u32)search->width, room = (u32)search->room;
    u32* const own_keys = counts + usual;
    u32* const own_masks = own_keys + room;
    const u64 step = (u64)gridDim.x * usual;
    const u32 items = (u32)search->items;
    const u32* const start = search->start;
    for (u64 begin = (u64)blockIdx.x * usual; begin < modulus; begin += step) {
        const u32 width = modulus - begin < usual ? (u32)(modulus - begin) : usual;
        const u32 first = start[begin], count = start[begin + width] - first;
        for (u32 i = threadIdx.x; i < width; i += THREADS) counts[i] = start[begin + i] - first;
        block_sync();
        const bool fits = count <= room;
        u32* const keys = fits ? own_keys : search->list + first;
        u32* const masks = fits ? own_masks : search->masks + first;
        each(search, (u32)begin, width, [&](u32 far, u32 h, u32 low) {
            const u32 at = atomicAdd(&counts[far], 1u);
            keys[at] = reduced(search->keys[low] + (u32)(search->high[h] >> 32), PRIME);
            masks[at] = search->names[low] | h << items;
        });
        block_sync();
        if (fits)
            for (u32 i = threadIdx.x; i < count; i += THREADS) {
                search->list[first + i] = keys[i];
                search->masks[first + i] = masks[i];
            }
        block_sync();
    }
}
