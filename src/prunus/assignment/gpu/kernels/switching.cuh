// Deep greedy switching on the device.
//
// The best exchange of row i gains a(i, j) + a(k, t) - c(i) - c(k), where t is its column and k the row
// that owns j. In terms of net values, for any prices p, that is (a(i, j) - p(j) - own(i)) + (a(k, t) -
// p(t) - own(k)), so at least one of the two rows must gain by itself. A row therefore examines only the
// columns that are better for it than its own at these prices, and fetches a(k, t) for these alone;
// exchanges in which only the other row gains are found from that row. With good prices such columns are
// few, the row's list often holds all of them, and no transpose of the matrix is needed.
//
// ``switch_rows`` is the default order: each warp owns some rows and immediately makes the best exchange
// that it finds, under locks on both rows, which are then marked for re-evaluation. If the list yields
// none, the row is scanned in parts until one does; rows within ``tolerance`` of their best are skipped.
// The order of the warps, and so the assignment, is not deterministic. The published order is in
// switching_rounds.cuh.
#pragma once
#include "assignment/gpu/kernels/row_parts.cuh"
#include "assignment/gpu/kernels/deadline.cuh"

#define IDLE_POLLS 8 // an idle warp checks for the end once in this many polls

struct Exchange { price_t gain; int j; };

DEVICE void consider(const Instance* m, int i, int t, price_t own, int j, price_t b, Exchange& best)
{
    const int k = load_volatile(&m->owner[j]);
    if (k == i) return;
    price_t gain = b - own;
    if (k != NONE) gain += benefit_of(m, k, t) - load_volatile(&m->row_benefit[k]);
    // Ties go to the smallest column, whatever the order of evaluation.
    if (gain > best.gain || (gain == best.gain && j < best.j)) best.gain = gain, best.j = j;
}

// Better columns are collected while the row is scanned. Evaluating each at once would make the warp wait
// for memory three times per column.
struct BetterColumns {
    enum { CAPACITY = 600 };
    price_t worth[CAPACITY];
    int column[CAPACITY];
};
static_assert(sizeof(Shared) % 8 == 0 && sizeof(Shared) + sizeof(BetterColumns) <= 8192, "see instance.py");

// The best exchange of row i, as seen by each thread. All threads of the block follow the same path.
DEVICE Exchange look_for_exchange(const Instance* m, Shared* s, int i)
{
    Exchange best = {m->epsilon, NONE};
    if (threadIdx.x == 0) {
        const int t = load_volatile(&m->column[i]);
        const price_t own = load_volatile(&m->row_benefit[i]);
        s->first = t, s->number = own, s->size = 0;
        s->again = !m->list_length[i] || own - m->price[t] < m->threshold[i];
    }
    block_sync();
    const int t = s->first;
    const price_t own = s->number, net = own - m->price[t];
    const int length = m->list_length[i];
    const bool listed = !s->again;
    if (listed) {
        for (int q = threadIdx.x; q < length; q += THREADS) {
            const int j = m->list_columns[(u64)i * LIST + q];
            const price_t b = benefit(m->list_values[(u64)i * LIST + q]);
            if (b - m->price[j] > net) consider(m, i, t, own, j, b, best);
        }
    } else {
        BetterColumns* const better = (BetterColumns*)(s + 1);
        for_row<true>(m, i, [&](int j, price_t b, price_t p) {
            if (!(b - p > net)) return;
            const int place = atomicAdd(&s->size, 1);
            if (place < BetterColumns::CAPACITY) better->worth[place] = b, better->column[place] = j;
            else consider(m, i, t, own, j, b, best);
        });
        block_sync();
        const int size = s->size < BetterColumns::CAPACITY ? s->size : (int)BetterColumns::CAPACITY;
        for (int q = threadIdx.x; q < size; q += THREADS)
            consider(m, i, t, own, better->column[q], better->worth[q], best);
        if (threadIdx.x == 0) atomicAdd(&m->counters->row_scans, (u64)1);
    }
    return best;
}

// Mark a row for re-evaluation by the warp that owns it.
DEVICE void mark_row(const Instance* m, int i) { store_volatile(&m->marked[i], 1); }

DEVICE void lock_row(const Instance* m, int i)
{
    while (atomicCAS(&m->lock[i], 0, 1)) sleep_briefly();
}

