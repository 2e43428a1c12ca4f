// Turn a nearly optimal assignment into an optimal one, with prices that prove it.
//
// A row whose column t is not its best raises the prices of the better columns until it is: p(j) becomes
// a(i, j) - (a(i, t) - p(t)) wherever that raises it by more than ``epsilon``. This is the Bellman-Ford
// method on price differences. It converges when no exchange along a cycle gains more than ``epsilon``
// per row; price_links.cuh treats the cycles that do gain.
//
// ``raise_prices`` runs for a slice of time. Each warp owns some columns, and evaluates the list of a
// column's row whenever the price of that column has risen since its last evaluation. Lists were made at
// earlier prices. When a row may prefer a column outside its list, its column waits in ``workspace``
// until ``renew_lists`` rebuilds the list, one block per row.
#pragma once
#include "assignment/gpu/kernels/block_reductions.cuh"
#include "assignment/gpu/kernels/candidate_lists.cuh"
#include "assignment/gpu/kernels/price_links.cuh"

#define UNBOUNDED 3e38f // bound on a net value of which nothing is known yet
#define LOOKED_AT 8     // columns that a lane evaluates together

// Raise the price of a column if it is still too low; return the price afterwards.
template <bool LINKED>
DEVICE price_t make_dearer(const Instance* m, int i, int j, price_t wanted)
{
    if constexpr (LINKED) {
        PriceWord seen = {price_now(m, j)};
        const PriceWord offer = {with_link(wanted, i)};
        while (price_in(offer.p) > price_in(seen.p) + m->epsilon) {
            const u64 before = atomicCAS((u64*)&m->price[j], seen.bits, offer.bits);
            if (before == seen.bits) return price_in(offer.p);
            seen.bits = before;
        }
        return price_in(seen.p);
    } else {
        for (;;) {
            price_t now = price_now(m, j);
            if (!(wanted > now + m->epsilon)) return now;
            if (atomicCAS(&m->lock[j], 0, 1)) continue;
            fence();
            now = load_volatile(&m->price[j]);
            const bool dearer = wanted > now + m->epsilon;
            if (dearer) {
                store_volatile(&m->price[j], wanted);
                store_volatile(&m->raised_by[j], i);
            }
            fence();
            atomicExch(&m->lock[j], 0);
            return dearer ? wanted : now;
        }
    }
}

// Round up to a float.
DEVICE float at_least(price_t v)
{
    const float f = (float)v;
    return f + (f < 0 ? -f : f) * 1.2e-7f;
}

