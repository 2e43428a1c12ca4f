// A short inner list of a side: the keys of all subsets of some items in the order of their residues.
//
// A counting sort: residues are counted, the host computes the running sums, and every subset then claims
// a place at the end of what is left of its residue's range. A subset's residue and key are sums of two
// entries of small tables.
//
// Constants: THREADS of a block.
#include "hardware/cuda/portable.cuh"
#include "subsetsum/gpu/layout.h"

#define PRIME 0x7fffffffu

DEVICE u32 reduced(u32 sum, u32 modulus) { return sum < modulus ? sum : sum - modulus; }

template <class Visit>
DEVICE void each(const ShortList* search, Visit visit)
{
    const u32 split = (u32)search->split, modulus = (u32)search->modulus;
    const u64 *const low = search->low, *const high = search->high;
    const u64 stride = (u64)gridDim.x * THREADS;
    for (u64 m = (u64)blockIdx.x * THREADS + threadIdx.x; m < search->count; m += stride) {
        const u64 a = low[m & ((1u << split) - 1)], b = high[m >> split];
        visit((u32)m, reduced((u32)a + (u32)b, modulus), reduced((u32)(a >> 32) + (u32)(b >> 32), PRIME));
    }
}

KERNEL(THREADS, 1) tally(ShortList* search)
{
    u32* const start = search->start;
    each(search, [&](u32, u32 residue, u32) { atomicAdd(&start[residue], 1u); });
}

KERNEL(THREADS, 1) place(ShortList* search)
{
    u32 *const start = search->start, *const keys = search->keys, *const masks = search->masks;
    each(search, [&](u32 mask, u32 residue, u32 key) {
        const u32 at = atomicSub(&start[residue], 1u) - 1;
        keys[at] = key;
        masks[at] = mask;
    });
}
