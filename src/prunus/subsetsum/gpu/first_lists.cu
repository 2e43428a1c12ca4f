// The first items of both lists: a block sorts the sums of a list's first items in shared memory, adding
// one item after another.
//
// Constants: THREADS of a block, a power of two; at most BASE items.
#include "hardware/cuda/portable.cuh"

#define PLACES (1 << BASE)
#define EACH (PLACES > THREADS ? PLACES / THREADS : 1)

struct Start { u64* to; u64 items; u64 weights[BASE]; };

KERNEL(THREADS, 1) sort_first_sums(Start* lists)
{
    DYNAMIC_SHARED(memory);
    u64* const s = (u64*)memory;
    u64* const weights = s + PLACES;
    const Start* const list = lists + blockIdx.x;
    const int items = (int)list->items;
    if (threadIdx.x == 0) s[0] = 0;
    if (threadIdx.x < BASE) weights[threadIdx.x] = list->weights[threadIdx.x];
    block_sync();
    for (int k = 0; k < items; k++) {
        const int n = 1 << k, each = 2 * n > THREADS ? 2 * n / THREADS : 1, begin = (int)threadIdx.x * each;
        const u64 weight = weights[k];
        u64 made[EACH];
        if (begin < 2 * n) {
            int low = begin > n ? begin - n : 0, high = begin < n ? begin : n;
            while (low < high) {
                const int middle = (low + high) >> 1;
                if (s[middle] <= s[begin - 1 - middle] + weight) low = middle + 1;
                else high = middle;
            }
            int x = low, y = begin - low;
#pragma unroll
            for (int u = 0; u < EACH; u++) {
                if (u >= each) break;
                const bool second = x == n || (y < n && s[y] + weight < s[x]);
                made[u] = second ? s[y] + weight : s[x];
                x += !second;
                y += second;
            }
        }
        block_sync();
        if (begin < 2 * n) {
#pragma unroll
            for (int u = 0; u < EACH; u++)
                if (u < each) s[begin + u] = made[u];
        }
        block_sync();
    }
    for (int i = threadIdx.x; i < 1 << items; i += THREADS) list->to[i] = s[i];
}
