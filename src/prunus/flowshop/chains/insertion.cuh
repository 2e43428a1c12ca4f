// The best places for several jobs of a schedule, each taken out alone: what heuristics/insertion.py does with one.
//
// The schedule, its heads and its tails stay in shared memory. A lane has some machines next to one another, and is
// one place behind the lane before it. Two jobs share a group of lanes, one the low halves of words and one the high ones, and all groups of a warp pass the same places
// at the same time, so that they read the same words: from the first of their jobs to the end, and from the last one
// back to the beginning on the mirrored machines. Where a job itself stands its times count as none. In front of it
// the makespan is that with the job twice, which is no less than that of the schedule.
//
// Machines without times follow the last one. In front of a schedule and behind it stand jobs without times.
#pragma once
#include "hardware/cuda/numbers.cuh"

#define LANES (MACHINES <= 32 ? 4 : MACHINES <= 64 ? 8 : 16) // that share a schedule's machines
#define EACH ((MACHINES + LANES - 1) / LANES) // machines of a lane
#define FOURS ((EACH + 3) / 4)
#define ROW (4 * FOURS * LANES)
#define GROUPS (WARP / LANES) // of a warp
#define WARPS (THREADS / WARP)
#define AT_ONCE (2 * GROUPS * WARPS) // jobs
#define MARGIN (LANES) // places in front of a schedule and behind it
#define FAR (LANES * FOURS)
#define NO_JOB JOBS

#if WIDE
typedef u32 duration_t; // with the same number in both halves
typedef u32 cell_t;
#else
typedef u16 cell_t;
#if LONG_TIMES
typedef u16 duration_t;
#else
typedef u8 duration_t;
#endif
#endif

struct alignas(16) Memory {
    // [place][machine]: the fours of a lane are apart, and next to those of the other lanes
    cell_t heads[(JOBS + 1 + 2 * MARGIN) * ROW], tails[(JOBS + 1 + 2 * MARGIN) * ROW];
    alignas(16) duration_t times[(JOBS + 1) * ROW]; // [job][machine]
    u64 found[AT_ONCE];
    u32 rows[JOBS + 1 + 2 * FAR]; // [place]: where the times of its job are
    u16 sequence[JOBS + 1], place[JOBS], order[JOBS], taken[REMOVED], asked[AT_ONCE], sorted[AT_ONCE];
    bool stop;
};
DEVICE Memory& memory_of_block()
{
    DYNAMIC_SHARED(memory);
    return *(Memory*)memory;
}
static_assert(sizeof(Memory) <= SHARED_BYTES, "the host gives a block less memory");

// Where a machine is in a row.
DEVICE int cell_of(int machine)
{
    const int side = machine / EACH, k = machine % EACH;
    return k / 4 * (4 * LANES) + side * 4 + k % 4;
}
DEVICE cell_t* heads_at(Memory& m, int place) { return m.heads + (place + MARGIN) * ROW; }
DEVICE cell_t* tails_at(Memory& m, int place) { return m.tails + (place + MARGIN) * ROW; }

// Puts a job, or none, at a place.
DEVICE void put(Memory& m, int place, int job)
{
    m.sequence[place] = (u16)job;
    m.rows[place + FAR] = (u32)(job * ROW);
    if (job != NO_JOB) m.place[job] = (u16)place;
}

// Takes the job at place `here` out and puts it back so that it is at place `there`.
DEVICE void move(Memory& m, int here, int there)
{
    const int low = here < there ? here : there, high = here < there ? there : here;
    int jobs[(JOBS + THREADS - 1) / THREADS];
#pragma unroll
    for (int r = 0; r * THREADS < JOBS; r++) {
        const int k = r * THREADS + (int)threadIdx.x;
        if (k >= low && k <= high) jobs[r] = m.sequence[k == there ? here : here < there ? k + 1 : k - 1];
    }
    block_sync();
#pragma unroll
    for (int r = 0; r * THREADS < JOBS; r++) {
        const int k = r * THREADS + (int)threadIdx.x;
        if (k < low || k > high) continue;
        put(m, k, jobs[r]);
    }
    block_sync();
}

// Two of the halves or bytes of a word, or zeros, as two halves.
DEVICE u32 bytes(u32 word, u32 which)
{
#if defined(PRUNUS_EMULATED)
    u32 found = 0;
    for (int k = 0; k < 4; k++) found |= (u32)((u64)word >> (which >> 4 * k & 7) * 8 & 0xff) << 8 * k;
    return found;
#else
    return __byte_perm(word, 0, which);
#endif
}

// Four numbers, each in both halves of a word.
DEVICE void load_four(u32* to, const u32* from)
{
    const uint4 v = *(const uint4*)from;
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}
DEVICE void load_four(u32* to, const u16* from)
{
    const u64 v = *(const u64*)from;
    to[0] = bytes((u32)v, 0x1010);
    to[1] = bytes((u32)v, 0x3232);
    to[2] = bytes((u32)(v >> 32), 0x1010);
    to[3] = bytes((u32)(v >> 32), 0x3232);
}
DEVICE void load_four(u32* to, const u8* from)
{
    const u32 v = *(const u32*)from;
    to[0] = bytes(v, 0x4040);
    to[1] = bytes(v, 0x4141);
    to[2] = bytes(v, 0x4242);
    to[3] = bytes(v, 0x4343);
}
DEVICE void store_four(u32* to, const u32* from)
{
    uint4 v;
    v.x = from[0];
    v.y = from[1];
    v.z = from[2];
    v.w = from[3];
    *(uint4*)to = v;
}
DEVICE void store_four(u16* to, const u32* from)
{
    const u32 low = (from[0] & 0xffffu) | from[1] << 16, high = (from[2] & 0xffffu) | from[3] << 16;
    *(u64*)to = (u64)high << 32 | low;
}

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

// What the lane before this one has; the first has none before it.
DEVICE u32 from_before(u32 v, int groups)
{
    const u32 given = (u32)warp_shuffle_up((int)v, groups);
    return lane() < groups ? 0 : given;
}

// The least makespan << 16 | the step, of both jobs of a group.
struct Least {
    u32 of[2];
};

// Passes the schedule of so many jobs from a place on, forwards or backwards, and rates two jobs, which stand at the
// places `own`, at all places that it passes; all of the warp stand `within` so many places. What is returned is
// that of the last lane; of the same makespans the one in front.
template <bool FORWARD>
DEVICE Least pass(Memory& m, int start, int steps, int within, const int* own)
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
        u32 mask = ~0u;
        if (masked) {
            mask = s == at_low ? 0xffff0000u : ~0u;
            mask = s == at_high ? mask & 0xffffu : mask;
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
        const u32 at = FORWARD ? (u32)s : (u32)(0xffff - s);
        const u32 low = all << 16 | at, high = (all & 0xffff0000u) | at;
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

// Finds the best place among the others for so many jobs of the schedule of so many jobs, those at the places
// m.asked: of places that are as good the first. Writes makespan << 32 | place. A makespan that is no less than that
// of the schedule may be that of another place, unless one job alone is asked.
DEVICE void find_places(int size, int count)
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
    const Least ahead = pass<true>(m, from, size - from + LANES - 1, to - from, own);
    const Least behind = pass<false>(m, to, to + LANES, to - from, own);
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
