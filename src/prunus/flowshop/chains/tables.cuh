// Heads and tails of a schedule: a warp computes the heads and another one the tails.
#pragma once
#include "flowshop/chains/rows.cuh"

// Computes heads behind place `first`, or tails in front of place `first`, of the schedule of so many jobs: a lane
// has four machines.
template <bool FORWARD>
DEVICE void compute(Memory& m, int size, int first)
{
    const int l = lane() < LANES * FOURS ? lane() : LANES * FOURS - 1, by = FORWARD ? 1 : -1;
    const int number = FORWARD ? l : LANES * FOURS - 1 - l;
    const int cell = number % FOURS * (4 * LANES) + number / FOURS * 4;
    const int begin = FORWARD ? first : first - 1, columns = FORWARD ? size - first : first;
    if (columns <= 0) return;
    int k = -l;
    u32 free_at[4], four[4];
    const int known = first + by * k, place = FORWARD ? (known < 0 ? 0 : known) : (known > size ? size : known);
    load_four(four, (FORWARD ? heads_at(m, place) : tails_at(m, place)) + cell);
#pragma unroll
    for (int j = 0; j < 4; j++) free_at[j] = four[FORWARD ? j : 3 - j];
    u32 now = free_at[3];
    const u32* rows = m.rows + FAR + begin + by * k;
    const duration_t* times = m.times + cell;
    cell_t* to = (FORWARD ? heads_at(m, first + 1 + k) : tails_at(m, first - 1 - k)) + cell;
    u32 row = rows[0], next[4];
    load_four(next, times + row);
    rows += by;
    row = rows[0];
    const bool idle = lane() >= LANES * FOURS;
    const int steps = columns + LANES * FOURS - 1;
#pragma unroll 2
    for (int s = 0; s < steps; s++, k++) {
#pragma unroll
        for (int j = 0; j < 4; j++) four[j] = next[FORWARD ? j : 3 - j];
        load_four(next, times + row);
        rows += by;
        row = rows[0];
        now = from_before(now, 1);
#pragma unroll
        for (int j = 0; j < 4; j++) now = free_at[j] = add_max_u16x2(now, four[j], free_at[j] + four[j]);
        if ((u32)k < (u32)columns && !idle) {
            u32 in_order[4];
#pragma unroll
            for (int j = 0; j < 4; j++) in_order[FORWARD ? j : 3 - j] = free_at[j];
            store_four(to, in_order);
        }
        to += by * ROW;
    }
}

// Computes heads behind place `first` and tails from place `last` down, of the schedule of so many jobs.
DEVICE void compute_tables(int size, int first, int last)
{
    Memory& m = memory_of_block();
    // So that the compiler knows that all lanes of a warp find the same.
    const u32 warp = warp_min((u32)threadIdx.x / WARP);
    if (warp == 0) compute<true>(m, size, first);
    if (warp == 1) compute<false>(m, size, last + 1);
    block_sync();
}
DEVICE void compute_heads(int size, int first) { compute_tables(size, first, -1); }
