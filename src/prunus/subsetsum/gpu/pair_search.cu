// Pairs of a sum of side a and one of side b whose total is a target: pruning and search.
//
// Some items belong to neither of the two ascending lists a and b. Those of side a give the shifts, the
// sums of their subsets: the sums of that side are a + shift. Those of side b give the targets: what
// remains of the target after such a subset. The sums of side a are divided into tiles by value. What
// lies in a tile of a + shift is a window of a, different for every shift, and its partners are a window
// of b for every target. The full list of sums of a side is never formed or merged. sample, prune: where
// the windows begin and end, approximately. seek: the windows of a set bits of two maps; those of b look
// up the first, and the second where that succeeds; the few found in both are looked up in a. Where a is
// sparse and b dense, a window of b is many times as long as elsewhere; what exceeds LIMIT is left to
// other blocks. assist: the blocks that take over such work do the same for a section of a window of b
// each.
//
// Constants: THREADS of a block, BLOCKS per multiprocessor; AHEAD places that a lane loads at once; MAP
// and SECOND, the logarithms of the bits of the maps; LIMIT partners; at most WINDOWS windows of a list;
// STRIDE places of a list from one sample to the next.
#include "hardware/cuda/portable.cuh"
#include "subsetsum/gpu/layout.h"

#define SUSPECTS 256
#define CHUNK (AHEAD * WARP)

// Every STRIDEth place of both lists. The bounds of windows are looked up in this sample, which fits into
// the cache.
KERNEL(THREADS, 1) sample(PairSearch* search)
{
    const u64 n = (search->n + STRIDE - 1) / STRIDE, m = (search->m + STRIDE - 1) / STRIDE;
    for (u64 k = (u64)blockIdx.x * THREADS + threadIdx.x; k < n + m; k += (u64)gridDim.x * THREADS)
        search->samples[k] = k < n ? search->a[k * STRIDE] : search->b[(k - n) * STRIDE];
}

// The number of places of an ascending list below a bound.
DEVICE u32 below(const u64* list, u32 low, u32 high, u64 value)
{
    while (low < high) {
        const u32 middle = low + ((high - low) >> 1);
        if (list[middle] < value) low = middle + 1;
        else high = middle;
    }
    return low;
}

KERNEL(THREADS, 1) prune(PairSearch* search)
{
    const u64 line = search->tiles + 1, shifts = search->shift_count, all = line * (shifts + search->count);
    const u32 n = (u32)((search->n + STRIDE - 1) / STRIDE), m = (u32)((search->m + STRIDE - 1) / STRIDE);
    for (u64 k = (u64)blockIdx.x * THREADS + threadIdx.x; k < all; k += (u64)gridDim.x * THREADS) {
        const u64 choice = k / line, tile = search->first + k % line;
        const bool last = tile == search->every_tile;
        const u64 value = tile == 0 || last ? 0 : search->a[tile * search->step] + search->middle;
        u32 edge = 0;
        if (choice < shifts) {
            const u64 shift = search->shifts[choice];
            if (last) edge = n;
            else if (value > shift) edge = below(search->samples, 0, n, value - shift);
        } else if (!last) {
            const u64 target = search->targets[choice - shifts];
            if (target >= value) edge = below(search->samples + n, 0, m, target - value + 1);
        }
        search->edges[k] = edge;
    }
}

struct Hash { u32 word, bits; };

DEVICE Hash first_hash(u64 value)
{
    const u32 hash = (u32)value * 0x9e3779b1u + (u32)(value >> 32) * 0x85ebca77u;
    return {hash >> (37 - MAP), shift_left(1, hash >> 7) | shift_left(1, hash >> 2)};
}
DEVICE Hash second_hash(u64 value)
{
    const u32 hash = (u32)value * 0xc2b2ae3du + (u32)(value >> 32) * 0x27d4eb2fu;
    return {hash >> (37 - SECOND), shift_left(1, hash >> 7) | shift_left(1, hash >> 2)};
}

// Shared memory of a block.
struct Own {
    u32 map[1 << (MAP - 5)];
    u32 second[1 << (SECOND - 5)];
    u64 suspects[SUSPECTS];
    u64 moves[2][WINDOWS];                // shifts, targets
    u32 from[2][WINDOWS], to[2][WINDOWS]; // windows of a and of b
    u32 count, over;
};

