// Deep greedy switching on the device.
//
// The best exchange of row i gains a(i, j) + a(k, t) - c(i) - c(k), where t is its column, k the row
// of j. In net values, with any prices p, that is (a(i, j) - p(j) - own(i)) + (a(k, t) - p(t) -
// own(k)): one of the two rows must gain by itself. So a row looks only at columns that are better
// for it than its own, at the prices given, and of these alone fetches a(k, t); an exchange in which
// only the other row gains is found from there. With good prices these are few, the row's list often
// holds them all, and no transpose of the matrix is needed.
//
// ``switch_listed`` and ``switch_rows`` are the default order: warps, or blocks, take rows from a queue, and make the best exchange at
// once under locks on both rows; both go to the end of the queue. In which order blocks come is up to
// the machine, and so is the assignment. The published order is in rounds.cuh.
#pragma once
#include "assignment/gpu/queue.cuh"

struct Exchange { price_t gain; int j; };

DEVICE void consider(const Market* m, int i, int t, price_t own, int j, price_t b, Exchange& best)
{
    const int k = peek(&m->owner[j]);
    if (k == i) return;
    price_t gain = b - own;
    if (k != NONE) gain += at(m, k, t) - peek(&m->worth[k]);
    if (gain > best.gain) best.gain = gain, best.j = j;
}

#if GATHER
// Better columns of a row, noted during the look at it: to look at each at once makes the warp wait
// three times for memory, one column after the other.
struct Better {
    enum { ROOM = 600 };
    price_t worth[ROOM];
    int column[ROOM];
};
static_assert(sizeof(Shared) % 8 == 0 && sizeof(Shared) + sizeof(Better) <= 8192, "see market.py");
#endif

// The best exchange of row i as each thread sees it. All threads of the block go the same way.
DEVICE Exchange look_for_exchange(const Market* m, Shared* s, int i)
{
    Exchange best = {m->step, NONE};
#if GATHER
    if (threadIdx.x == 0) {
        const int t = peek(&m->column[i]);
        const price_t own = peek(&m->worth[i]);
        s->first = t, s->number = own, s->size = 0;
        s->again = !m->length[i] || own - m->price[t] < m->threshold[i];
    }
    block_sync();
    const int t = s->first;
    const price_t own = s->number, net = own - m->price[t];
    const int length = m->length[i];
    const bool listed = !s->again;
#else
    const int t = peek(&m->column[i]);
    const price_t own = peek(&m->worth[i]), net = own - m->price[t];
    const int length = m->length[i];
    const bool listed = length && net >= m->threshold[i];
#endif
    if (listed) {
        for (int q = threadIdx.x; q < length; q += THREADS) {
            const int j = m->list[(u64)i * LIST + q];
            const price_t b = benefit(m->listed[(u64)i * LIST + q]);
            if (b - m->price[j] > net) consider(m, i, t, own, j, b, best);
        }
    } else {
#if GATHER
        Better* const better = (Better*)(s + 1);
        for_row<true>(m, i, [&](int j, price_t b, price_t p) {
            if (!(b - p > net)) return;
            const int place = atomicAdd(&s->size, 1);
            if (place < Better::ROOM) better->worth[place] = b, better->column[place] = j;
            else consider(m, i, t, own, j, b, best);
        });
        block_sync();
        const int size = s->size < Better::ROOM ? s->size : (int)Better::ROOM;
        for (int q = threadIdx.x; q < size; q += THREADS)
            consider(m, i, t, own, better->column[q], better->worth[q], best);
#else
        for_row<true>(m, i, [&](int j, price_t b, price_t p) {
            if (b - p > net) consider(m, i, t, own, j, b, best);
        });
#endif
        if (threadIdx.x == 0) atomicAdd(&m->figures[SCANS], (u64)1);
    }
    return best;
}

DEVICE void lock_row(const Market* m, int i)
{
    while (atomicCAS(&m->lock[i], 0, 1)) doze();
}

