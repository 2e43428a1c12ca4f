// Many problems of one size, one block a problem: shortest augmenting paths over whole rows.
//
// Jonker and Volgenant 1987 without their initial phases: Dijkstra's search from each row in reduced
// costs, all threads of the block looking along a row at once.
//
// Constants: VALUE, PRICE, SIGN (-1 turns benefits into costs), THREADS a block.
#include "hardware/cuda/shuffle.cuh"

typedef VALUE value_t;
typedef PRICE price_t;

#include "assignment/gpu/stack.h"

#define WARPS (THREADS / WARP)

DEVICE double farthest(double) { return 1e300; }
DEVICE i64 farthest(i64) { return (i64)1 << 62; }
#define FAR (farthest((price_t)0))

struct Shared {
    price_t value[2][WARPS];
    int index[2][WARPS];
    int problem;
    price_t sum;
};

// The smallest of the block, in every thread; two calls in a row must differ in ``turn``.
DEVICE void block_least(Shared* s, int turn, price_t& v, int& j)
{
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) {
        const price_t w = shuffle_xor(v, d);
        const int k = warp_shuffle(j, lane() ^ d);
        if (w < v || (w == v && k < j)) v = w, j = k;
    }
    const int w = threadIdx.x / WARP;
    if (lane() == 0) s->value[turn][w] = v, s->index[turn][w] = j;
    block_sync();
#pragma unroll
    for (int k = 0; k < WARPS; k++) {
        const price_t x = s->value[turn][k];
        const int at = s->index[turn][k];
        if (x < v || (x == v && at < j)) v = x, j = at;
    }
}

KERNEL(THREADS, 1) solve_stack(Stack* m)
{
    DYNAMIC_SHARED(memory);
    Shared* s = (Shared*)memory;
    const int rows = (int)m->rows, columns = (int)m->columns;
    char* room = m->memory ? m->memory + blockIdx.x * m->bytes : (char*)memory + 1024;
    price_t* const price = (price_t*)room; // of columns, at most 0
    price_t* const far = price + columns;
    int* const owner = (int*)(far + columns);
    int* const parent = owner + columns;
    int* const closed = parent + columns;  // the search in which a column was closed
    for (;;) {
        block_sync();
        if (threadIdx.x == 0) s->problem = (int)atomicAdd(m->next, 1u);
        block_sync();
        const u64 problem = (u64)(u32)s->problem;
        if (problem >= m->count) return;
        const value_t* values = m->values + problem * m->whole;
        int* const column = m->column + problem * rows;
        auto cost = [&](int i, int j) {
            const value_t v = values[(u64)i * m->down + (u64)j * m->across];
            return SIGN > 0 ? (price_t)v : -(price_t)v;
        };
        for (int j = threadIdx.x; j < columns; j += THREADS)
            price[j] = 0, owner[j] = -1, closed[j] = -1;
        block_sync();
        bool possible = true;
        for (int root = 0; root < rows && possible; root++) {
            int i = root, j = -1, turn = 0;
            price_t reached = 0, base = 0;
            for (int k = threadIdx.x; k < columns; k += THREADS) far[k] = FAR;
            for (;;) {
                price_t least = FAR;
                int at = 0x7fffffff;
                for (int k = threadIdx.x; k < columns; k += THREADS) {
                    if (closed[k] == root) continue;
                    const price_t way = reached + (cost(i, k) - price[k] - base);
                    if (way < far[k]) far[k] = way, parent[k] = i;
                    if (far[k] < least) least = far[k], at = k;
                }
                block_least(s, turn, least, at);
                turn ^= 1;
                // An infinite cost is beyond all sums of finite ones.
                if (!(least < FAR / 2)) {
                    possible = false;
                    break;
                }
                j = at;
                reached = least;
                if (j % THREADS == (int)threadIdx.x) closed[j] = root;
                i = owner[j];
                if (i < 0) break;
                base = cost(i, j) - price[j];
            }
            block_sync();
            if (!possible) break;
            for (int k = threadIdx.x; k < columns; k += THREADS)
                if (closed[k] == root) price[k] += far[k] - reached;
            if (threadIdx.x == 0) {
                int k = j, row;
                do {
                    row = parent[k];
                    const int before = row == root ? -1 : column[row];
                    owner[k] = row;
                    column[row] = k;
                    k = before;
                } while (row != root);
            }
            block_sync();
        }
        if (!possible) {
            for (int k = threadIdx.x; k < rows; k += THREADS) column[k] = -2;
            continue;
        }
        // The certificate: the prices, and what every row would rather pay.
        if (threadIdx.x == 0) {
            price_t sum = 0;
            for (int k = 0; k < columns; k++) sum += price[k];
            s->sum = sum;
        }
        for (int row = 0; row < rows; row++) {
            price_t least = FAR;
            int at = 0x7fffffff;
            for (int k = threadIdx.x; k < columns; k += THREADS) {
                const price_t c = cost(row, k) - price[k];
                if (c < least) least = c, at = k;
            }
            block_least(s, row & 1, least, at);
            if (threadIdx.x == 0) s->sum += least;
        }
        if (threadIdx.x == 0) m->bound[problem] = s->sum;
    }
}
