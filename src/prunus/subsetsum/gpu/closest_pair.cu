// The largest sum of a pair from two lists that does not exceed a target, for several targets, found
// along the merge path of A and target - B.
//
// Constants: THREADS of a block, BLOCKS per multiprocessor, ITEMS per lane.
#include "subsetsum/gpu/merge.cuh"
#include "subsetsum/gpu/layout.h"

KERNEL(THREADS, BLOCKS) closest_pair(ClosestPairSearch* search)
{
    DYNAMIC_SHARED(memory);
    u64* const s = (u64*)memory;
    u64* const cuts = s + OUTPUT;
    const u64 which = blockIdx.x / search->tiles, tile = search->first + blockIdx.x % search->tiles;
    const u64 target = search->targets[which], n = search->n;
    const u64 *const a = search->a, *const b = search->b;
    // Larger elements of B have no partner.
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
    if (least != NONE && least < load_volatile(&search->least[which])) atomicMin(&search->least[which], least);
}