// Exchange the columns of two rows if that gains anything now; return whether it did.
DEVICE bool switch_now(Market* m, int i, int j)
{
    const int k = peek(&m->owner[j]);
    if (k == i) return false;
    // A free column has no row to lock: it is locked by a mark in ``owner``.
    if (k == NONE) {
        lock_row(m, i);
        fence();
        const price_t now = at(m, i, j);
        bool made = now - peek(&m->worth[i]) > m->step && atomicCAS(&m->owner[j], NONE, i) == NONE;
        if (made) {
            const int t = peek(&m->column[i]);
            poke(&m->column[i], j);
            poke(&m->worth[i], now);
            fence();
            poke(&m->owner[t], NONE);
        }
        fence();
        atomicExch(&m->lock[i], 0);
        if (made) enqueue(m, i);
        return made;
    }
    const int a = i < k ? i : k, b = i < k ? k : i;
    lock_row(m, a);
    lock_row(m, b);
    fence();
    bool made = false;
    const int t = peek(&m->column[i]);
    if (peek(&m->column[k]) == j) {
        const price_t mine = at(m, i, j), other = at(m, k, t);
        if (mine + other - peek(&m->worth[i]) - peek(&m->worth[k]) > m->step) {
            poke(&m->column[i], j);
            poke(&m->column[k], t);
            poke(&m->owner[j], i);
            poke(&m->owner[t], k);
            poke(&m->worth[i], mine);
            poke(&m->worth[k], other);
            made = true;
        }
    }
    fence();
    atomicExch(&m->lock[b], 0);
    atomicExch(&m->lock[a], 0);
    if (made) enqueue(m, i), enqueue(m, k);
    return made;
}

// The default order within lists only, one warp a row: no look at the matrix but for a(k, t).
KERNEL(THREADS, FULL) switch_listed(Market* m)
{
    u64 evaluations = 0, switches = 0;
    for (;;) {
        int i = NONE;
        if (lane() == 0) i = dequeue(m);
        i = warp_shuffle(i, 0);
        if (i == NONE) break;
        Exchange best = {m->step, NONE};
        const int t = peek(&m->column[i]), length = m->length[i];
        const price_t own = peek(&m->worth[i]), net = own - m->price[t];
        for (int q = lane(); q < length; q += WARP) {
            const int j = m->list[(u64)i * LIST + q];
            const price_t b = benefit(m->listed[(u64)i * LIST + q]);
            if (b - m->price[j] > net) consider(m, i, t, own, j, b, best);
        }
        bool any = false, made = false;
        for (int turn = 0; turn < 4 && !made; turn++) {
            price_t gain = best.gain;
            int j = best.j == NONE ? 0x7fffffff : best.j;
            warp_best(gain, j);
            if (j == 0x7fffffff || !(gain > m->step)) break;
            any = true;
            int changed = 0;
            if (lane() == 0) changed = switch_now(m, i, j);
            made = warp_shuffle(changed, 0) != 0;
            if (best.j == j) best.gain = m->step, best.j = NONE;
        }
        if (lane() == 0) {
            evaluations++;
            if (made) switches++;
            else if (any) enqueue(m, i);
            done(m);
        }
        warp_sync();
    }
    if (lane() == 0) {
        atomicAdd(&m->figures[EVALUATIONS], evaluations);
        atomicAdd(&m->figures[SWITCHES], switches);
        atomicAdd(&m->control[CHANGED], (u32)switches);
    }
}

KERNEL(THREADS, FULL) switch_rows(Market* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    u64 evaluations = 0, switches = 0;
    for (;;) {
        if (threadIdx.x == 0) s->row = dequeue(m);
        block_sync();
        const int i = s->row;
        if (i == NONE) break;
        Exchange best = look_for_exchange(m, s, i);
        // Each warp proposes one: the best may be gone by the time it is tried.
        warp_best(best.gain, best.j);
        if (lane() == 0) {
            s->value[0][threadIdx.x / WARP] = best.gain;
            s->index[0][threadIdx.x / WARP] = best.j;
        }
        block_sync();
        if (threadIdx.x == 0) {
            evaluations++;
            u32 tried = 0;
            bool any = false, made = false;
            for (int turn = 0; turn < WARPS && !made; turn++) {
                int w = NONE;
                for (int k = 0; k < WARPS; k++)
                    if (!(tried >> k & 1) && s->index[0][k] != NONE &&
                        (w == NONE || s->value[0][k] > s->value[0][w]))
                        w = k;
                if (w == NONE) break;
                tried |= 1u << w;
                any = true;
                made = switch_now(m, i, s->index[0][w]);
            }
            if (made) switches++;
            else if (any) enqueue(m, i);
            done(m);
        }
        block_sync();
    }
    if (threadIdx.x == 0) {
        atomicAdd(&m->figures[EVALUATIONS], evaluations);
        atomicAdd(&m->figures[SWITCHES], switches);
        atomicAdd(&m->control[CHANGED], (u32)switches);
    }
}
