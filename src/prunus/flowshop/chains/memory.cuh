// What a chain keeps in shared memory: its schedule, with heads and tails at all places, and the processing times.
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
    int due[JOBS]; // [job]: rated again after so many changes of the schedule
    int keys[JOBS];
    u16 sequence[JOBS + 1], place[JOBS], order[JOBS], taken[REMOVED], asked[AT_ONCE], turn[AT_ONCE], sorted[AT_ONCE];
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