// Bounds lie at sampled places: a window may be slightly longer than what lies in the tile.
DEVICE u32 begins(u32 edge) { return edge ? (edge - 1) * STRIDE : 0; }
DEVICE u32 ends(u32 edge, u64 length) { return (u64)edge * STRIDE < length ? edge * STRIDE : (u32)length; }

// The windows of a tile in a.
DEVICE void windows_of_a(const PairSearch* search, Own& own, u64 tile)
{
    if (threadIdx.x >= WINDOWS) return;
    u32 from = 0, to = 0;
    if (threadIdx.x < search->shift_count) {
        const u32* const edges = search->edges + threadIdx.x * (search->tiles + 1) + tile;
        from = begins(edges[0]);
        to = ends(edges[1], search->n);
        own.moves[0][threadIdx.x] = search->shifts[threadIdx.x];
    }
    own.from[0][threadIdx.x] = from;
    own.to[0][threadIdx.x] = to;
}

DEVICE void clear(PairSearch* search, Own& own)
{
    if (threadIdx.x == 0) {
        own.count = 0;
        own.over = (u32)load_volatile(&search->found[0]);
    }
    if (threadIdx.x < search->count) own.moves[1][threadIdx.x] = search->targets[threadIdx.x];
    for (int i = threadIdx.x; i < 1 << (MAP - 7); i += THREADS) ((uint4*)own.map)[i] = uint4{0, 0, 0, 0};
    for (int i = threadIdx.x; i < 1 << (SECOND - 7); i += THREADS) ((uint4*)own.second)[i] = uint4{0, 0, 0, 0};
}

// Visit all places of a list's windows, a chunk at a time, by all warps together. Each visit gets some
// places of a lane, how many of them lie in the window, their values and the window's number.
template <class Visit>
DEVICE void each(const u64* list, const u32* from, const u32* to, Visit visit)
{
    const u32 begin = lane() < WINDOWS ? from[lane()] : 0, end = lane() < WINDOWS ? to[lane()] : 0;
    const u32 chunks = (end - begin + CHUNK - 1) / CHUNK;
    const u32 last = (u32)warp_scan((int)chunks), all = (u32)warp_shuffle((int)last, WARP - 1);
    const u32 start = begin - (last - chunks) * CHUNK; // where the window would begin if all chunks were its own
    for (u32 c = threadIdx.x / WARP; c < all; c += THREADS / WARP) {
        const int window = count_lanes(warp_ballot(last <= c));
        const u32 at = (u32)warp_shuffle((int)start, window) + c * CHUNK + lane();
        const u32 past = (u32)warp_shuffle((int)end, window);
        const u32 left = at < past ? (past - at + WARP - 1) / WARP : 0;
        u64 v[AHEAD];
        // Places past the window repeat its last one.
#pragma unroll
        for (u32 u = 0; u < AHEAD; u++) v[u] = list[u < left ? at + u * WARP : past - 1];
        visit(window, at, left, v);
    }
}

// Look up a sum of side a in the windows of a, or in one of them.
DEVICE void look_up(PairSearch* search, const Own& own, u32 which, u32 place, u32 first, u32 last)
{
    const u64 value = search->b[place], wanted = search->targets[which] - value;
    for (u32 w = first; w < last; w++) {
        const u64 shift = search->shifts[w];
        if (wanted < shift) continue;
        const u32 at = below(search->a, own.from[0][w], own.to[0][w], wanted - shift);
        if (at >= own.to[0][w] || search->a[at] != wanted - shift) continue;
        if (atomicAdd(&search->found[0], 1ull)) continue;
        search->found[1] = wanted - shift;
        search->found[2] = value;
        search->found[3] = (u64)which << 32 | w;
    }
}

DEVICE bool is_in_second(const Own& own, u64 value)
{
    const Hash hash = second_hash(value);
    return (own.second[hash.word] & hash.bits) == hash.bits;
}

// Look up what both maps contain: either what was kept, or everything if too much was found to be kept.
APART void confirm(PairSearch* search, const Own& own)
{
    const u32 many = own.count, shifts = (u32)search->shift_count;
    if (many > SUSPECTS)
        each(search->b, own.from[1], own.to[1], [&](int w, u32 at, u32 left, const u64* v) {
            for (u32 u = 0; u < AHEAD && u < left; u++) {
                const u64 wanted = own.moves[1][w] - v[u];
                const Hash hash = first_hash(wanted);
                if ((own.map[hash.word] & hash.bits) == hash.bits && is_in_second(own, wanted))
                    look_up(search, own, w, at + u * WARP, 0, shifts);
            }
        });
    else
        for (u32 k = threadIdx.x; k < many * shifts; k += THREADS) {
            const u64 suspect = own.suspects[k / shifts];
            look_up(search, own, (u32)(suspect >> 32), (u32)suspect, k % shifts, k % shifts + 1);
        }
}

