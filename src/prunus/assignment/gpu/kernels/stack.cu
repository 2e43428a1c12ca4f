// Many problems, each solved by a warp, see stack_warp.cuh, or by a block: shortest augmenting paths from
// all free rows at once.
//
// The rows are the smaller side. Prices of columns begin with the least of each column (square
// problems; else with zero, which a column without a partner must keep), prices of rows with the
// least of what is left, and rows take columns at that price as they find them free. Then rows bid for
// columns. Then phases (Hungarian method; Dijkstra's search from every free row, as Hopcroft and Karp search for paths of
// equal length) until no row is free: the search labels columns by their distance in reduced costs
// until half of the free rows have found a free column, the prices of all nearer rows and columns
// change so that the shortest paths cost nothing, and every tree gives one path.
//
// A thread owns the columns of equal number modulo THREADS, with their labels in registers. In a
// round each group of lanes proposes its nearest column, and all threads scan the rows of all of these:
// the nearest is final, the others may have to be scanned again. A round waits for memory once or
// twice, for as many rows as there are groups, where Dijkstra's search would wait for each row.
//
// Constants: VALUE, PRICE (double or i64, in which no sum is rounded), INDEX (of what is returned),
// SIGN (-1 turns benefits into costs), LIMITED (whether costs have a limit), MOST (threads of a block,
// at most), BLOCKS (of a multiprocessor, at least), EACH (problems of a block: one, or more side by side with a warp each), SLOTS (columns of a
// thread), GROUP (lanes that propose a column; there are at most as many groups as lanes in a warp).
#include "assignment/gpu/kernels/stack_bids.cuh"
#include "assignment/gpu/kernels/stack_search.cuh"
#include "assignment/gpu/kernels/stack_warp.cuh"

// Leaves pairs and prices of columns; returns what is wrong.
DEVICE int solve_together(const Problem& p, const State& a, Shared* s, int t)
{
    if (t == 0) s->status = SOLVED;
    meet();
    reduce(p, a, s, t);
    int status = s->status;
    if (status == SOLVED) bid(p, a, s, t);
    while (status == SOLVED) {
        const int free = find_free(p, a, s, t);
        if (free == 0) break;
        if (!advance(p, a, s, t, free)) status = INFEASIBLE;
        meet();
    }
    return status;
}

// The certificate: the prices of columns, and what every row would rather pay.
DEVICE void certify(const Problem& p, const State& a, Shared* s, int t, price_t* bound)
{
    price_t sum = 0;
    for (int j = t; j < p.columns; j += THREADS) sum += a.v[j];
    for (int i = t / WARP; i < p.rows; i += WARPS) {
        price_t least = FAR;
        look_through(p, a, i, [&](value_t, price_t c, int, int) { least = c < least ? c : least; });
        const u64 key = ordered(least);
        least = shuffle_from(least, lowest_lane(warp_ballot(key == warp_min(key))));
        if (lane() == 0) a.u[i] = least, sum += least;
    }
    sum = warp_sum(sum);
    if (lane() == 0) s->entry(0)[t / WARP].label = sum;
    meet();
    if (t == 0) {
        for (int w = 1; w < WARPS; w++) sum += s->entry(0)[w].label;
        *bound = SIGN > 0 ? sum : -sum;
    }
}

// Pairs in the order of the agents, then -1; the partner of each agent; prices. By the first warp.
DEVICE void report(const Stack& m, const Problem& p, const State& a, u64 number, int agents, bool tall, int t)
{
    const i64 pairs = m.agents < m.jobs ? m.agents : m.jobs;
    int count = 0;
    for (int from = 0; from < (int)m.agents; from += WARP) {
        const int agent = from + t;
        int job = agent < agents ? tall ? a.owner[agent] : a.mate[agent] : -1;
        if (LIMITED && job >= 0 && p.given(*p.at(tall ? job : agent, tall ? agent : job)) > p.limit) job = -1;
        const lanes_t set = warp_ballot(job >= 0);
        if (m.row && job >= 0) {
            const i64 place = number * pairs + count + count_lanes(set & lanes_before(t));
            m.row[place] = agent;
            m.column[place] = job;
        }
        count += count_lanes(set);
        if (m.partner && agent < (int)m.agents) m.partner[number * m.agents + agent] = job;
    }
    for (i64 k = count + t; m.row && k < pairs; k += WARP)
        m.row[number * pairs + k] = m.column[number * pairs + k] = -1;
}

KERNEL(MOST, BLOCKS) solve_stack(BY_VALUE(Stack) given)
{
    const Stack& m = argument(given);
    DYNAMIC_SHARED(memory);
    const int part = threadIdx.x / THREADS, t = threadIdx.x % THREADS;
    const u64 first = (u64)blockIdx.x * EACH + part;
    const u64 head = SHARED + 2 * GROUPS * ENTRY;
    char* const inside = (char*)memory + part * (head + m.inside);
    Shared* const s = (Shared*)inside;
    for (u64 number = first; number < m.count; number += (u64)gridDim.x * EACH) {
        const Size size(m, number);
        const int agents = size.agents, jobs = size.jobs;
        const bool tall = size.tall;
        Problem p;
        p.values = m.values + number * m.whole;
        p.rows = tall ? jobs : agents;
        p.columns = tall ? agents : jobs;
        p.down = tall ? m.across : m.down;
        p.across = tall ? m.down : m.across;
        p.limit = m.limit;
        const State a(EACH == 1 && m.memory ? m.memory + first * m.outside : inside + head, p.rows, p.columns);
        meet();
        if (m.turned && p.across != 1) lay_by_rows(p, (value_t*)(m.turned + first * m.area), t);
        if (LIMITED && m.far) p.limit = nearer(p.limit, largest_size(p, s, t), p.rows);
        int status = WRONG_SIZES;
        if (size.right) status = EACH > 1 ? solve_alone(p, a) : solve_together(p, a, s, t);
        if (status == SOLVED && m.bound) certify(p, a, s, t, m.bound + number);
        meet();
        if (t < WARP) report(m, p, a, number, status == SOLVED ? agents : 0, tall, t);
        if (m.agent_price) {
            const i64 places = m.agents + m.jobs;
            for (i64 k = t; k < places; k += THREADS) {
                const bool agent = k < m.agents;
                const i64 place = agent ? k : k - m.agents;
                price_t price = 0;
                if (status == SOLVED && place < (agent ? agents : jobs)) price = (agent == tall ? a.v : a.u)[place];
                (agent ? m.agent_price + number * m.agents : m.job_price + number * m.jobs)[place] = SIGN > 0 ? price : -price;
            }
        }
        if (t == 0 && m.status) m.status[number] = status;
        if (t == 0 && m.flag && status != SOLVED) *m.flag = (i64)number * 8 + status;
    }
}
