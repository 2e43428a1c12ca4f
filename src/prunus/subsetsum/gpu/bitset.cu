// Reachable sums, one bit each, after adding some items: every new word is the bitwise or of the old
// words, shifted by the sums of all subsets of these items. Constants: THREADS of a block, at most SHIFTS
// shifts.
#include "hardware/cuda/portable.cuh"

struct Search {
    const u64* from;
    u64* to;
    u64 low;            // words to write
    u64 high;
    u64 count;          // number of shifts
    u64 shifts[SHIFTS]; // in bits
};

KERNEL(THREADS, 1) add_items(Search* search)
{
    const u64* const from = search->from;
    u64* const to = search->to;
    const u64 high = search->high;
    const int count = (int)search->count;
    for (u64 k = search->low + (u64)blockIdx.x * THREADS + threadIdx.x; k < high; k += (u64)gridDim.x * THREADS) {
        u64 word = 0;
        for (int s = 0; s < count; s++) {
            const u64 shift = search->shifts[s], whole = shift >> 6;
            const int up = (int)(shift & 63);
            if (whole > k) continue;
            word |= from[k - whole] << up;
            if (up && whole < k) word |= from[k - whole - 1] >> (64 - up);
        }
        to[k] = word;
    }
}
