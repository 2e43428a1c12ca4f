// From an assignment that is nearly optimal to one that is, with prices that prove it.
//
// A row whose column is not its best makes the better ones dearer until it is: p(j) rises to
// a(i, j) - (a(i, t) - p(t)). That is Bellman's and Ford's method on the differences of prices; it
// comes to rest where the assignment is optimal. Elsewhere some rows make one another's columns dearer
// for ever: each column knows which row made it dearer, and in these links such a cycle shows. To give
// every row of the cycle the column that it made dearer is better by the whole of the cycle. Cycles
// found at the same time are disjoint, and are all made at once.
#pragma once
#include "assignment/gpu/queue.cuh"
#include "assignment/gpu/lists.cuh"

// Price and link change together, under a lock: with links of another's price cycles stay hidden.
DEVICE void make_dearer(const Market* m, int i, int j, price_t wanted)
{
    bool dearer = false;
    for (bool made = false; !made;) {
        if (!(wanted > price_now(m, j) + m->step)) return;
        if (atomicCAS(&m->lock[j], 0, 1)) continue;
        fence();
        if (wanted > peek(&m->price[j]) + m->step) {
            poke(&m->price[j], wanted);
            poke(&m->parent[j], i);
            dearer = true;
        }
        fence();
        atomicExch(&m->lock[j], 0);
        made = true;
    }
    const int k = peek(&m->owner[j]);
    if (dearer && k != NONE) enqueue(m, k);
}

KERNEL(THREADS, 1) raise(Market* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    u64 evaluations = 0;
    for (;;) {
        if (threadIdx.x == 0) {
            int i = dequeue(m);
            // A row that is made dearer while a block looks at it comes back, but not to two blocks.
            while (i != NONE && atomicExch(&m->busy[i], 1)) {
                enqueue(m, i);
                done(m);
                doze();
                i = dequeue(m);
            }
            s->row = i;
            if (i != NONE) {
                fence();
                const price_t net = m->worth[i] - price_now(m, m->column[i]);
                s->number = net;
                s->again = net < fresh(&m->threshold[i]);
            }
        }
        block_sync();
        const int i = s->row;
        if (i == NONE) break;
        const int t = m->column[i];
        const price_t net = s->number;
        bool whole = false;
        if (s->again) {
            make_list<false>(m, s, i);
            whole = net < fresh(&m->threshold[i]);
        }
        if (whole) {
            for_row<false>(m, i, [&](int j, price_t b, price_t p) {
                if (j != t && b - net > p) make_dearer(m, i, j, b - net);
            });
        } else {
            const int length = fresh(&m->length[i]);
            for (int q = threadIdx.x; q < length; q += THREADS) {
                const int j = fresh(&m->list[(u64)i * LIST + q]);
                const price_t wanted = benefit(fresh(&m->listed[(u64)i * LIST + q])) - net;
                if (j != t && wanted > price_now(m, j)) make_dearer(m, i, j, wanted);
            }
        }
        block_sync();
        if (threadIdx.x == 0) {
            evaluations++;
            fence();
            atomicExch(&m->busy[i], 0);
            done(m);
        }
        block_sync();
    }
    if (threadIdx.x == 0) atomicAdd(&m->figures[EVALUATIONS], evaluations);
}

// Find the cycles in the links. The smallest column of a cycle speaks for it.
KERNEL(THREADS, 1) find_cycles(Market* m)
{
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->columns; q += gridDim.x * THREADS) {
        const int start = (int)q;
        m->target[start] = 0;
        // The way may end in a cycle that does not come back here: Brent's marks tell.
        int j = start, mark = NONE, length = 0, next = 1;
        do {
            const int i = m->parent[j];
            j = i == NONE ? NONE : m->column[i];
            length++;
            if (j <= start || j == mark) break;
            if (length == next) mark = j, next *= 2;
        } while (true);
        if (j != start) continue;
        price_t gain = 0;
        do {
            const int i = m->parent[j];
            gain += at(m, i, j) - m->worth[i];
            j = m->column[i];
        } while (j != start);
        m->target[start] = gain > m->step ? length : -1;
    }
}

// Give the rows of every cycle that gains the columns that they made dearer; cut the others open.
KERNEL(THREADS, 1) turn_cycles(Market* m)
{
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->columns; q += gridDim.x * THREADS) {
        const int start = (int)q, length = m->target[start];
        if (length == 0) continue;
        int j = start;
        do {
            const int i = m->parent[j], t = m->column[i];
            m->parent[j] = NONE;
            if (length > 0) {
                m->column[i] = j;
                m->owner[j] = i;
                m->worth[i] = at(m, i, j);
            }
            m->queued[i] = 1;
            j = t;
        } while (j != start);
        if (length > 0) {
            atomicAdd(&m->control[CHANGED], 1u);
            atomicAdd(&m->figures[CYCLES], (u64)1);
            atomicMax(&m->figures[LONGEST], (u64)length);
        }
    }
}

KERNEL(THREADS, 1) forget_links(Market* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS)
        m->parent[j] = NONE;
}
