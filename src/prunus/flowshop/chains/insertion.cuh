// The best places for several jobs of a schedule, each taken out alone, a job a group of lanes: what
// heuristics/insertion.py does with one.
//
// The schedule, its heads and its tails stay in shared memory. A lane of a group has four machines next to one
// another, and is one place behind the lane before it. As in the tree search, both directions share a word: of
// the low halves heads go from the place of the job towards the end, of the high halves, on the mirrored
// machines, tails towards the beginning. With each column comes when the job would end there on a machine, and
// what follows; the last lane gets the makespan of each place. So nothing is stored but the best of them.
//
// Machines without times follow the last one, so that there are four for each lane. In front of a schedule and
// behind it stands a job without times.
#pragma once
#include "hardware/cuda/numbers.cuh"

#define QUADS ((MACHINES + 3) / 4)
#define GROUP (QUADS <= 8 ? 8 : QUADS <= 16 ? 16 : QUADS <= 32 ? 32 : 64) // lanes
#define GROUPS (THREADS / GROUP)
#define PADDED (4 * QUADS)
#define PITCH ((PADDED + 7) / 8 * 8) // lanes read from different banks
#define NO_JOB JOBS

#if LONG_TIMES
typedef u16 duration_t;
#else
typedef u8 duration_t;
#endif

struct alignas(16) Memory {
    u16 heads[(JOBS + 1) * PITCH], tails[(JOBS + 1) * PITCH]; // [place][machine]
    duration_t times[(JOBS + 1) * PADDED];                    // [job][machine]
    u64 found[GROUPS];
    u32 before, rows[JOBS + 1]; // [place]: where the times of its job are
    u16 sequence[JOBS + 1], place[JOBS], order[JOBS], taken[REMOVED];
    bool stop;
};
DEVICE Memory& memory_of_block()
{
    DYNAMIC_SHARED(memory);
    return *(Memory*)memory;
}
static_assert(sizeof(Memory) <= SHARED_BYTES, "the host gives a block less memory");

