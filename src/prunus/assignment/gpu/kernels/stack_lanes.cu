// Many very small problems, each solved by one lane: shortest augmenting paths, a free row at a time.
//
// The values of a warp's problems are fetched together. Values and working memory of its lanes
// alternate in shared memory, so that lanes that look at the same place of their problems, or at
// different ones, mostly find it in different banks.
//
// The rows are the smaller side. Prices of columns begin with the least of each column in square
// problems, else with zero, which a column without a partner must keep; rows take columns of least
// reduced cost as they find them free. Every other row searches by Dijkstra's method. A turn of the loop scans
// one row, of whichever search, so that lanes wait for each other only at its end.
//
// Constants: VALUE, PRICE (double or i64, in which no sum is rounded), INDEX (of what is returned),
// SIGN (-1 turns benefits into costs), LIMITED (whether costs have a limit).
#include "assignment/gpu/kernels/stack_values.cuh"

#define NONE 255
#define STRIDE (WARP + 1)
#define TOGETHER 8 // problems whose values are asked for before one is stored

// The arrays of a lane's problem.
struct Lane {
    const value_t* values;
    price_t *v, *distance;   // of columns: prices, labels
    u8 *owner, *parent;      // of columns: the row that has it, and the one it was labelled from
    u8* mate;                // of rows: the column
    int down, across;

    DEVICE Lane(char* room, int agents, int jobs, int t)
    {
        const int columns = agents > jobs ? agents : jobs;
        v = (price_t*)room + t;
        distance = v + columns * WARP;
        values = (const value_t*)((price_t*)room + 2 * columns * WARP) + t;
        owner = (u8*)((value_t*)((price_t*)room + 2 * columns * WARP) + agents * jobs * STRIDE) + t;
        parent = owner + columns * WARP;
        mate = parent + columns * WARP;
    }
    DEVICE value_t value(int i, int j) const { return values[(i * down + j * across) * STRIDE]; }
};

// Copies the values of a warp's problems to shared memory.
DEVICE void fetch(const Stack& m, u64 first, char* room, int t)
{
    const int agents = (int)m.agents, jobs = (int)m.jobs, columns = agents > jobs ? agents : jobs;
    const int count = m.count - first < WARP ? (int)(m.count - first) : WARP;
    value_t* const values = (value_t*)((price_t*)room + 2 * columns * WARP);
    for (int q = 0; q < count; q += TOGETHER)
        for (int r = t; r < agents * jobs; r += WARP) {
            const value_t* const from = m.values + (r / jobs * m.down + r % jobs * m.across);
            value_t value[TOGETHER];
#pragma unroll
            for (int z = 0; z < TOGETHER; z++)
                value[z] = from[(i64)(first + (q + z < count ? q + z : count - 1)) * m.whole];
#pragma unroll
            for (int z = 0; z < TOGETHER; z++)
                if (q + z < count) values[r * STRIDE + q + z] = value[z];
        }
}

// Prices, and the rows that are matched at these. Returns what is wrong.
DEVICE int reduce(const Problem& p, const Lane& a)
{
    for (int j = 0; j < p.columns; j++) a.v[j * WARP] = 0, a.owner[j * WARP] = NONE;
    for (int i = 0; i < p.rows; i++) a.mate[i * WARP] = NONE;
    if (p.rows == p.columns)
        for (int j = 0; j < p.columns; j++) {
            price_t least = FAR;
            int at = -1;
            for (int i = 0; i < p.rows; i++) {
                const price_t c = p.cost(a.value(i, j));
                if (c < least) least = c, at = i;
            }
            if (at < 0) continue;
            a.v[j * WARP] = least;
            if (a.mate[at * WARP] == NONE) a.mate[at * WARP] = j, a.owner[j * WARP] = at;
        }
    int wrong = SOLVED;
    for (int i = 0; i < p.rows; i++) {
        price_t least = FAR;
        int at = -1;
        bool taken = true;
        for (int j = 0; j < p.columns; j++) {
            const value_t value = a.value(i, j);
            if (is_wrong(value)) wrong = INVALID;
            if (is_large(value, p.rows)) wrong = TOO_LARGE;
            const price_t c = p.cost(value) - a.v[j * WARP];
            const bool owned = a.owner[j * WARP] != NONE;
            if (c < least || (c == least && taken && !owned && c < FAR)) least = c, at = j, taken = owned;
        }
        if (at < 0 && wrong == SOLVED) wrong = INFEASIBLE;
        if (!taken && a.mate[i * WARP] == NONE) a.mate[i * WARP] = at, a.owner[at * WARP] = i;
    }
    return wrong;
}

