// The two-list search on one GPU: generation by adding items, pruning, search.
//
// grow: each of two ascending lists x becomes the merge of x and x + w. A block makes one tile of the
// output: two warps find where its ends cut the merge path, the lanes then merge ITEMS places each
// in shared memory. ITEMS is odd, so that lanes that stand ITEMS apart meet in no bank.
// prune: where the partners of a tile of A begin and end in B, for every target.
// seek: a tile of A marks a bit map, its partners in B read it, for several targets one after another;
// what is found in the map is looked up in A. Nothing is merged.
// nearest: the merge path of A and target - B, for the largest sum that is not above the target.
//
// Constants: THREADS a block, BLOCKS a multiprocessor, ITEMS a lane; in seek, TILE places of A, AHEAD
// places a lane that are read at once, MAP, the logarithm of the bits of the map.
#include "cuda/portable.cuh"

#define NONE 0xffffffffffffffffull
#define OUTPUT (THREADS * ITEMS)
#define SUSPECTS 1024
#define STEP 16

struct Growth { const u64* from; u64* to; u64 length; u64 weight; u64 tiles; u64* cuts; };

struct Search {
    Growth growth[2];  // grow
    const u64* a;      // seek, nearest
    const u64* b;
    u64 n;
    u64 m;
    u64 first;         // tile
    u64 tiles;
    const u64* targets;
    u64 count;         // of targets
    u64* edges;        // of every tile for every target: begin and end in B
    u64* found;        // how many pairs, then a, b and the target's number
    u64* least;        // target - sum, for every target
};

// How many of the first places up to `end` satisfy a condition that only the first of them satisfy;
// found by all lanes of a warp together.
template <class Holds>
DEVICE u64 count_first(u64 low, u64 high, Holds holds)
{
    while (low < high) {
        const u64 step = (high - low + WARP - 1) / WARP;
        const u64 at = low + (lane() + 1) * step - 1;
        const int full = count_lanes(warp_ballot(at < high && holds(at < high ? at : low)));
        low += full * step;
        if (low + step - 1 < high) high = low + step - 1;
    }
    return low < high ? low : high;
}

// Merge what lies in shared memory, ITEMS places a lane: na values, then nb. Calls take(value, from the
// second) in ascending order, ties from the first.
template <class Take>
DEVICE void merge(const u64* s, int na, int nb, Take take)
{
    int begin = threadIdx.x * ITEMS;
    if (begin > na + nb) begin = na + nb;
    int low = begin > nb ? begin - nb : 0, high = begin < na ? begin : na;
    while (low < high) {
        const int middle = (low + high) >> 1;
        if (s[middle] <= s[na + begin - 1 - middle]) low = middle + 1;
        else high = middle;
    }
    int x = low, y = na + begin - low;
    const int end = na + nb;
    u64 one = x < na ? s[x] : NONE, two = y < end ? s[y] : NONE;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const bool second = two < one;
        take(i, second ? two : one, second, x);
        const int next = second ? ++y : ++x;
        const u64 value = next < (second ? end : na) ? s[next] : NONE;
        if (second) two = value;
        else one = value;
    }
}

// Where the tiles of both lists cut the merge path: for long lists, where a block would wait for
// the search.
KERNEL(THREADS, 1) cut(Search* search)
{
    u64 tile = (u64)blockIdx.x * THREADS + threadIdx.x;
    const bool other = search->growth[0].tiles && tile > search->growth[0].tiles;
    if (other) tile -= search->growth[0].tiles + 1;
    const Growth& g = search->growth[other || search->growth[0].tiles == 0];
    if (tile > g.tiles) return;
    const u64 n = g.length, weight = g.weight, wanted = tile * OUTPUT;
    const u64 diagonal = wanted < 2 * n ? wanted : 2 * n;
    u64 low = diagonal > n ? diagonal - n : 0, high = diagonal < n ? diagonal : n;
    while (low < high) {
        const u64 middle = (low + high) >> 1;
        if (g.from[middle] <= g.from[diagonal - 1 - middle] + weight) low = middle + 1;
        else high = middle;
    }
    g.cuts[tile] = low;
}

KERNEL(THREADS, BLOCKS) grow(Search* search)
{
    DYNAMIC_SHARED(memory);
    u64* const s = (u64*)memory;
    u64* const cuts = s + OUTPUT;
    const bool other = blockIdx.x >= search->growth[0].tiles;
    const Growth g = search->growth[other];
    const u64* const from = g.from;
    const u64 tile = blockIdx.x - (other ? search->growth[0].tiles : 0);
    const u64 n = g.length, weight = g.weight;
    u64 begin = tile * OUTPUT, end = begin + OUTPUT;
    if (end > 2 * n) end = 2 * n;
    if (g.cuts) {
        if (threadIdx.x < 2) cuts[threadIdx.x] = g.cuts[tile + threadIdx.x];
    } else if (threadIdx.x < 2 * WARP) {
        const u64 diagonal = threadIdx.x < WARP ? begin : end;
        const u64 cut = count_first(diagonal > n ? diagonal - n : 0, diagonal < n ? diagonal : n,
            [&](u64 i) { return from[i] <= from[diagonal - 1 - i] + weight; });
        if (lane() == 0) cuts[threadIdx.x / WARP] = cut;
    }
    block_sync();
    const u64 a0 = cuts[0], a1 = cuts[1], b0 = begin - a0, b1 = end - a1;
    const int na = (int)(a1 - a0), nb = (int)(b1 - b0);
    // All loads first, then all stores: the memory is far away.
    u64 made[ITEMS];
#pragma unroll
    for (int u = 0; u < ITEMS; u++) {
        const int i = threadIdx.x + u * THREADS;
        if (i < na + nb) made[u] = from[i < na ? a0 + i : b0 + i - na];
    }
#pragma unroll
    for (int u = 0; u < ITEMS; u++) {
        const int i = threadIdx.x + u * THREADS;
        if (i < na + nb) s[i] = i < na ? made[u] : made[u] + weight;
    }
    block_sync();
    merge(s, na, nb, [&](int i, u64 value, bool, int) { made[i] = value; });
    block_sync();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) s[threadIdx.x * ITEMS + i] = made[i];
    block_sync();
