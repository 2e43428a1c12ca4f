// One pass over a matrix: the least and the largest value, and whether there is anything special.
//
// Constants: VALUE, the type; THREADS a block.
#include "hardware/cuda/portable.cuh"

typedef VALUE value_t;

#include "hardware/cuda/survey.h"

enum { MISSING = 1, PLUS = 2, MINUS = 4, BROKEN = 8, FINITE = 16 };

KERNEL(THREADS, 1) survey(BY_VALUE(Survey) given)
{
    const Survey& s = argument(given);
    DYNAMIC_SHARED(memory);
    value_t* const lows = (value_t*)memory;
    value_t* const highs = lows + THREADS;
    u32* const all = (u32*)(highs + THREADS);
    value_t low = 0, high = 0;
    u32 found = 0;
    for (u64 i = blockIdx.x; i < s.rows; i += gridDim.x) {
        const value_t* row = s.matrix + i * s.stride;
#pragma unroll 8
        for (u64 j = threadIdx.x; j < s.columns; j += THREADS) {
            const value_t x = row[j];
            if (x != x) {
                found |= MISSING;
            } else if (x - x != 0) {
                found |= x > 0 ? PLUS : MINUS;
            } else {
                if ((value_t)0.5 != 0 && x != (value_t)floor((double)x)) found |= BROKEN;
                if (!(found & FINITE) || x < low) low = x;
                if (!(found & FINITE) || x > high) high = x;
                found |= FINITE;
            }
        }
    }
    lows[threadIdx.x] = low;
    highs[threadIdx.x] = high;
    all[threadIdx.x] = found;
    block_sync();
    if (threadIdx.x) return;
    for (int k = 1; k < THREADS; k++) {
        if (all[k] & FINITE) {
            if (!(found & FINITE) || lows[k] < low) low = lows[k];
            if (!(found & FINITE) || highs[k] > high) high = highs[k];
        }
        found |= all[k];
    }
    s.low[blockIdx.x] = low;
    s.high[blockIdx.x] = high;
    s.found[blockIdx.x] = found;
}