// Matches the rows that are free. Returns what is wrong.
DEVICE int augment(const Problem& p, const Lane& a)
{
    int start = 0, row = -1;
    u32 done = 0; // columns that are labelled for good
    price_t reach = 0, behind = 0; // the distance of the row, and what of it is the price of the row
    for (;;) {
        const bool begins = row < 0;
        if (begins) {
            while (start < p.rows && a.mate[start * WARP] != NONE) start++;
            if (start == p.rows) return SOLVED;
            row = start;
            done = 0;
            reach = behind = 0;
        }
        price_t least = FAR;
        int at = -1;
        bool taken = true;
        for (int j = 0; j < p.columns; j++) {
            if (done >> j & 1) continue;
            price_t label = begins ? FAR : a.distance[j * WARP];
            price_t way = p.cost(a.value(row, j)) - a.v[j * WARP] - behind;
            // Not less by rounding; a search begins with reduced costs below zero, as rows have no price.
            if (!begins && way < reach) way = reach;
            if (way < label || begins) {
                label = way;
                a.distance[j * WARP] = way;
                a.parent[j * WARP] = row;
            }
            const bool owned = a.owner[j * WARP] != NONE;
            if (label < least || (label == least && taken && !owned && label < FAR))
                least = label, at = j, taken = owned;
        }
        if (at < 0) return INFEASIBLE;
        if (taken) {
            done |= 1u << at;
            row = a.owner[at * WARP];
            reach = least;
            behind = p.cost(a.value(row, at)) - a.v[at * WARP] - least;
            continue;
        }
        for (int j = 0; j < p.columns; j++)
            if (done >> j & 1) a.v[j * WARP] += a.distance[j * WARP] - least;
        for (int before; at != NONE; at = before) {
            const int i = a.parent[at * WARP];
            before = a.mate[i * WARP];
            a.owner[at * WARP] = i;
            a.mate[i * WARP] = at;
        }
        row = -1;
    }
}

// Pairs in the order of the agents, then -1; the partner of each agent; prices and what they prove.
DEVICE void report(const Stack& m, const Problem& p, const Lane& a, u64 number, int agents, int jobs, int status)
{
    const bool tall = agents > jobs, solved = status == SOLVED;
    const int pairs = (int)(m.agents < m.jobs ? m.agents : m.jobs);
    int count = 0;
    for (int agent = 0; agent < (int)m.agents; agent++) {
        int job = -1;
        if (solved && agent < agents) job = (tall ? a.owner : a.mate)[agent * WARP];
        if (job == NONE) job = -1;
        if (LIMITED && job >= 0 && p.given(a.value(tall ? job : agent, tall ? agent : job)) > p.limit) job = -1;
        if (m.partner) m.partner[number * m.agents + agent] = job;
        if (!m.row || job < 0) continue;
        m.row[number * pairs + count] = agent;
        m.column[number * pairs + count++] = job;
    }
    for (; m.row && count < pairs; count++) m.row[number * pairs + count] = m.column[number * pairs + count] = -1;
    if (m.status) m.status[number] = status;
    if (m.flag && !solved) *m.flag = (i64)number * 8 + status;
    if (!m.bound && !m.agent_price) return;
    price_t sum = 0;
    for (int k = 0; k < (int)(m.agents + m.jobs); k++) {
        const bool agent = k < (int)m.agents;
        const int place = agent ? k : k - (int)m.agents;
        price_t price = 0;
        if (solved && place < (agent ? agents : jobs)) {
            if (agent == tall) price = a.v[place * WARP];
            else {
                price = FAR;
                for (int j = 0; j < p.columns; j++) {
                    const price_t c = p.cost(a.value(place, j)) - a.v[j * WARP];
                    if (c < price) price = c;
                }
            }
        }
        sum += price;
        if (m.agent_price)
            (agent ? m.agent_price + number * m.agents : m.job_price + number * m.jobs)[place] = SIGN > 0 ? price : -price;
    }
    if (m.bound && solved) m.bound[number] = SIGN > 0 ? sum : -sum;
}

KERNEL(WARP, 1) solve_small_stack(BY_VALUE(Stack) given)
{
    const Stack& m = argument(given);
    DYNAMIC_SHARED(memory);
    const int t = threadIdx.x;
    Lane a((char*)memory, (int)m.agents, (int)m.jobs, t);
    for (u64 first = (u64)blockIdx.x * WARP; first < m.count; first += (u64)gridDim.x * WARP) {
        fetch(m, first, (char*)memory, t);
        warp_sync();
        const u64 number = first + t;
        if (number < m.count) {
            const Size size(m, number);
            Problem p;
            p.values = nullptr;
            p.rows = size.tall ? size.jobs : size.agents;
            p.columns = size.tall ? size.agents : size.jobs;
            p.limit = m.limit;
            a.down = size.tall ? 1 : (int)m.jobs;
            a.across = size.tall ? (int)m.jobs : 1;
            if (LIMITED && m.far) {
                price_t largest = 0;
                for (int i = 0; i < p.rows; i++)
                    for (int j = 0; j < p.columns; j++) {
                        const price_t s = size_of(p.given(a.value(i, j)));
                        largest = s > largest ? s : largest;
                    }
                p.limit = nearer(p.limit, largest, p.rows);
            }
            int status = size.right ? reduce(p, a) : WRONG_SIZES;
            if (status == SOLVED) status = augment(p, a);
            report(m, p, a, number, size.agents, size.jobs, status);
        }
        warp_sync();
    }
}
