// The best places for several jobs of a schedule, each taken out alone: what src/native/flowshop/insertion.cpp does with one.
//
// A lane has some machines next to one another, and is one place behind the lane before it. Two jobs share a group of
// lanes, one the low halves of words and one the high ones, and all groups of a warp pass the same places at the same
// time, so that they read the same words: from the first of their jobs to the end, and from the last one back to the
// beginning on the mirrored machines. Where a job itself stands its times count as none.
#pragma once
#include "flowshop/chains/rows.cuh"

// The numbers of a lane in a row, in the order in which a direction passes its machines.
template <bool FORWARD, class T>
DEVICE void load(u32* to, const T* row)
{
#pragma unroll
    for (int f = 0; f < FOURS; f++) {
        u32 four[4];
        load_four(four, row + f * (4 * LANES));
#pragma unroll
        for (int k = 0; k < 4; k++) {
            if (4 * f + k < EACH) to[FORWARD ? 4 * f + k : EACH - 1 - 4 * f - k] = four[k];
        }
    }
}

// The least makespan << 16 | the step, of both jobs of a group.
struct Least {
    u32 of[2];
};

// Passes the schedule of so many jobs from a place on, forwards or backwards, and rates two jobs, which stand at the
// places `own`, at all places behind these, as it passes them, and at their own if `stays`; all of the warp stand
// `within` so many places. What is returned is that of the last lane; of the same makespans the one in front.
template <bool FORWARD>
DEVICE Least pass(Memory& m, int start, int steps, int within, const int* own, bool stays)
{
    const int l = lane() / GROUPS, side = 4 * (FORWARD ? l : LANES - 1 - l), by = FORWARD ? 1 : -1;
    u32 free_at[EACH], inserted[EACH], time[EACH], across[EACH];
    int place = start - by * l;
    const cell_t* known = FORWARD ? heads_at(m, place) + side : tails_at(m, place + 1) + side;
    const cell_t* other = FORWARD ? tails_at(m, place + 1) + side : heads_at(m, place) + side;
    const duration_t* times = m.times + side;
    const u32* rows = m.rows + FAR + place;
    load<FORWARD>(free_at, times + m.rows[own[0] + FAR]);
    load<FORWARD>(time, times + m.rows[own[1] + FAR]);
#pragma unroll
    for (int j = 0; j < EACH; j++) inserted[j] = (free_at[j] & 0xffffu) | (time[j] & 0xffff0000u);
    load<FORWARD>(free_at, known);
    u32 now = free_at[EACH - 1], end = 0, all = ~0u;
    // When this lane passes its own jobs.
    const int at_low = by * (own[0] - start) + l, at_high = by * (own[1] - start) + l;
    Least least = {{~0u, ~0u}};
    u32 row = rows[0];
    const auto step = [&](int s, bool masked) {
        load<FORWARD>(time, times + row);
        load<FORWARD>(across, other);
        rows += by;
        other += by * ROW;
        row = rows[0];
        u32 mask = ~0u, too_soon = 0;
        if (masked) {
            mask = s == at_low ? 0xffff0000u : ~0u;
            mask = s == at_high ? mask & 0xffffu : mask;
            too_soon = (s < at_low + !stays ? 0xffffu : 0) | (s < at_high + !stays ? 0xffff0000u : 0);
        }
        now = from_before(now, GROUPS);
        end = from_before(end, GROUPS);
        all = from_before(all, GROUPS);
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            const u32 t = masked ? time[j] & mask : time[j];
            now = add_max_u16x2(now, t, free_at[j] + t);
            free_at[j] = now;
            end = add_max_u16x2(end, inserted[j], now + inserted[j]);
            all = add_max_u16x2(end, across[j], all);
        }
        const u32 rated = masked ? all | too_soon : all, at = FORWARD ? (u32)s : (u32)(0xffff - s);
        const u32 low = rated << 16 | at, high = (rated & 0xffff0000u) | at;
        least.of[0] = low < least.of[0] ? low : least.of[0];
        least.of[1] = high < least.of[1] ? high : least.of[1];
    };
    int s = 0;
    const int few = within + LANES < steps ? within + LANES : steps;
#pragma unroll 2
    for (; s < few; s++) step(s, true);
#pragma unroll 2
    for (; s < steps; s++) step(s, false);
    return least;
}

// Finds the best other place for so many jobs of the schedule of so many jobs, those at the places m.asked, or with
// `stays` the best of all places: of places that are as good the first. Writes makespan << 32 | place.
DEVICE void find_places(int size, int count, bool stays = false)
{
    Memory& m = memory_of_block();
    block_sync();
    for (int k = threadIdx.x; k < count; k += THREADS) {
        int rank = 0;
#pragma unroll 8
        for (int other = 0; other < count; other++) rank += m.asked[other] < m.asked[k];
        m.sorted[rank] = (u16)k;
    }
    block_sync();
    const int begin = (int)warp_min((u32)threadIdx.x / WARP) * (2 * GROUPS), g = lane() % GROUPS;
    int number[2], own[2];
#pragma unroll
    for (int h = 0; h < 2; h++) {
        number[h] = m.sorted[(begin + 2 * g + h) * count / AT_ONCE];
        own[h] = m.asked[number[h]];
    }
    const int from = (int)warp_min((u32)own[0]), to = (int)~warp_min(~(u32)own[1]);
    const Least ahead = pass<true>(m, from, size - from + LANES - 1, to - from, own, stays);
    const Least behind = pass<false>(m, to, to + LANES, to - from, own, stays);
    if (lane() / GROUPS == LANES - 1) {
        for (int h = 0; h < 2; h++) {
            const u32 a = ahead.of[h] >> 16, b = behind.of[h] >> 16;
            const int place = b <= a ? to - (0xffff - (int)(behind.of[h] & 0xffffu)) + LANES - 1
                                     : from + (int)(ahead.of[h] & 0xffffu) - (LANES - 1);
            m.found[number[h]] = (u64)(b < a ? b : a) << 32 | (u32)place;
        }
    }
    block_sync();
}
