// The four-list search of many residue classes on one GPU: a block searches one class at a time.
//
// A side is an outer and an inner list of sums. In class r modulo q, the partners of an outer sum are the
// inner sums of one class, which are contiguous, so that GROUP lanes read them together. The keys of the
// near side set bits of a map in shared memory, which those of the far side look up; the few keys of the
// far side that are found set bits of a second map with another hash, which the near side looks up. What
// is left of both is compared by 64-bit checks. Equal checks are a hit, which the host adds up exactly.
// The sums themselves are never formed.
//
// Constants: THREADS of a block, BLOCKS per multiprocessor; GROUP lanes per outer sum, WIDTH keys of it
// that a lane loads ahead; UNROLL outer sums; MAP and SECOND, the logarithms of the bits of the maps. The
// least change (one comparison more or less) may alter the speed of the compiled code by a tenth: measure
// each.
#include "hardware/cuda/portable.cuh"
#include "subsetsum/gpu/layout.h"

#define PRIME 0x7fffffffu // keys are residues modulo this prime
#define NONE 0xffffffffu  // no key
#define THIRD 256         // room for the survivors of the last filter

enum { CURSOR, HITS, DOUBTFUL, FOUND }; // control words

DEVICE u32 add(u32 a, u32 b)
{
    const u32 sum = a + b, less = sum - PRIME;
    return sum < less ? sum : less;
}

DEVICE u32 first_word(u32 key) { return key >> (36 - MAP); }
DEVICE u32 first_bits(u32 key)
{
    u32 bits = shift_left(1, key);
    bits |= shift_left(1, key >> 5);
    return bits;
}
DEVICE u32 second_word(u32 hash) { return (hash >> 5) & ((1u << (SECOND - 5)) - 1); }
DEVICE u32 second_bits(u32 hash) { return shift_left(1, hash); }

// The first keys of one outer sum for this lane of its group.
struct Run {
    u32 at, count, key, inner[WIDTH];
};

DEVICE void fetch(Run& run, const u32* inner, u32 from, u32 count, u32 key, int source)
{
    const u32 within = lane() & (GROUP - 1);
    run.at = (u32)warp_shuffle((int)from, source) + within;
    run.count = (u32)warp_shuffle((int)count, source);
    run.key = (u32)warp_shuffle((int)key, source);
#pragma unroll
    for (int w = 0; w < WIDTH; w++)
        run.inner[w] = within + w * GROUP < run.count ? inner[run.at + w * GROUP] : NONE;
}

// Visit all keys of a class, with their places in both lists. While the keys of one outer sum are
// visited, those of the next are being loaded.
template <class Visit>
DEVICE void each(const Side& side, u32 modulus, u32 residue, Visit visit)
{
    const u32 outer_count = (u32)side.count;
    const u64* const outer = side.outer;
    const u32 *const inner = side.inner, *const start = side.start;
    const int home = lane() & ~(GROUP - 1);
    const u32 within = lane() & (GROUP - 1);
    for (u32 base = threadIdx.x & ~(WARP - 1); base < outer_count; base += THREADS) {
        const u32 i = base + lane();
        u32 from = 0, count = 0, key = 0;
        if (i < outer_count) {
            const u64 packed = outer[i];
            const u32 own = (u32)packed;
            const u32 wanted = residue >= own ? residue - own : residue + modulus - own;
            key = (u32)(packed >> 32);
            from = start[wanted];
            count = start[wanted + 1] - from;
        }
        Run run;
        fetch(run, inner, from, count, key, home);
#pragma unroll UNROLL
        for (int t = 0; t < GROUP; t++) {
            Run next;
            fetch(next, inner, from, t + 1 < GROUP ? count : 0, key, home + ((t + 1) & (GROUP - 1)));
            const u32 place = base + home + t;
#pragma unroll
            for (int w = 0; w < WIDTH; w++)
                if (run.inner[w] != NONE) visit(add(run.key, run.inner[w]), place, run.at + w * GROUP);
            for (u32 j = WIDTH * GROUP; within + j < run.count; j += GROUP)
                visit(add(run.key, inner[run.at + j]), place, run.at + j);
            run = next;
        }
    }
}

DEVICE void clear(u32* map, int log)
{
    for (int i = threadIdx.x; i < 1 << (log - 7); i += THREADS) ((uint4*)map)[i] = uint4{0, 0, 0, 0};
}

DEVICE u64 check(const Side& side, u64 survivor)
{
    const u32 mask = side.masks[(u32)survivor];
    const u32 split = (u32)side.split;
    return side.outer_check[survivor >> 32] + side.low[mask & ((1u << split) - 1)] + side.high[mask >> split];
}