// Puts a job, or none, at a place.
DEVICE void put(Memory& m, int place, int job)
{
    m.sequence[place] = (u16)job;
    m.rows[place] = (u32)(job * PADDED);
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

// Four of the bytes of two words, from the last digit of `which` on: 0 to 3 of the first, 4 to 7 of the second.
DEVICE u32 bytes(u32 first, u32 second, u32 which)
{
#if defined(PRUNUS_EMULATED)
    const u64 all = (u64)second << 32 | first;
    u32 found = 0;
    for (int k = 0; k < 4; k++) found |= (u32)(all >> (which >> 4 * k & 7) * 8 & 0xff) << 8 * k;
    return found;
#else
    return __byte_perm(first, second, which);
#endif
}

// The numbers of a quad of machines as the low halves of four words, those of the mirrored quad as the high ones.
DEVICE void pair(u32* to, const u16* quad, const u16* mirrored)
{
    const u64 v = *(const u64*)quad, w = *(const u64*)mirrored;
    const u32 a = (u32)v, b = (u32)(v >> 32), c = (u32)w, d = (u32)(w >> 32);
    to[0] = (a & 0xffffu) | (d & 0xffff0000u);
    to[1] = a >> 16 | d << 16;
    to[2] = (b & 0xffffu) | (c & 0xffff0000u);
    to[3] = b >> 16 | c << 16;
}
DEVICE void pair(u32* to, const u8* quad, const u8* mirrored)
{
    const u32 v = *(const u32*)quad, w = *(const u32*)mirrored;
    const u32 a = bytes(v, w, 0x6710), b = bytes(v, w, 0x4532);
    to[0] = a & 0x00ff00ffu;
    to[1] = bytes(a, 0, 0x4341);
    to[2] = b & 0x00ff00ffu;
    to[3] = bytes(b, 0, 0x4341);
}

// Where a group begins: heads up to that column and tails from that one on are known.
struct Known {
    int head, tail;
};

// The least makespan << 16 | how many places behind the job's own; the same of places in front of it, the
// complement of how many, so that of equal ones the first is least.
struct Rated {
    u32 ahead, behind;
};

// Computes so many columns of heads and of tails, for the jobs from place `next` on and from place `previous`
// down. RATE: does not store them, but rates the job at as many places; what is returned is that of the last
// lane that has machines.
template <bool RATE>
DEVICE Rated compute(Known known, int next, int previous, int forward, int backward, int job)
{
    Memory& m = memory_of_block();
    const int l = lane() % GROUP, quad = 4 * (l < QUADS ? l : QUADS - 1), mirrored = PADDED - 4 - quad;
    const u32 ends = RATE ? forward - 1 : forward, begins = RATE ? backward - 1 : backward;
    // The most of any group of the warp.
    const int steps = (int)~warp_min(~(u32)(forward > backward ? forward : backward));
    Rated best = {~0u, ~0u};
    if (steps == 0) return best;
    u32 free_at[4], own[4], times[4], across[4], time = 0, end = 0, whole = ~0u;
    pair(free_at, m.heads + known.head * PITCH + quad, m.tails + known.tail * PITCH + mirrored);
    if (RATE) pair(own, m.times + job * PADDED + quad, m.times + job * PADDED + mirrored);
    // A place before the first, or behind the last, is that of no job: it leaves all times as they are.
    u32 f = (u32)-l, b = f;
    f = f < ends ? f : ends;
    b = b < begins ? b : begins;
    u32 to = m.rows[next + (int)f], from = m.rows[previous - (int)b];
    for (int step = 0; step < steps + QUADS - 1; step++) {
        const int k = step - l;
        pair(times, m.times + to + quad, m.times + from + mirrored);
        const u16 *tail = m.tails + (known.tail + (int)f) * PITCH, *head = m.heads + (known.head - (int)b) * PITCH;
        if (RATE) pair(across, tail + quad, head + mirrored);
        const u32 this_f = f, this_b = b;
        f = (u32)(k + 1) < ends ? (u32)(k + 1) : ends;
        b = (u32)(k + 1) < begins ? (u32)(k + 1) : begins;
        to = m.rows[next + (int)f];
        from = m.rows[previous - (int)b];
        time = (u32)warp_shuffle_up((int)time, 1);
        time = l == 0 ? 0 : time;
        if (RATE) {
            end = (u32)warp_shuffle_up((int)end, 1);
            whole = (u32)warp_shuffle_up((int)whole, 1);
            end = l == 0 ? 0 : end;
            whole = l == 0 ? 0 : whole;
#pragma unroll
            for (int j = 0; j < 4; j++) {
                end = add_max_u16x2(end, own[j], free_at[j] + own[j]);
                whole = add_max_u16x2(end, across[j], whole);
            }
            const u32 ahead = whole << 16 | this_f, behind = (whole & 0xffff0000u) | (~this_b & 0xffffu);
            best.ahead = ahead < best.ahead ? ahead : best.ahead;
            best.behind = behind < best.behind ? behind : best.behind;
        }
#pragma unroll
        for (int j = 0; j < 4; j++) {
            time = add_max_u16x2(time, times[j], free_at[j] + times[j]);
            free_at[j] = time;
        }
        if (!RATE && l < QUADS) {
            if ((u32)k < (u32)forward) {
                const u32 low = (free_at[0] & 0xffffu) | free_at[1] << 16;
                const u32 high = (free_at[2] & 0xffffu) | free_at[3] << 16;
                *(u64*)(m.heads + (known.head + 1 + k) * PITCH + quad) = (u64)high << 32 | low;
            }
            if ((u32)k < (u32)backward) {
                const u32 low = free_at[3] >> 16 | (free_at[2] & 0xffff0000u);
                const u32 high = free_at[1] >> 16 | (free_at[0] & 0xffff0000u);
                *(u64*)(m.tails + (known.tail - 1 - k) * PITCH + mirrored) = (u64)high << 32 | low;
            }
        }
    }
    return best;
}

// Computes heads behind place `first` and tails from place `last` down, of the schedule of so many jobs.
DEVICE void compute_tables(int size, int first, int last)
{
    // So that the compiler knows that all lanes of a warp find the same.
    if (warp_min((u32)threadIdx.x) == 0) {
        const bool mine = threadIdx.x < GROUP;
        compute<false>({first, last + 1}, first, last, mine ? size - first : 0, mine ? last + 1 : 0, NO_JOB);
    }
    block_sync();
}
DEVICE void compute_heads(int size, int first) { compute_tables(size, first, -1); }

// Finds the best place among the others for the job at a place of the schedule of so many jobs, by a group: of
// places that are as good the first. Writes makespan << 32 | place. All groups of a warp come together, also
// those that have no job, with a place of -1.
DEVICE void find_place(int size, int here)
{
    Memory& m = memory_of_block();
    const bool idle = here < 0;
    here = idle ? 0 : here;
    const Rated best = compute<true>(
        {here, here + 1}, here + 1, here - 1, idle ? 1 : size - here, here + 1, m.sequence[here]);
    if (lane() % GROUP != QUADS - 1 || idle) return;
    const u32 ahead = best.ahead >> 16, behind = best.behind >> 16;
    const int there = behind <= ahead ? here - (int)(~best.behind & 0xffffu) : here + (int)(best.ahead & 0xffffu);
    m.found[threadIdx.x / GROUP] = (u64)(behind < ahead ? behind : ahead) << 32 | (u32)there;
}