// Search the windows of both lists for pairs.
DEVICE void search_windows(PairSearch* search, Own& own)
{
    each(search->a, own.from[0], own.to[0], [&](int w, u32, u32 left, const u64* v) {
        const u64 shift = own.moves[0][w];
#pragma unroll
        for (u32 u = 0; u < AHEAD; u++) {
            const Hash one = first_hash(v[u] + shift), two = second_hash(v[u] + shift);
            if (u < left) {
                atomicOr(&own.map[one.word], one.bits);
                atomicOr(&own.second[two.word], two.bits);
            }
        }
    });
    block_sync();
    each(search->b, own.from[1], own.to[1], [&](int w, u32 at, u32 left, const u64* v) {
        const u64 target = own.moves[1][w];
        u32 hits = 0;
#pragma unroll
        for (u32 u = 0; u < AHEAD; u++) {
            const Hash hash = first_hash(target - v[u]);
            if ((own.map[hash.word] & hash.bits) == hash.bits) hits |= 1u << u;
        }
        if (hits == 0) return;
#pragma unroll
        for (u32 u = 0; u < AHEAD; u++) {
            if (!(hits >> u & 1) || u >= left || !is_in_second(own, target - v[u])) continue;
            const u32 number = atomicAdd(&own.count, 1u);
            if (number < SUSPECTS) own.suspects[number] = (u64)w << 32 | (at + u * WARP);
        }
    });
    block_sync();
    if (own.count) confirm(search, own);
}

KERNEL(THREADS, BLOCKS) search_tiles(PairSearch* search)
{
    DYNAMIC_SHARED(memory);
    Own& own = *(Own*)memory;
    const u64 tile = blockIdx.x;
    clear(search, own);
    windows_of_a(search, own, tile);
    if (threadIdx.x < WARP) {
        u32 from = 0, to = 0, kept = 0, spare = 0;
        u64 at = 0;
        const bool is_one = lane() < search->count;
        if (is_one) {
            const u64 line = search->tiles + 1;
            const u32* const edges = search->edges + (search->shift_count + lane()) * line + tile;
            from = begins(edges[1]);
            kept = to = ends(edges[0], search->m);
            if (to - from > LIMIT) {
                const u32 stretches = (to - from + LIMIT - 1) / LIMIT;
                at = atomicAdd(&search->found[4], (u64)(stretches - 1));
                const u64 left = at < search->room ? search->room - at : 0;
                spare = stretches - 1 < left ? stretches - 1 : (u32)left;
                if (spare) kept = from + (stretches - spare) * LIMIT;
            }
        }
        if (lane() < WINDOWS) {
            own.from[1][lane()] = from;
            own.to[1][lane()] = kept;
        }
        for (u32 s = 0; s < spare; s++) {
            const u32 place = kept + s * LIMIT, length = to - place < LIMIT ? to - place : LIMIT;
            search->spare[2 * (at + s)] = (tile * search->count + lane()) << 32 | length;
            search->spare[2 * (at + s) + 1] = place;
        }
    }
    block_sync();
    if (!own.over) search_windows(search, own);
}

KERNEL(THREADS, BLOCKS) search_spare(PairSearch* search)
{
    DYNAMIC_SHARED(memory);
    Own& own = *(Own*)memory;
    const u64 left = search->found[4], spare = left < search->room ? left : search->room;
    for (u64 job = blockIdx.x; job < spare; job += gridDim.x) {
        const u64 stretch = search->spare[2 * job], pair = stretch >> 32;
        clear(search, own);
        windows_of_a(search, own, pair / search->count);
        if (threadIdx.x < WINDOWS) {
            const u32 from = (u32)search->spare[2 * job + 1];
            own.from[1][threadIdx.x] = from;
            own.to[1][threadIdx.x] = from + (threadIdx.x == pair % search->count ? (u32)stretch : 0);
        }
        block_sync();
        if (own.over) return;
        search_windows(search, own);
        block_sync();
    }
}
