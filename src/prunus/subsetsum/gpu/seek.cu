// The pairs of two lists that have a target as their sum: pruning, search.
//
// prune: where the partners of a tile of A begin and end in B, for every target. Where A is sparse and B is
// dense these are many times as many as elsewhere; what is above LIMIT is left to other blocks.
// seek: a tile of A marks a bit map, its partners in B read it, for several targets one after another;
// what is found in the map is looked up in A. Nothing is merged.
// assist: blocks that share the stretches of B that were left to them do the same, for a target each.
//
// Constants: THREADS a block, BLOCKS a multiprocessor; TILE places of A, AHEAD places a lane that are read
// at once, MAP, the logarithm of the bits of the map, LIMIT partners.
#include "subsetsum/gpu/two_list.cuh"

#define NONE 0xffffffffffffffffull
#define SUSPECTS 1024
#define STEP 16

// The first place of a list whose value is not below (or is above, if past) a bound.
DEVICE u64 bound(const u64* list, u64 length, u64 value, bool past)
{
    u64 low = 0, high = length;
    while (low < high) {
        const u64 middle = (low + high) >> 1;
        if (past ? list[middle] <= value : list[middle] < value) low = middle + 1;
        else high = middle;
    }
    return low;
}

DEVICE u64 shuffle(u64 value, int source)
{
    return (u64)(u32)warp_shuffle((int)(value >> 32), source) << 32 | (u32)warp_shuffle((int)value, source);
}

KERNEL(THREADS, 1) prune(Search* search)
{
    const u64 all = search->tiles * search->count, step = (u64)gridDim.x * THREADS;
    const bool past = lane() & 1; // the end, where partners are above target - the first of A
    for (u64 base = (u64)blockIdx.x * THREADS + threadIdx.x - lane(); base < 2 * all; base += step) {
        const u64 pair = (base + lane()) >> 1, tile = search->first + pair / search->count;
        u64 edge = 0;
        if (pair < all) {
            const u64 target = search->targets[pair % search->count];
            const u64 begin = tile * TILE, end = begin + TILE < search->n ? begin + TILE : search->n;
            const u64 value = search->a[past ? begin : end - 1];
            if (target >= value) edge = bound(search->b, search->m, target - value, past);
        }
        const u64 begin = shuffle(edge, lane() & ~1), end = shuffle(edge, lane() | 1);
        u64 kept = end, spare = 0, at = 0;
        if (!past && end - begin > LIMIT) {
            const u64 stretches = (end - begin + LIMIT - 1) / LIMIT;
            at = atomicAdd(&search->found[4], stretches - 1);
            const u64 left = at < search->room ? search->room - at : 0;
            spare = stretches - 1 < left ? stretches - 1 : left;
            if (spare) kept = begin + (stretches - spare) * LIMIT;
        }
        kept = shuffle(kept, lane() & ~1);
        if (pair < all) search->edges[base + lane()] = past ? kept : begin;
        for (int t = 0; t < WARP; t += 2) {
            const u32 many = (u32)warp_shuffle((int)spare, t);
            if (many == 0) continue;
            const u64 from = shuffle(kept, t), last = shuffle(end, t), first = shuffle(at, t);
            for (u32 k = lane(); k < many; k += WARP) {
                const u64 place = from + (u64)k * LIMIT, length = last - place < LIMIT ? last - place : LIMIT;
                search->spare[2 * (first + k)] = (base + t) >> 1 << 32 | length;
                search->spare[2 * (first + k) + 1] = place;
            }
        }
    }
}

DEVICE u32 hashed(u64 value) { return (u32)value * 0x9e3779b1u + (u32)(value >> 32) * 0x85ebca77u; }
DEVICE u32 map_bits(u32 hash) { return shift_left(1, hash >> 7) | shift_left(1, hash >> 2); }

// Look for the partner of a place of B in a tile of A, by way of every 16th value of it.
DEVICE void look_up(Search* search, const u64* sample, u64 begin, u64 end, u64 place, u64 target, u64 which)
{
    const u64 wanted = target - search->b[place];
    const u64 near = bound(sample, (end - begin + STEP - 1) / STEP, wanted, false);
    const u64 from = near ? begin + STEP * (near - 1) + 1 : begin;
    const u64 to = begin + STEP * near < end ? begin + STEP * near + 1 : end;
    const u64 at = from + bound(search->a + from, to - from, wanted, false);
    if (at >= end || search->a[at] != wanted) return;
    if (atomicAdd(&search->found[0], 1ull)) return;
    search->found[1] = wanted;
    search->found[2] = search->b[place];
    search->found[3] = which;
}