// Exchange the columns of two rows if that still gains; return whether it did.
DEVICE bool switch_now(Instance* m, int i, int j)
{
    const int k = load_volatile(&m->owner[j]), t = load_volatile(&m->column[i]);
    if (k == i) return false;
    const price_t mine = benefit_of(m, i, j);
    // A free column has no row to lock; a mark in ``owner`` locks it.
    if (k == NONE) {
        lock_row(m, i);
        fence();
        bool made = load_volatile(&m->column[i]) == t && mine - load_volatile(&m->row_benefit[i]) > m->epsilon &&
                    atomicCAS(&m->owner[j], NONE, i) == NONE;
        if (made) {
            store_volatile(&m->column[i], j);
            store_volatile(&m->row_benefit[i], mine);
            fence();
            store_volatile(&m->owner[t], NONE);
        }
        fence();
        atomicExch(&m->lock[i], 0);
        if (made) mark_row(m, i);
        return made;
    }
    // The matrix is constant, so it is read before the locks are held.
    const price_t other = benefit_of(m, k, t);
    const int a = i < k ? i : k, b = i < k ? k : i;
    lock_row(m, a);
    lock_row(m, b);
    fence();
    const int now = load_volatile(&m->column[i]), held = load_volatile(&m->column[k]);
    const price_t own = load_volatile(&m->row_benefit[i]), its = load_volatile(&m->row_benefit[k]);
    const bool made = now == t && held == j && mine + other - own - its > m->epsilon;
    if (made) {
        store_volatile(&m->column[i], j);
        store_volatile(&m->column[k], t);
        store_volatile(&m->owner[j], i);
        store_volatile(&m->owner[t], k);
        store_volatile(&m->row_benefit[i], mine);
        store_volatile(&m->row_benefit[k], other);
    }
    fence();
    atomicExch(&m->lock[b], 0);
    atomicExch(&m->lock[a], 0);
    if (made) mark_row(m, i), mark_row(m, k);
    return made;
}

// Better columns collected by a warp, evaluated as many at once as there are lanes: each evaluation waits
// for memory three times.
struct NotedColumns {
    enum { CAPACITY = (1 + CHUNK) * WARP };
    price_t worth[CAPACITY];
    int column[CAPACITY];
};
static_assert(sizeof(NotedColumns) * WARPS <= 16384, "see instance.py");

struct ExchangeSearch {
    const Instance* m;
    NotedColumns* notes;
    int i, t, count; // number of collected columns
    bool found;      // an exchange with positive gain
    price_t own, net;
    Exchange best;

    // At most CHUNK calls between two calls of ``weigh``.
    DEVICE void note(int j, price_t b, bool better)
    {
        const lanes_t set = warp_ballot(better);
        if (better) {
            const int place = count + count_lanes(set & lanes_before(lane()));
            notes->worth[place] = b, notes->column[place] = j;
        }
        count += count_lanes(set);
    }

    // Evaluate collected columns while at least this many are left.
    DEVICE void evaluate_noted(int enough)
    {
        while (count >= enough) {
            warp_sync();
            const int begin = count > WARP ? count - WARP : 0, q = begin + lane();
            if (q < count) consider(m, i, t, own, notes->column[q], notes->worth[q], best);
            count = begin;
        }
        found = warp_any(best.j != NONE);
        warp_sync();
    }
};