// Evaluate the list of the row that owns a column, by one warp. ``list_bounds`` holds each column's net
// value when its price was last read. As prices only rise this is an upper bound, so most prices need not
// be read again.
template <bool LINKED>
DEVICE void look_at_list(const Instance* m, int t, int i)
{
    constexpr int EACH = LIST / WARP, LOADS = EACH < LOOKED_AT ? EACH : LOOKED_AT;
    price_t net = 0;
    float near = 0;
    int length = 0;
    for (int begin = 0; begin < EACH; begin += LOADS) {
        int j[LOADS];
        value_t value[LOADS];
        float bound[LOADS];
        const u64 from = (u64)i * LIST + begin * WARP + lane();
        // The loads do not depend on the length.
#pragma unroll
        for (int u = 0; u < LOADS; u++) {
            bound[u] = m->list_bounds[from + u * WARP];
            j[u] = m->list_columns[from + u * WARP];
            value[u] = m->list_values[from + u * WARP];
        }
        if (begin == 0) {
            length = m->list_length[i];
            const price_t now = shuffle_from(price_of<LINKED>(price_now(m, t)), 0);
            net = m->row_benefit[i] - now;
            near = (float)(net + m->epsilon); // lower bound, as a float, of the net values that matter
            const bool beyond = net + m->epsilon < m->threshold[i];
            if (lane() == 0) {
                m->price_at_look[t] = beyond ? WAITING : now;
                if (beyond) m->workspace[atomicAdd(&m->status->tail, 1u) % (u32)m->columns] = t;
            }
        }
        bool open[LOADS];
        PriceWord seen[LOADS];
#pragma unroll
        for (int u = 0; u < LOADS; u++) {
            open[u] = (begin + u) * WARP + lane() < length && j[u] != t && bound[u] >= near;
            if (open[u]) seen[u].p = price_now(m, j[u]);
        }
        bool cheap[LOADS]; // the price is still too low
#pragma unroll
        for (int u = 0; u < LOADS; u++)
            cheap[u] = open[u] && price_of<LINKED>(benefit(value[u]) - net) > price_of<LINKED>(seen[u].p) + m->epsilon;
        if constexpr (LINKED) {
            // Issue all compare-and-swaps together.
            u64 before[LOADS];
            PriceWord offer[LOADS];
#pragma unroll
            for (int u = 0; u < LOADS; u++) {
                offer[u].p = with_link(benefit(value[u]) - net, i);
                if (cheap[u]) before[u] = atomicCAS((u64*)&m->price[j[u]], seen[u].bits, offer[u].bits);
            }
#pragma unroll
            for (int u = 0; u < LOADS; u++)
                if (cheap[u] && before[u] == seen[u].bits) seen[u] = offer[u], cheap[u] = false;
        }
#pragma unroll
        for (int u = 0; u < LOADS; u++) {
            if (!open[u]) continue;
            price_t now = price_of<LINKED>(seen[u].p);
            if (cheap[u]) now = make_dearer<LINKED>(m, i, j[u], benefit(value[u]) - net);
            m->list_bounds[from + u * WARP] = at_least(benefit(value[u]) - now);
        }
        if ((begin + LOADS) * WARP >= length) break;
    }
}

// Whether a moment has not been reached, in all lanes of a warp.
DEVICE bool before(u64 moment)
{
    int there = 0;
    if (lane() == 0) there = ticks() < moment;
    return warp_shuffle(there, 0);
}

template <bool LINKED>
DEVICE void raise_for_a_slice(const Instance* m)
{
    const u32 warps = gridDim.x * WARPS, each = ((u32)m->columns + warps - 1) / warps;
    const u32 first = warp_id() * each, end = first + each < m->columns ? first + each : (u32)m->columns;
    // Only lane 0 uses these.
    const u64 over = lane() == 0 ? ticks() + m->slice_ns : 0, late = over < m->solve_deadline ? over : m->solve_deadline;
    u64 looks = 0;
    for (bool again = first < end && before(m->solve_deadline); again;) {
        u64 moment = 0;
        for (u32 begin = first; begin < end && again; begin += WARP) {
            // Read the clock early, so that nothing waits for it.
            if (lane() == 0) moment = ticks();
            const u32 t = begin + lane();
            const int i = t < end ? m->owner[t] : NONE;
            bool risen = false;
            if (t < end) risen = m->price_at_look[t] < price_of<LINKED>(price_now(m, (int)t));
            lanes_t set = warp_ballot(risen);
            // Start with a different lane each time.
            const int turn = warp_shuffle((int)(moment >> 6), 0) & (WARP - 1);
            while (set) {
                const lanes_t later = set & ~lanes_before(turn);
                const int l = lowest_lane(later ? later : set);
                set &= ~((lanes_t)1 << l);
                look_at_list<LINKED>(m, (int)begin + l, warp_shuffle(i, l));
                warp_sync();
                looks++;
                again = !warp_any(lane() == 0 && moment >= late);
                if (!again) break;
                if (set && lane() == 0) moment = ticks();
            }
        }
        again = again && !warp_any(lane() == 0 && moment >= late);
    }
    if (lane() == 0 && looks) atomicAdd(&m->counters->evaluations, looks);
}

