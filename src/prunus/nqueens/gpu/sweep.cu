// Count the placements below many tasks on one GPU: one lane a subtree, depth first.
//
// A lane keeps the node it is at in registers, and nodes that still have candidates on a stack in
// shared memory, 16 bytes each, interleaved by lane so that no two lanes meet in a bank. A step
// pushes the node if a second candidate waits, becomes its child by the first candidate, and takes
// the top of the stack instead if that child is dead: it has no candidate, or the row after it has
// no free cell. So every step looks at one child whatever happened before, and the lanes of a warp
// stay together (src/native/nqueens/sweep.cpp, on a core, branches there). At the bottom of the stack lies a full board, a dead node that an idle lane visits
// until the round is over.
//
// Between rounds idle lanes take their next tasks from one atomic counter. The first lane that
// finds none raises a flag; the others then donate all their open nodes as new tasks, all blocks
// wait for one another, and the new tasks become the queue. So a few uneven tasks fill the card within some such
// generations, and none ends with a long tail. Blocks wait for one another: all must be resident.
// A launch ends when nothing is left or its time is over; then every lane keeps its nodes for the
// next.
//
// Constants: SIZE of the board; DEPTH, the least number of columns in use in any task; THREADS a block,
// BLOCKS a multiprocessor; STEPS a round; GROUPED, 1 if queens were placed beforehand, so that the
// rows have tables.
#include "hardware/cuda/shuffle.cuh"

// A word of columns in use has ones outside the board too, so the columns that are left are its
// zeros. Of these ones the lowest five are where a row's word holds its shift.
#define FULL 0xffffffffu
#define FEWEST (32 - SIZE + DEPTH) // ones in any task
#define SLOTS (SIZE - DEPTH) // nodes with 2 to SIZE - DEPTH rows to fill, and the full board
#define SLOT_BYTES (16 * THREADS)
#define ROW_BYTES (4 * THREADS)
#define ROWS (SLOTS + 1) // of a group
#define QUADS ((ROWS + 3) / 4) // of words

// Words of control. CURSOR: tasks taken. DONATED: new tasks. BUSY: some lane still has nodes.
// STARVING: some lane has found no task. EXPIRED: the time is over. ARRIVED, RELEASED: blocks that have
// come to meetings, and meetings that are over. FINISHED: the last one ends the launch.
enum { CURSOR, DONATED, BUSY, STARVING, EXPIRED, ARRIVED, RELEASED, FINISHED, WORDS };

#include "nqueens/gpu/sweep.h"

// Copy what a lane needs of a group: its rows into shared memory, its weights into registers.
DEVICE void load(const Search* search, u32 group, char* rows, i64& solution, i64& node)
{
    solution = search->weights[2 * group];
    node = search->weights[2 * group + 1];
#if GROUPED
#pragma unroll
    for (int k = 0; k < QUADS; k++) {
        const uint4 four = search->table[group * QUADS + k];
        const u32 words[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int d = 4 * k; d < 4 * k + 4 && d < ROWS; d++)
            *(u32*)(rows + d * ROW_BYTES) = words[d - 4 * k];
    }
#endif
}

// What was donated away is the queue from now on, if the one before is used up.
DEVICE void next_generation(Search* search)
{
    u32* const control = search->control;
    const bool used_up = control[CURSOR] >= (u32)search->count;
    search->done = used_up && !control[DONATED] && !control[BUSY];
    search->first = 0;
    control[FINISHED] = search->done || control[EXPIRED];
    if (used_up) {
        uint4* const queue = search->donated;
        u32* const groups = search->donated_groups;
        search->tasks = queue;
        search->groups = groups;
        search->count = control[DONATED];
        search->fresh = 0;
        search->donated = search->spare;
        search->donated_groups = search->spare_groups;
        search->spare = queue;
        search->spare_groups = groups;
        control[CURSOR] = 0;
    }
    control[DONATED] = control[BUSY] = control[STARVING] = control[EXPIRED] = 0;
}

// All blocks wait for one another; one of them begins the next generation meanwhile.
DEVICE void grid_barrier(Search* search, u32 generation)
{
    u32* const control = search->control;
    block_sync();
    if (threadIdx.x == 0) {
        release_add(&control[ARRIVED], 1u);
        if (blockIdx.x == 0) {
            while (glance(&control[ARRIVED]) < generation * gridDim.x) relax();
            acquire();
            next_generation(search);
            release_add(&control[RELEASED], 1u);
        }
        while (glance(&control[RELEASED]) < generation) relax();
        acquire();
    }
    block_sync();
}