DEVICE u32 key_of(const Side& side, u64 survivor)
{
    return add((u32)(side.outer[survivor >> 32] >> 32), side.inner[(u32)survivor]);
}

DEVICE u64 subset(const Side& side, u64 survivor)
{
    return (survivor >> 32) << 32 | side.masks[(u32)survivor];
}

KERNEL(THREADS, BLOCKS) join_residues(FourListSearch* search)
{
    DYNAMIC_SHARED(memory);
    u32* const map = (u32*)memory;
    u32* const counts = map + (1 << (MAP - 5)); // survivors: near, far, third filter; and the next residue
    u64* const third = (u64*)(counts + 4);
    const Side &near = search->side[0], &far = search->side[1];
    const u32 modulus = (u32)search->modulus, room = (u32)search->room;
    u64* const kept_near = search->survivors + 2 * search->room * blockIdx.x;
    u64* const kept_far = kept_near + search->room;
    const bool all = search->all != 0;

    while (true) {
        block_sync();
        if (threadIdx.x == 0) {
            const bool over = !all && load_volatile(&search->control[FOUND]);
            counts[0] = counts[1] = counts[2] = 0;
            counts[3] = over ? 0xffffffffu : atomicAdd(&search->control[CURSOR], 1u);
        }
        clear(map, MAP);
        block_sync();
        if (counts[3] >= (u32)search->count) break;
        const u32 residue = (u32)search->first + counts[3];

        each(near, modulus, residue, [&](u32 key, u32, u32) { atomicOr(&map[first_word(key)], first_bits(key)); });
        block_sync();
        each(far, modulus, residue, [&](u32 key, u32 i, u32 j) {
            const u32 bits = first_bits(key);
            if ((map[first_word(key)] & bits) == bits) {
                const u32 at = atomicAdd(&counts[1], 1u);
                if (at < room) kept_far[at] = (u64)i << 32 | j;
            }
        });
        block_sync();
        const u32 far_count = counts[1];
        bool doubtful = far_count > room;
        if (far_count == 0) continue;
        if (!doubtful) {
            clear(map, SECOND);
            block_sync();
            for (u32 s = threadIdx.x; s < far_count; s += THREADS) {
                const u32 hash = key_of(far, kept_far[s]);
                atomicOr(&map[second_word(hash)], second_bits(hash));
            }
            block_sync();
            each(near, modulus, residue, [&](u32 key, u32 i, u32 j) {
                const u32 bits = second_bits(key);
                if ((map[second_word(key)] & bits) == bits) {
                    const u32 at = atomicAdd(&counts[0], 1u);
                    if (at < room) kept_near[at] = (u64)i << 32 | j;
                }
            });
            block_sync();
            const u32 near_count = counts[0];
            if (near_count == 0) continue;
            doubtful = near_count > room;
            if (!doubtful) {
                clear(map, SECOND);
                block_sync();
                for (u32 s = threadIdx.x; s < near_count; s += THREADS) {
                    const u32 hash = (u32)(check(near, kept_near[s]) * 0x9e3779b97f4a7c15ull >> 32);
                    atomicOr(&map[second_word(hash)], second_bits(hash));
                }
                block_sync();
                for (u32 s = threadIdx.x; s < far_count; s += THREADS) {
                    const u32 hash = (u32)(check(far, kept_far[s]) * 0x9e3779b97f4a7c15ull >> 32);
                    const u32 bits = second_bits(hash);
                    if ((map[second_word(hash)] & bits) == bits) {
                        const u32 at = atomicAdd(&counts[2], 1u);
                        if (at < THIRD) third[at] = kept_far[s];
                    }
                }
                block_sync();
                const u32 left = counts[2];
                doubtful = left > THIRD;
                if (!doubtful)
                    for (u32 s = threadIdx.x; s < left * near_count; s += THREADS) {
                        const u64 one = kept_near[s / left], other = third[s % left];
                        if (check(near, one) != check(far, other)) continue;
                        store_volatile(&search->control[FOUND], 1u);
                        const u32 at = atomicAdd(&search->control[HITS], 1u);
                        if (at >= search->hit_room) continue;
                        search->hits[3 * at] = residue;
                        search->hits[3 * at + 1] = subset(near, one);
                        search->hits[3 * at + 2] = subset(far, other);
                    }
            }
        }
        if (doubtful && threadIdx.x == 0) {
            const u32 at = atomicAdd(&search->control[DOUBTFUL], 1u);
            if (at < search->doubtful_room) search->doubtful[at] = residue;
        }
    }
}
