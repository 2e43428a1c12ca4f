// A queue of rows that any block adds to and takes from while a kernel runs.
//
// A ring of tickets: a block takes the next ticket and waits until a row stands at its place. A row is
// in the queue at most once. It ends when no row is waiting or being looked at, or at the deadline;
// what is then still marked as queued is put into a new ring by ``renew``.
#pragma once
#include "assignment/gpu/block.cuh"

#define RING(m) (4 * (u32)(m)->rows)

DEVICE void enqueue(const Market* m, int i)
{
    if (atomicExch(&m->queued[i], 1)) return;
    atomicAdd(&m->control[PENDING], 1u);
    const u32 place = atomicAdd(&m->control[TAIL], 1u) % RING(m);
    while (atomicCAS(&m->ring[place], NONE, i) != NONE) doze();
}

DEVICE bool late(const Market* m)
{
    if (peek(&m->control[STOP])) return true;
    // Twice, since the two halves of the clock may have been read at different moments.
    if (ticks() < m->deadline || ticks() < m->deadline) return false;
    poke(&m->control[STOP], 1u);
    return true;
}

// Take a row, in one thread; NONE at the end.
DEVICE int dequeue(const Market* m)
{
    if (late(m)) return NONE;
    const u32 place = atomicAdd(&m->control[HEAD], 1u) % RING(m);
    for (;;) {
        // With more blocks than places two may wait for one: only one of them gets the row.
        const int i = peek(&m->ring[place]) == NONE ? NONE : atomicExch(&m->ring[place], NONE);
        if (i != NONE) {
            poke(&m->queued[i], 0);
            fence();
            return i;
        }
        if (peek(&m->control[PENDING]) == 0 || late(m)) return NONE;
        doze();
    }
}

DEVICE void done(const Market* m)
{
    fence();
    atomicSub(&m->control[PENDING], 1u);
}

KERNEL(THREADS, 1) start_clock(Market* m)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) m->last = ticks() + m->budget;
}

// Begin a slice with an empty queue.
KERNEL(THREADS, 1) open_slice(Market* m)
{
    const u32 size = RING(m);
    for (u32 k = blockIdx.x * THREADS + threadIdx.x; k < size; k += gridDim.x * THREADS)
        m->ring[k] = NONE;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        for (int k = 0; k < UNASSIGNED; k++) m->control[k] = 0;
        const u64 end = ticks() + m->slice;
        m->deadline = end < m->last ? end : m->last;
    }
}

// Queue the rows that are marked.
KERNEL(THREADS, 1) renew(Market* m)
{
    for (u32 k = blockIdx.x * THREADS + threadIdx.x; k < m->count; k += gridDim.x * THREADS) {
        const int i = m->order[k];
        if (!m->queued[i]) continue;
        m->ring[atomicAdd(&m->control[TAIL], 1u)] = i;
        atomicAdd(&m->control[PENDING], 1u);
    }
}

KERNEL(THREADS, 1) mark_all(Market* m)
{
    for (u32 k = blockIdx.x * THREADS + threadIdx.x; k < m->count; k += gridDim.x * THREADS)
        m->queued[m->order[k]] = 1;
}