// Look for the partners of a tile of A: for every target, or in one stretch of B for one of them.
template <class Stretch>
DEVICE bool search_tile(Search* search, uint4* memory, u64 own, u64 low, u64 high, Stretch stretch)
{
    u32* const map = (u32*)memory;
    u64* const suspects = (u64*)(map + (1 << (MAP - 5)));
    u64* const sample = suspects + SUSPECTS;
    u32* const control = (u32*)(sample + TILE / STEP + 1);
    const u64 tile = search->first + own, begin = tile * TILE;
    const u64 end = begin + TILE < search->n ? begin + TILE : search->n;
    const u64 *const a = search->a, *const b = search->b;
    if (threadIdx.x == 0) {
        control[0] = 0;
        control[1] = (u32)peek(&search->found[0]);
    }
    for (int i = threadIdx.x; i < 1 << (MAP - 7); i += THREADS) ((uint4*)map)[i] = uint4{0, 0, 0, 0};
    block_sync();
    if (control[1]) return false;
    u64 v[AHEAD];
    for (u64 i = begin + threadIdx.x; i < end; i += AHEAD * THREADS) {
#pragma unroll
        for (int u = 0; u < AHEAD; u++) v[u] = i + u * THREADS < end ? a[i + u * THREADS] : NONE;
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            const u32 hash = hashed(v[u]);
            if (v[u] == NONE) continue;
            atomicOr(&map[hash >> (37 - MAP)], map_bits(hash));
            const u32 at = (u32)(i - begin) + u * THREADS;
            if (at % STEP == 0) sample[at / STEP] = v[u];
        }
    }
    block_sync();
    for (u64 which = low; which < high; which++) {
        u64 from;
        u32 many;
        stretch(which, from, many);
        const u64 target = search->targets[which];
        const u64* const run = b + from;
        for (u32 j = threadIdx.x; j < many; j += AHEAD * THREADS) {
#pragma unroll
            for (int u = 0; u < AHEAD; u++) v[u] = j + u * THREADS < many ? run[j + u * THREADS] : NONE;
#pragma unroll
            for (int u = 0; u < AHEAD; u++) {
                const u32 hash = hashed(target - v[u]), bits = map_bits(hash);
                if (v[u] == NONE || (map[hash >> (37 - MAP)] & bits) != bits) continue;
                const u32 at = atomicAdd(&control[0], 1u);
                if (at < SUSPECTS) suspects[at] = which << 48 | (from + j + u * THREADS);
            }
        }
    }
    block_sync();
    const u32 many = control[0];
    if (many <= SUSPECTS) {
        for (u32 s = threadIdx.x; s < many; s += THREADS) {
            const u64 which = suspects[s] >> 48, place = suspects[s] & 0xffffffffffffull;
            look_up(search, sample, begin, end, place, search->targets[which], which);
        }
        return true;
    }
    // Too many to be kept: what is in the map is looked up at once.
    for (u64 which = low; which < high; which++) {
        u64 from;
        u32 count;
        stretch(which, from, count);
        const u64 target = search->targets[which];
        for (u64 j = from + threadIdx.x; j < from + count; j += THREADS) {
            const u32 hash = hashed(target - b[j]), bits = map_bits(hash);
            if ((map[hash >> (37 - MAP)] & bits) == bits) look_up(search, sample, begin, end, j, target, which);
        }
    }
    return true;
}

KERNEL(THREADS, BLOCKS) seek(Search* search)
{
    DYNAMIC_SHARED(memory);
    const u64* const edges = search->edges + 2 * blockIdx.x * search->count;
    search_tile(search, memory, blockIdx.x, 0, search->count, [&](u64 which, u64& from, u32& many) {
        from = edges[2 * which];
        many = (u32)(edges[2 * which + 1] - from);
    });
}

KERNEL(THREADS, BLOCKS) assist(Search* search)
{
    DYNAMIC_SHARED(memory);
    const u64 left = search->found[4], spare = left < search->room ? left : search->room;
    for (u64 job = blockIdx.x; job < spare; job += gridDim.x) {
        const u64 stretch = search->spare[2 * job], pair = stretch >> 32, which = pair % search->count;
        const bool on = search_tile(
            search, memory, pair / search->count, which, which + 1, [&](u64, u64& from, u32& many) {
                from = search->spare[2 * job + 1];
                many = (u32)stretch;
            });
        if (!on) return;
        block_sync();
    }
}