KERNEL(THREADS, BLOCKS) sweep(Search* search)
{
    DYNAMIC_SHARED(memory);
    char* const stack = (char*)memory; // offsets instead of pointers keep to 32-bit arithmetic
    const int bottom = 16 * (int)threadIdx.x;
    const int rows = SLOTS * SLOT_BYTES + 4 * (int)threadIdx.x;
    const u32 lanes = gridDim.x * THREADS, self = blockIdx.x * THREADS + threadIdx.x;
    u32* const control = search->control;
    const u64 end = ticks() + search->budget;
    int top = bottom;
    u32 c = FULL, l = 0, r = 0, p = 0, group = 0xffffffffu;
    i64 solution = 0, node = 0;
    u64 found = 0, seen = 0;

    *(uint4*)(stack + bottom) = uint4{FULL, 0, 0, 0};
    const u32 restored = search->first ? 0 : search->kept_nodes[self];
    if (restored) {
        const uint4 now = search->kept[self];
        c = now.x, l = now.y, r = now.z, p = now.w;
        for (u32 i = 1; i < restored; i++) {
            top += SLOT_BYTES;
            *(uint4*)(stack + top) = search->kept[i * lanes + self];
        }
        group = search->kept_groups[self];
        load(search, group, stack + rows, solution, node);
    }

    for (u32 generation = load_volatile(&control[RELEASED]) + 1;; generation++) {
        const u32 count = (u32)search->count;
        const bool fresh = search->fresh != 0;
        const uint4* const tasks = search->tasks;
        const u32* const groups = search->groups;
        // at least one round, so that every generation gets somewhere
        for (bool any = false; !any || !load_volatile(&control[STARVING]); any = true) {
            u32 solutions = 0, candidates = 0;
            if (p == 0) {
                const u32 i = atomicAdd(&control[CURSOR], 1u);
                if (i >= count) {
                    store_volatile(&control[STARVING], 1u);
                    break;
                }
                const uint4 now = tasks[i];
                c = now.x, l = now.y, r = now.z, p = now.w;
                if (groups[i] != group) {
                    group = groups[i];
                    load(search, group, stack + rows, solution, node);
                }
                if (fresh) candidates = __popc(p);
            }
#pragma unroll 4
            for (int step = 0; step < STEPS; step++) {
                // sums where the bits are disjoint: additions have twice the throughput of logic
                const u32 rest = p & (p - 1), queen = p - rest;
                if (rest) {
                    top += SLOT_BYTES;
                    *(uint4*)(stack + top) = uint4{c, l, r, rest};
                }
                c += queen;
                const int ones = __popc(c);
#if GROUPED
                const char* const row = stack + (rows + ones * ROW_BYTES);
                const u32 here = *(const u32*)(row - (FEWEST + 1) * ROW_BYTES);
                const u32 next = *(const u32*)(row - FEWEST * ROW_BYTES); // 0 after the last row
                l = shift_left(l + queen, here);
                r = shift_right(r + queen, here);
                p = here & ~(c | l | r);
                const u32 q = next & ~(c | shift_left(l, next) | shift_right(r, next));
#else
                l = (l + queen) << 1;
                r = (r + queen) >> 1;
                p = ~(c | l | r);
                const u32 q = ones == 31 ? 0 : ~(c | l << 1 | r >> 1);
#endif
                candidates += __popc(p);
                if (ones == 31 && p != 0) solutions++;
                if (p == 0 || q == 0) {
                    const uint4 now = *(const uint4*)(stack + top);
                    c = now.x, l = now.y, r = now.z, p = now.w;
                    top -= SLOT_BYTES;
                    top = top > bottom ? top : bottom;
                }
            }
            found += solutions * solution;
            seen += candidates * node;
            if (ticks() >= end) {
                store_volatile(&control[EXPIRED], 1u);
                break;
            }
        }

        const bool starving = load_volatile(&control[STARVING]) != 0;
        const int donated = starving && p ? 1 + (top - bottom) / SLOT_BYTES : 0, sum = warp_scan(donated);
        u32 place = 0;
        if (lane() == WARP - 1 && sum) place = atomicAdd(&control[DONATED], (u32)sum);
        place = (u32)warp_shuffle((int)place, WARP - 1) + (u32)(sum - donated);
        for (int i = 0; i < donated; i++) {
            const uint4 now = i ? *(const uint4*)(stack + bottom + i * SLOT_BYTES) : uint4{c, l, r, p};
            search->donated[place + i] = now;
            search->donated_groups[place + i] = group;
        }
        if (donated) p = 0, top = bottom;
        if (warp_any(p != 0) && lane() == 0) store_volatile(&control[BUSY], 1u);
        grid_barrier(search, generation);
        if (control[FINISHED]) break;
    }

    const int open = p ? 1 + (top - bottom) / SLOT_BYTES : 0;
    for (int i = 0; i < open; i++) {
        const uint4 now = i ? *(const uint4*)(stack + bottom + i * SLOT_BYTES) : uint4{c, l, r, p};
        search->kept[i * lanes + self] = now;
    }
    search->kept_nodes[self] = (u32)open;
    search->kept_groups[self] = group;
    found = warp_sum(found);
    seen = warp_sum(seen);
    if (lane() == 0) {
        atomicAdd(&search->solutions, found);
        atomicAdd(&search->nodes, seen);
    }
}