// Half as many warps as elsewhere, so that everything an evaluation reads stays in registers.
KERNEL(THREADS, FULL / 2) raise_prices(Instance* m)
{
#if OWNED
    if (m->prices_carry_links) raise_for_a_slice<true>(m);
    else
#endif
    raise_for_a_slice<false>(m);
}

// Rebuild a row's list at the current prices. If the row prefers more columns than a list can hold, raise
// the prices of all of them at once.
template <bool LINKED>
DEVICE void renew_list(const Instance* m, Shared* s, int t)
{
    const int i = m->owner[t];
    fill_list(m, s, i);
    for (int q = threadIdx.x; q < LIST; q += THREADS) m->list_bounds[(u64)i * LIST + q] = UNBOUNDED;
    block_sync();
    if (threadIdx.x == 0) {
        const price_t now = price_of<LINKED>(price_now(m, t));
        s->number = m->row_benefit[i] - now;
        // Prices with embedded links are inexact; allow for that up to the largest benefit and the
        // threshold.
        const price_t apart = m->threshold[i] < 0 ? -m->threshold[i] : m->threshold[i];
        if (LINKED && m->tolerance > 0) m->threshold[i] += m->tolerance * ROUNDING + apart * LINK_PART;
        s->again = s->number + m->epsilon < m->threshold[i];
        m->price_at_look[t] = s->again ? now : UNSEEN;
    }
    block_sync();
    if (s->again) {
        const price_t net = s->number;
        for_row<false>(m, i, [&](int j, price_t b, price_t p) {
            if (j != t && b - net > price_of<LINKED>(p) + m->epsilon) make_dearer<LINKED>(m, i, j, b - net);
        });
    }
    block_sync();
}

KERNEL(THREADS, FULL) renew_lists(Instance* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    const u32 columns = (u32)m->columns, count = m->status->tail;
    if (blockIdx.x == 0 && threadIdx.x == 0) m->status->ended = count;
    u32 k = m->status->cursor + blockIdx.x;
    for (int turn = 0; k < count; turn ^= 1) {
        check_clock(m, s, turn);
#if OWNED
        if (m->prices_carry_links) renew_list<true>(m, s, m->workspace[k % columns]);
        else
#endif
        renew_list<false>(m, s, m->workspace[k % columns]);
        k += gridDim.x;
        if (clock_ran_out(s, turn)) break;
    }
    // No time was left for these.
    for (k += threadIdx.x * gridDim.x; k < count; k += THREADS * gridDim.x) m->price_at_look[m->workspace[k % columns]] = UNSEEN;
}

// Forget all bounds on net values.
KERNEL(THREADS, 1) clear_list_bounds(Instance* m)
{
    for (u64 q = blockIdx.x * THREADS + threadIdx.x; q < m->rows * LIST; q += gridDim.x * THREADS)
        m->list_bounds[q] = UNBOUNDED;
}

// Count the rows that must be evaluated.
KERNEL(THREADS, 1) count_rows_to_look_at(Instance* m)
{
    u32 risen = 0;
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS) {
        const price_t word = m->price[j];
        risen += m->price_at_look[j] != (m->prices_carry_links ? price_in(word) : word);
    }
    if (risen) atomicAdd(&m->status->pending, risen);
}

// Begin a scale: all rows must be evaluated, none waits for a list, and no price has been raised.
KERNEL(THREADS, 1) begin_scale(Instance* m)
{
    const u32 self = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    for (u32 j = self; j < m->columns; j += threads) {
        m->raised_by[j] = NONE;
        m->price_at_look[j] = UNSEEN;
        if (m->prices_carry_links) m->price[j] = round_up_for_link(m->price[j]);
    }
    if (self < STATUS_WORDS) ((u32*)m->status)[self] = 0;
}

// End a scale: remove the links from the prices.
KERNEL(THREADS, 1) end_scale(Instance* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; m->prices_carry_links && j < m->columns; j += gridDim.x * THREADS)
        m->price[j] = price_in(m->price[j]);
}
