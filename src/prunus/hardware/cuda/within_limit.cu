// The entries of a matrix that are within a limit, in the order of rows and columns: how many there are in each
// row, then which they are. A warp goes through a row.
//
// Constants: VALUE, the type; PRICE, that of the limit (double or i64, which holds every value); AT_LEAST: the
// limit is the least that an entry may be, not the most; THREADS a block.
#include "hardware/cuda/numbers.cuh"

typedef VALUE value_t;
typedef PRICE price_t;

#include "hardware/cuda/within_limit.h"

DEVICE bool is_within(const Within& w, value_t v)
{
    const price_t x = number_of<price_t>(v);
    return AT_LEAST ? x >= w.limit : x <= w.limit;
}

// ``found(j, v, place)`` for the entries of a row within the limit, by the lanes of a warp; their number.
template <class F> DEVICE u32 go_through(const Within& w, u64 row, F found)
{
    const value_t* const values = w.matrix + row * w.stride;
    u32 count = 0;
#pragma unroll 4
    for (u64 begin = 0; begin < w.columns; begin += WARP) {
        const u64 j = begin + lane();
        const value_t v = values[j < w.columns ? j : 0];
        const bool in = j < w.columns && is_within(w, v);
        const lanes_t all = warp_ballot(in);
        if (in) found(j, v, count + count_lanes(all & lanes_before(lane())));
        count += count_lanes(all);
    }
    return count;
}

KERNEL(THREADS, 1) count_within(BY_VALUE(Within) given)
{
    const Within& w = argument(given);
    for (u64 row = warp_id(); row < w.rows; row += gridDim.x * (THREADS / WARP)) {
        const u32 count = go_through(w, row, [](u64, value_t, u32) {});
        if (lane() == 0) w.count[row] = count;
    }
}

KERNEL(THREADS, 1) list_within(BY_VALUE(Within) given)
{
    const Within& w = argument(given);
    for (u64 row = warp_id(); row < w.rows; row += gridDim.x * (THREADS / WARP))
        go_through(w, row, [&](u64 j, value_t v, u32 place) {
            w.heads[w.start[row] + place] = (int)j;
            w.values[w.start[row] + place] = v;
        });
}