// The best exchange of a row, as seen by each lane, in its list or else in some parts of the row.
DEVICE Exchange best_exchange(const Instance* m, NotedColumns* notes, int i, u32 turn, u64& looks)
{
    // The same value in all lanes, even if the row changes meanwhile.
    const int t = warp_shuffle(load_volatile(&m->column[i]), 0), length = m->list_length[i];
    const price_t own = shuffle_from(load_volatile(&m->row_benefit[i]), 0), net = own - m->price[t];
    ExchangeSearch look = {m, notes, i, t, 0, false, own, net, {m->epsilon, NONE}};
    for (int begin = 0; begin < length; begin += CHUNK * WARP) {
        int j[CHUNK];
        price_t b[CHUNK], p[CHUNK];
#pragma unroll
        for (int u = 0; u < CHUNK; u++) {
            const int q = begin + u * WARP + lane();
            j[u] = q < length ? m->list_columns[(u64)i * LIST + q] : NONE;
            b[u] = q < length ? benefit(m->list_values[(u64)i * LIST + q]) : 0;
        }
#pragma unroll
        for (int u = 0; u < CHUNK; u++) p[u] = m->price[j[u] == NONE ? 0 : j[u]];
#pragma unroll
        for (int u = 0; u < CHUNK; u++) look.note(j[u], b[u], j[u] != NONE && b[u] - p[u] > net);
        look.evaluate_noted(WARP);
    }
    look.evaluate_noted(1);
    if (look.found || (length && net >= m->threshold[i]) || m->best_value[i] - net <= m->tolerance) return look.best;
    const int parts = parts_of(m);
    int part = first_part(i, turn, parts);
    for (int k = 0; k < parts; k++) {
        for_part(
            m, i, part, parts,
            [&](int j, price_t b, price_t p, bool there) { look.note(j, b, there && b - p > net); },
            [&] {
                if (look.found) look.count = 0;
                else if (look.count >= WARP) look.evaluate_noted(WARP);
            });
        looks++;
        if (look.found) return look.best;
        if (++part == parts) part = 0;
    }
    look.evaluate_noted(1);
    return look.best;
}

// Make the best exchange proposed by the lanes, or the next best if that one is gone.
DEVICE bool make_exchange(Instance* m, int i, Exchange best, bool& any)
{
    any = false;
    for (int turn = 0; turn < 4; turn++) {
        price_t gain = best.gain;
        int j = best.j == NONE ? 0x7fffffff : best.j;
        warp_best(gain, j);
        if (j == 0x7fffffff || !(gain > m->epsilon)) return false;
        any = true;
        int made = 0;
        if (lane() == 0) made = switch_now(m, i, j);
        if (warp_shuffle(made, 0)) return true;
        if (best.j == j) best.gain = m->epsilon, best.j = NONE;
    }
    return false;
}

// Each warp owns some rows and evaluates those that are marked. ``pending`` counts busy warps; all stop
// when it is at most ``stop_count``. The last few exchanges, of columns that no row wants, happen one
// after the other and take longer than all others together. Rows may stay marked.
KERNEL(THREADS, FULL) switch_rows(Instance* m)
{
    DYNAMIC_SHARED(memory);
    NotedColumns* const notes = (NotedColumns*)memory + threadIdx.x / WARP;
    const int warps = gridDim.x * WARPS;
    if ((u32)warp_id() >= m->row_count) return;
    u64 evaluations = 0, switches = 0, looks = 0;
    bool busy = true;
    if (lane() == 0) atomicAdd(&m->status->pending, 1u);
    for (u32 idle = 0;;) {
        bool found = false, over = false;
        for (u32 k = warp_id(); k < m->row_count; k += warps) {
            const int i = m->row_order[k];
            if (!warp_any(lane() == 0 && load_volatile(&m->marked[i]))) continue;
            if (lane() == 0) {
                if (!busy) atomicAdd(&m->status->pending, 1u);
                over = out_of_time(m) || load_volatile(&m->status->ended);
            }
            busy = true;
            if (warp_any(over)) break;
            found = true;
            if (lane() == 0) store_volatile(&m->marked[i], 0);
            fence();
            warp_sync();
            const Exchange best = best_exchange(m, notes, i, (u32)evaluations, looks);
            bool any;
            if (make_exchange(m, i, best, any)) switches++;
            else if (any && lane() == 0) mark_row(m, i);
            evaluations++;
            warp_sync();
        }
        if (warp_any(over)) break;
        if (found) {
            idle = 0;
            continue;
        }
        bool end = false;
        if (lane() == 0) {
            fence();
            if (busy) atomicSub(&m->status->pending, 1u);
            // Not at every poll, as all warps read the same address.
            else if (idle % IDLE_POLLS == IDLE_POLLS - 1) {
                end = load_volatile(&m->status->pending) <= m->stop_count;
                if (end) store_volatile(&m->status->ended, 1u);
                end = end || out_of_time(m);
            }
            sleep_briefly();
        }
        busy = false;
        idle++;
        if (warp_any(end)) break;
    }
    if (lane() == 0) {
        if (busy) atomicSub(&m->status->pending, 1u);
        atomicAdd(&m->counters->evaluations, evaluations);
        atomicAdd(&m->counters->part_scans, looks);
        atomicAdd(&m->counters->switches, switches);
        atomicAdd(&m->status->changed, (u32)switches);
    }
}
