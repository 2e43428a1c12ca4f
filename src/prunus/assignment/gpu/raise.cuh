// From an assignment that is nearly optimal to one that is, with prices that prove it.
//
// A row whose column is not its best makes the better ones dearer until it is: p(j) rises to
// a(i, j) - (a(i, t) - p(t)), where it would rise by more than ``step``. That is Bellman's and Ford's
// method on the differences of prices; it comes to rest where no exchange along a cycle gains more than
// ``step`` a row. Elsewhere some rows make one another's columns dearer for ever: each column knows
// which row made it dearer, and in these links such a cycle shows. To give every row of the cycle the
// column that it made dearer is better by the whole of the cycle. Cycles found at the same time are
// disjoint, and are all made at once.
//
// ``raise`` works for a slice of time. Every warp has some rows, looks at the lists of those that are
// marked, and marks rows whose columns become dearer. Lists hold their prices of once: where a row may
// want a column beyond its list, it stands in ``ring`` until ``renew_lists``, a block a row.
#pragma once
#include "assignment/gpu/block.cuh"
#include "assignment/gpu/lists.cuh"

// Price and link change together, under a lock: with links of another's price cycles stay hidden.
DEVICE void make_dearer(const Market* m, int i, int j, price_t wanted)
{
    for (;;) {
        if (!(wanted > price_now(m, j) + m->step)) return;
        if (atomicCAS(&m->lock[j], 0, 1)) continue;
        fence();
        const bool dearer = wanted > peek(&m->price[j]) + m->step;
        if (dearer) {
            poke(&m->price[j], wanted);
            poke(&m->parent[j], i);
        }
        fence();
        atomicExch(&m->lock[j], 0);
        const int k = dearer ? peek(&m->owner[j]) : NONE;
        if (k != NONE) poke(&m->queued[k], 1);
        return;
    }
}

// Whether a row may want a column that is not in its list.
DEVICE bool beyond_list(const Market* m, int i, price_t net) { return net + m->step < fresh(&m->threshold[i]); }

// One look at the list of a row, by a warp.
DEVICE void look_at_list(const Market* m, int i)
{
    const int t = m->column[i], length = m->length[i];
    const price_t net = m->worth[i] - shuffle_from(price_now(m, t), 0);
    if (beyond_list(m, i, net)) {
        // Once only: two blocks would mix its lists.
        if (lane() == 0 && !atomicExch(&m->busy[i], 1)) m->ring[atomicAdd(&m->control[TAIL], 1u)] = i;
        return;
    }
    constexpr int LOADS = LIST / WARP < 4 ? (LIST + WARP - 1) / WARP : 4;
    for (int begin = 0; begin < length; begin += LOADS * WARP) {
        int j[LOADS];
        price_t wanted[LOADS], now[LOADS];
#pragma unroll
        for (int u = 0; u < LOADS; u++) {
            const int q = begin + u * WARP + lane();
            j[u] = q < length ? m->list[(u64)i * LIST + q] : t;
            wanted[u] = q < length ? benefit(m->listed[(u64)i * LIST + q]) - net : LOWEST;
        }
#pragma unroll
        for (int u = 0; u < LOADS; u++) now[u] = price_now(m, j[u]);
#pragma unroll
        for (int u = 0; u < LOADS; u++)
            if (j[u] != t && wanted[u] > now[u] + m->step) make_dearer(m, i, j[u], wanted[u]);
    }
}

// Whether it is not yet so late, to all lanes of a warp.
DEVICE bool before(u64 moment)
{
    int there = 0;
    if (lane() == 0) there = ticks() < moment;
    return warp_shuffle(there, 0);
}

KERNEL(THREADS, FULL) raise(Market* m)
{
    const u32 warps = gridDim.x * WARPS, each = ((u32)m->rows + warps - 1) / warps;
    const u32 first = warp_id() * each, end = first + each < m->rows ? first + each : (u32)m->rows;
    // Lane 0's; the others do not look.
    const u64 over = lane() == 0 ? ticks() + m->slice : 0, late = over < m->last ? over : m->last;
    u64 evaluations = 0;
    for (bool again = first < end && before(m->last); again; again = before(late)) {
        for (u32 begin = first; begin < end; begin += WARP) {
            const u32 mine = begin + lane();
            lanes_t marked = warp_ballot(mine < end && peek(&m->queued[mine]));
            while (marked && before(m->last)) {
                const int l = lowest_lane(marked), i = (int)begin + l;
                marked &= marked - 1;
                if (lane() == l) {
                    poke(&m->queued[i], 0);
                    fence();
                }
                warp_sync();
                look_at_list(m, i);
                warp_sync();
                evaluations++;
            }
        }
    }
    if (lane() == 0 && evaluations) atomicAdd(&m->figures[EVALUATIONS], evaluations);
}

