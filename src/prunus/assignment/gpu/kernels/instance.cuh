// An instance on the device, the prices of its columns and who has what.
//
// Constants: VALUE, the type of a matrix; PRICE, double or i64 (sums are exact in it); SIGN, 1 or -1,
// turns values into benefits; PACK values are loaded at once (16 bytes, or 1 value where rows are not
// aligned); THREADS a block; LIST candidates a row, of which a thread
// finds KEPT; POINTS, 0 for a matrix, else the number of
// coordinates; METRIC as in problems.assignment.METRICS. SPARE and OWNED: see auction.cuh.
// PARTS cards hold the rows of a matrix.
#pragma once
#include "hardware/cuda/portable.cuh"

typedef VALUE value_t;
typedef PRICE price_t;

#define WARPS (THREADS / WARP)
#define FULL (1024 / THREADS) // blocks a multiprocessor that keep its memory busy
#define NONE -1

struct Market {
    const value_t* matrix;  // of row i from i * stride
    u64 stride;
    const double* left;     // points: coordinates of row i from i * POINTS
    const double* right;
    const u64* parts;       // see row_of
    u64 rows, columns;
    price_t* price;         // of the columns
    price_t* worth;         // the benefit of each row's column
    int* column;            // of each row
    int* owner;             // of each column
    int* lock;              // of columns while prices rise, of rows in exchanges
    int* list;              // candidates of row i from i * LIST
    value_t* listed;        // their values
    int* length;
    price_t* threshold;     // no other column of the row has a larger net value
    price_t* best;          // the largest net value of each row, or gain
    int* target;            // the column for it
    int* parent;            // of columns: the row that made it dearer
    int* order;             // rows to go through
    int* ring;              // columns whose rows wait for a list, and where links lead; claims on rows and columns
    int* queued;            // of rows: marked, to be looked at
    price_t* seen;          // of columns: the price at which its row was looked at last; see cost_scaling.cuh
    price_t* claim;         // of rows: the largest exchange it is in; of a sample: the best of its rows
    float* bounds;          // what those in lists are worth at most, see cost_scaling.cuh
    char* ways;             // along links, see price_links.cuh
    char* records;          // ranked lists for the host, see ranked_lists.cuh
    u64 count;              // how many rows there are in ``order``
    price_t step;           // epsilon of an auction; what is a rounding error in exchanges
    price_t limit;          // rows this near to their best are only looked for in lists; least gain of a cycle
    u64 enough;             // so many rows may stay without a column; other switches of kernels
    u64 budget;             // nanoseconds of the solve from ``start_clock`` on
    u64 free;               // all prices are 0
    u64 slice;              // nanoseconds of a slice
    u64 room;               // links fit into a block's own memory
    u64 linked;             // prices carry the row that made the column dearer, see cost_scaling.cuh
    u64 reserve;            // looks at rows end so many nanoseconds before the solve does
    u64* figures;           // see below
    u32* control;           // see below
    u64 deadline;           // in ticks: of the slice under way; this and the next the kernels write
    u64 last;               // in ticks: of the solve
};

enum { EVALUATIONS, SCANS, LOOKS, SWITCHES, BIDS, CYCLES, LONGEST, DISTINCT, FIGURES };
enum { CURSOR, TAIL, PENDING, STOP, CHANGED, ENDED, UNASSIGNED, CONTROLS };

DEVICE double lowest_of(double) { return -1e300; }
DEVICE i64 lowest_of(i64) { return -((i64)1 << 62); }
#define LOWEST (lowest_of((price_t)0))
#define HIGHEST (-LOWEST)

struct alignas(PACK * sizeof(value_t)) Packed { value_t v[PACK]; };

// Values are read once, and must not push prices out of the caches.
DEVICE Packed stream(const Packed* p)
{
#if defined(__CUDA_ARCH__)
    Packed x;
    if constexpr (sizeof(Packed) == 16) *(uint4*)&x = __ldcs((const uint4*)p);
    else x = *p;
    return x;
#else
    return *p;
#endif
}

DEVICE price_t benefit(value_t v) { return SIGN < 0 ? -(price_t)v : (price_t)v; }

#if POINTS
DEVICE price_t value_between(const double* x, const double* y)
{
    double total = 0;
#pragma unroll
    for (int d = 0; d < POINTS; d++) {
        const double apart = x[d] - y[d], size = apart < 0 ? -apart : apart;
        if (METRIC <= 1) total += apart * apart;
        else if (METRIC == 2) total += size;
        else total = size > total ? size : total;
    }
    return SIGN * (METRIC == 0 ? sqrt(total) : total);
}
#endif