#pragma unroll
    for (int u = 0; u < ITEMS; u++) {
        const int i = threadIdx.x + u * THREADS;
        if (i < na + nb) g.to[begin + i] = s[i];
    }
}

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

KERNEL(THREADS, 1) prune(Search* search)
{
    const u64 all = search->tiles * search->count;
    for (u64 k = (u64)blockIdx.x * THREADS + threadIdx.x; k < 2 * all; k += (u64)gridDim.x * THREADS) {
        const u64 pair = k >> 1, tile = search->first + pair / search->count;
        const u64 target = search->targets[pair % search->count];
        const u64 begin = tile * TILE, end = begin + TILE < search->n ? begin + TILE : search->n;
        const bool past = k & 1; // the end, where partners are above target - the first of A
        const u64 value = search->a[past ? begin : end - 1];
        u64 edge = 0;
        if (past) edge = target < value ? 0 : bound(search->b, search->m, target - value, true);
        else edge = target < value ? 0 : bound(search->b, search->m, target - value, false);
        search->edges[k] = edge;
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

KERNEL(THREADS, BLOCKS) seek(Search* search)
{
    DYNAMIC_SHARED(memory);
    u32* const map = (u32*)memory;
    u64* const suspects = (u64*)(map + (1 << (MAP - 5)));
    u64* const sample = suspects + SUSPECTS;
    u32* const control = (u32*)(sample + TILE / STEP + 1);
    const u64 tile = search->first + blockIdx.x, begin = tile * TILE;
    const u64 end = begin + TILE < search->n ? begin + TILE : search->n;
    const u64 *const a = search->a, *const b = search->b;
    if (threadIdx.x == 0) {
        control[0] = 0;
        control[1] = (u32)peek(&search->found[0]);
    }
    for (int i = threadIdx.x; i < 1 << (MAP - 7); i += THREADS) ((uint4*)map)[i] = uint4{0, 0, 0, 0};
    block_sync();
    if (control[1]) return;
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
    for (u64 which = 0; which < search->count; which++) {
        const u64* const edge = search->edges + 2 * (blockIdx.x * search->count + which);
        const u64 target = search->targets[which], from = edge[0];
        const u64* const run = b + from;
        const u32 many = (u32)(edge[1] - from);
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
        return;
    }
    // Too many to be kept: what is in the map is looked up at once.
    for (u64 which = 0; which < search->count; which++) {
        const u64* const edge = search->edges + 2 * (blockIdx.x * search->count + which);
        const u64 target = search->targets[which];
        for (u64 j = edge[0] + threadIdx.x; j < edge[1]; j += THREADS) {
            const u32 hash = hashed(target - b[j]), bits = map_bits(hash);
            if ((map[hash >> (37 - MAP)] & bits) == bits) look_up(search, sample, begin, end, j, target, which);
        }
    }
}

KERNEL(THREADS, BLOCKS) nearest(Search* search)
{
    DYNAMIC_SHARED(memory);
    u64* const s = (u64*)memory;
    u64* const cuts = s + OUTPUT;
    const u64 which = blockIdx.x / search->tiles, tile = search->first + blockIdx.x % search->tiles;
    const u64 target = search->targets[which], n = search->n;
    const u64 *const a = search->a, *const b = search->b;
    // Larger ones of B are partners of nothing.
    if (threadIdx.x < WARP) {
        const u64 within = count_first(0, search->m, [&](u64 j) { return b[j] <= target; });
        if (lane() == 0) cuts[2] = within;
    }
    block_sync();
    const u64 m = cuts[2];
    u64 begin = tile * OUTPUT, end = begin + OUTPUT;
    if (begin > n + m) begin = n + m;
    if (end > n + m) end = n + m;
    if (threadIdx.x < 2 * WARP) {
        const u64 diagonal = threadIdx.x < WARP ? begin : end;
        const u64 cut = count_first(diagonal > m ? diagonal - m : 0, diagonal < n ? diagonal : n,
            [&](u64 i) { return a[i] <= target - b[m - diagonal + i]; });
        if (lane() == 0) cuts[threadIdx.x / WARP] = cut;
    }
    block_sync();
    const u64 a0 = cuts[0], a1 = cuts[1], b0 = begin - a0, b1 = end - a1;
    const int na = (int)(a1 - a0), nb = (int)(b1 - b0);
    for (int i = threadIdx.x; i < na + nb; i += THREADS)
        s[i] = i < na ? a[a0 + i] : target - b[m - 1 - (b0 + i - na)];
    block_sync();
    u64 least = NONE, last = 0;
    bool known = false;
    merge(s, na, nb, [&](int i, u64 value, bool second, int x) {
        if (value == NONE) return;
        if (!second) {
            last = value;
            known = true;
            return;
        }
        if (!known && (x > 0 || a0 > 0)) {
            last = x > 0 ? s[x - 1] : a[a0 - 1];
            known = true;
        }
        if (known && value - last < least) least = value - last;
    });
    if (least != NONE && least < peek(&search->least[which])) atomicMin(&search->least[which], least);
}
