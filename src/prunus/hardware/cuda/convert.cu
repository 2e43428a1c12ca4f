// Copy a stack of matrices of any type and strides, row by row, into one of another type that holds its values;
// no value of the copy is above a limit, or below it.
//
// Constants: VALUE and WIDE, the types; PRICE, that of the limit (double or i64, which holds every value);
// BOUND: 1, no value is above the limit; -1, none is below; 0, there is none; THREADS a block.
#include "hardware/cuda/numbers.cuh"

typedef VALUE value_t;
typedef WIDE wide_t;
typedef PRICE price_t;

#include "hardware/cuda/conversion.h"

// Without a detour through double: there compilers may take small floats for zeros.
template <class V> DEVICE V plain(V v) { return v; }
DEVICE float plain(half_t v) { return float_of(v); }
DEVICE float plain(bfloat_t v) { return float_of(v); }
DEVICE i64 plain(u64 v) { return number_of<i64>(v); }

KERNEL(THREADS, 1) convert(BY_VALUE(Conversion) given)
{
    const Conversion& c = argument(given);
    for (u64 row = blockIdx.x; row < c.matrices * c.rows; row += gridDim.x) {
        const value_t* const from = c.from + ((i64)(row / c.rows) * c.whole + (i64)(row % c.rows) * c.down);
        wide_t* const into = c.into + row * c.columns;
#pragma unroll 4
        for (u64 j = threadIdx.x; j < c.columns; j += THREADS) {
            const value_t v = from[(i64)j * c.across];
            wide_t w = (wide_t)plain(v);
            if (BOUND) {
                const price_t x = number_of<price_t>(v);
                if (BOUND > 0 ? x > c.limit : x < c.limit) w = (wide_t)c.limit;
            }
            into[j] = w;
        }
    }
}