// Where row i of the matrix begins. If several cards hold its rows, ``parts`` has the first row of each
// but the first one, and then for each where row 0 would be if it were there.
DEVICE const value_t* row_of(const Market* m, int i)
{
#if PARTS > 1
    int part = 0;
#pragma unroll
    for (int k = 0; k < PARTS - 1; k++) part += (u64)i >= m->parts[k];
    return (const value_t*)(m->parts[PARTS - 1 + part] + (u64)i * m->stride * sizeof(value_t));
#else
    return m->matrix + (u64)i * m->stride;
#endif
}

// The benefit of one pair.
DEVICE price_t at(const Market* m, int i, int j)
{
#if POINTS
    return value_between(m->left + (u64)i * POINTS, m->right + (u64)j * POINTS);
#else
    return benefit(row_of(m, i)[j]);
#endif
}

// What other blocks change while we look: from the device's shared level, never an old copy.
template <class T>
DEVICE T fresh(const T* p)
{
#if defined(__CUDA_ARCH__)
    return __ldcg(p);
#else
    return peek(p);
#endif
}

DEVICE price_t price_now(const Market* m, int j) { return fresh(m->price + j); }

// Make a price, or a claim, at least v.
DEVICE void raise_to(price_t* p, price_t v)
{
    u64 seen = peek((u64*)p);
    for (;;) {
        price_t now;
        *(u64*)&now = seen;
        if (now >= v) return;
        const u64 before = atomicCAS((u64*)p, seen, *(u64*)&v);
        if (before == seen) return;
        seen = before;
    }
}

struct alignas(16) PricePair { price_t p[2]; };

// Prices of PACK columns. CACHED: an old copy will do; else as they are now.
template <bool CACHED>
DEVICE void load_prices(const price_t* from, price_t (&p)[PACK])
{
    if constexpr (PACK == 1) {
        p[0] = CACHED ? *from : fresh(from);
    } else {
#pragma unroll
        for (int e = 0; e < PACK; e += 2) {
            PricePair pair;
#if defined(__CUDA_ARCH__)
            *(uint4*)&pair = CACHED ? *(const uint4*)(from + e) : __ldcg((const uint4*)(from + e));
#else
            pair.p[0] = fresh(from + e), pair.p[1] = fresh(from + e + 1);
#endif
            p[e] = pair.p[0], p[e + 1] = pair.p[1];
        }
    }
}

// Call f(j, benefit, price) for columns of a row, from one multiple of PACK up to another or to the end;
// all threads of the block share them out. FREE: nothing costs anything.
template <bool CACHED, bool FREE, class F>
DEVICE void for_columns(const Market* m, int i, int begin, int end, F f)
{
    const price_t* const price = m->price;
#if POINTS
    double x[POINTS];
    for (int d = 0; d < POINTS; d++) x[d] = m->left[(u64)i * POINTS + d];
#pragma unroll 4
    for (int j = begin + threadIdx.x; j < end; j += THREADS)
        f(j, value_between(x, m->right + (u64)j * POINTS),
          FREE ? 0 : CACHED ? price[j] : fresh(price + j));
#else
    const value_t* const rest = row_of(m, i);
    const Packed* row = (const Packed*)rest;
    const int packs = end / PACK;
    for (int k = begin / PACK + threadIdx.x; k < packs; k += 4 * THREADS) {
        Packed x[4];
#pragma unroll
        for (int u = 0; u < 4; u++)
            if (k + u * THREADS < packs) x[u] = stream(row + k + u * THREADS);
#pragma unroll
        for (int u = 0; u < 4; u++) {
            if (k + u * THREADS >= packs) break;
            price_t p[PACK];
            if constexpr (!FREE) load_prices<CACHED>(price + (k + u * THREADS) * PACK, p);
#pragma unroll
            for (int e = 0; e < PACK; e++)
                f((k + u * THREADS) * PACK + e, benefit(x[u].v[e]), FREE ? 0 : p[e]);
        }
    }
    for (int j = packs * PACK + threadIdx.x; j < end; j += THREADS)
        f(j, benefit(rest[j]), FREE ? 0 : CACHED ? price[j] : fresh(price + j));
#endif
}

template <bool CACHED, class F>
DEVICE void for_row(const Market* m, int i, F f)
{
    for_columns<CACHED, false>(m, i, 0, (int)m->columns, f);
}