// New lists, at the prices of now, for rows that may want more than theirs hold. A row to which more
// columns are worth too much than a list can hold makes them dearer at once.
KERNEL(THREADS, FULL) renew_lists(Market* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    const u32 count = m->control[TAIL];
    u32 k = blockIdx.x;
    for (int turn = 0; k < count; turn ^= 1) {
        const int i = m->ring[k], t = m->column[i];
        watch(m, s, turn);
        fill_list(m, s, i);
        block_sync();
        if (threadIdx.x == 0) {
            s->number = m->worth[i] - price_now(m, t);
            s->again = beyond_list(m, i, s->number);
            if (!s->again) poke(&m->queued[i], 1);
            poke(&m->busy[i], 0);
        }
        block_sync();
        if (s->again) {
            const price_t net = s->number;
            for_row<false>(m, i, [&](int j, price_t b, price_t p) {
                if (j != t && b - net > p + m->step) make_dearer(m, i, j, b - net);
            });
        }
        block_sync();
        k += gridDim.x;
        if (over(s, turn)) break;
    }
    // There was no time for these.
    for (k += threadIdx.x * gridDim.x; k < count; k += THREADS * gridDim.x)
        m->queued[m->ring[k]] = 1, m->busy[m->ring[k]] = 0;
}

// Cycles in the links. From every column the way goes from the column that was made dearer to that of
// the row that did it; ``follow_links``, ``follow_further`` and ``follow_to_the_end`` go as far as there are
// columns, each as many steps of the one before as makes that together. Who is then reached is in a cycle, and everybody
// who is in one is reached. The smallest column of a cycle speaks for it.
struct alignas(8) Way { int at, smallest; };

DEVICE Way* first_ways(const Market* m) { return (Way*)m->claim; }
DEVICE Way* second_ways(const Market* m) { return (Way*)(m->ring + 2 * m->rows); } // before it: rows in wait

DEVICE int steps_at_once(const Market* m)
{
    u64 h = 2;
    while (h * h * h < m->columns) h++;
    return (int)h;
}

KERNEL(THREADS, 1) follow_links(Market* m)
{
    const int steps = steps_at_once(m);
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->columns; q += gridDim.x * THREADS) {
        Way way = {(int)q, (int)m->columns};
        for (int k = 0; k < steps && way.at != NONE; k++) {
            way.smallest = way.at < way.smallest ? way.at : way.smallest;
            const int i = m->parent[way.at];
            way.at = i == NONE ? NONE : m->column[i];
        }
        first_ways(m)[q] = way;
        m->target[q] = 0;
    }
}

DEVICE Way follow(const Way* ways, int q, int steps)
{
    Way way = ways[q];
    for (int k = 1; k < steps && way.at != NONE; k++) {
        const Way next = ways[way.at];
        way.at = next.at;
        way.smallest = next.smallest < way.smallest ? next.smallest : way.smallest;
    }
    return way;
}

KERNEL(THREADS, 1) follow_further(Market* m)
{
    const int steps = steps_at_once(m);
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->columns; q += gridDim.x * THREADS)
        second_ways(m)[q] = follow(first_ways(m), (int)q, steps);
}

KERNEL(THREADS, 1) follow_to_the_end(Market* m)
{
    const int steps = steps_at_once(m);
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->columns; q += gridDim.x * THREADS) {
        const Way way = follow(second_ways(m), (int)q, steps);
        first_ways(m)[q] = way;
        if (way.at != NONE) m->target[way.at] = 1;
    }
}

// Give the rows of every cycle that gains the columns that they made dearer; cut the others open. After
// that no row waits for a list.
KERNEL(THREADS, 1) turn_cycles(Market* m)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) m->control[TAIL] = m->control[PENDING] = 0;
    for (u32 q = blockIdx.x * THREADS + threadIdx.x; q < m->columns; q += gridDim.x * THREADS) {
        const int start = (int)q;
        if (!m->target[start] || first_ways(m)[start].smallest != start) continue;
        price_t gain = 0;
        int j = start, length = 0;
        do {
            const int i = m->parent[j];
            gain += at(m, i, j) - m->worth[i];
            j = m->column[i];
            length++;
        } while (j != start);
        const bool better = gain > m->limit;
        do {
            const int i = m->parent[j], t = m->column[i];
            m->parent[j] = NONE;
            if (better) {
                m->column[i] = j;
                m->owner[j] = i;
                m->worth[i] = at(m, i, j);
                m->queued[i] = 1;
            }
            j = t;
        } while (j != start);
        if (better) {
            atomicAdd(&m->control[CHANGED], 1u);
            atomicAdd(&m->figures[CYCLES], (u64)1);
            atomicMax(&m->figures[LONGEST], (u64)length);
        }
    }
}

// How many rows are marked.
KERNEL(THREADS, 1) count_marked(Market* m)
{
    u32 marked = 0;
    for (u32 i = blockIdx.x * THREADS + threadIdx.x; i < m->rows; i += gridDim.x * THREADS)
        marked += m->queued[i] != 0;
    if (marked) atomicAdd(&m->control[PENDING], marked);
}

// All rows are marked, none waits for a list, and nobody has made anything dearer.
KERNEL(THREADS, 1) mark_anew(Market* m)
{
    const u32 self = blockIdx.x * THREADS + threadIdx.x, threads = gridDim.x * THREADS;
    for (u32 j = self; j < m->columns; j += threads) m->parent[j] = NONE;
    for (u32 i = self; i < m->rows; i += threads) m->queued[i] = 1, m->busy[i] = 0;
    if (self < CONTROLS) m->control[self] = 0;
}
