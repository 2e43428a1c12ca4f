// The pairs of two lists that have a target as their sum: pruning, search.
//
// prune: where the partners of a tile of A begin and end in B, for every target.
// seek: a tile of A marks a bit map, its partners in B read it, for several targets one after another;
// what is found in the map is looked up in A. Nothing is merged.
//
// Constants: THREADS a block, BLOCKS a multiprocessor; TILE places of A, AHEAD places a lane that are read
// at once, MAP, the logarithm of the bits of the map.
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
