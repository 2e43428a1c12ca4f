// An instance on the device: its values, the prices of its columns and the assignment.
//
// Constants that specialise the kernels:
//   VALUE   type of the matrix elements
//   PRICE   double or i64; sums are exact in it
//   SIGN    1 or -1, turns values into benefits
//   PACK    values per load: 16 bytes, or 1 value where rows are not aligned
//   THREADS threads of a block
//   LIST    candidates of a row, of which a thread keeps KEPT
//   POINTS  0 for a matrix, otherwise the number of coordinates
//   METRIC  as in assignment.distances.METRICS
//   PARTS   GPUs among which the rows of a matrix are divided
//   SPARE, OWNED: see auction.cuh
#pragma once
#include "hardware/cuda/portable.cuh"

typedef VALUE value_t;
typedef PRICE price_t;

#define WARPS (THREADS / WARP)
#define FULL (1024 / THREADS) // blocks per multiprocessor that saturate its memory bandwidth
#define NONE -1

#include "assignment/gpu/layout.h"

#define COUNTERS (sizeof(Counters) / sizeof(u64))
#define STATUS_WORDS (sizeof(Status) / sizeof(u32))

DEVICE double lowest_of(double) { return -1e300; }
DEVICE i64 lowest_of(i64) { return -((i64)1 << 62); }
#define LOWEST (lowest_of((price_t)0))
#define HIGHEST (-LOWEST)

struct alignas(PACK * sizeof(value_t)) Packed { value_t v[PACK]; };

// Values are read once and must not evict prices from the caches.
DEVICE Packed load_streaming(const Packed* p)
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

// The address of row i of the matrix. If several GPUs hold its rows, ``row_parts`` contains the first row
// of each GPU but the first, followed for each by the address where row 0 would be.
DEVICE const value_t* locate_row(const Instance* m, int i)
{
#if PARTS > 1
    int part = 0;
#pragma unroll
    for (int k = 0; k < PARTS - 1; k++) part += (u64)i >= m->row_parts[k];
    return (const value_t*)(m->row_parts[PARTS - 1 + part] + (u64)i * m->stride * sizeof(value_t));
#else
    return m->matrix + (u64)i * m->stride;
#endif
}

// The benefit of one pair.
DEVICE price_t benefit_of(const Instance* m, int i, int j)
{
#if POINTS
    return value_between(m->left + (u64)i * POINTS, m->right + (u64)j * POINTS);
#else
    return benefit(locate_row(m, i)[j]);
#endif
}

// What other blocks change meanwhile is loaded from the device's shared cache level, never from a stale
// copy.
template <class T>
DEVICE T load_shared_level(const T* p)
{
#if defined(__CUDA_ARCH__)
    return __ldcg(p);
#else
    return load_volatile(p);
#endif
}

DEVICE price_t price_now(const Instance* m, int j) { return load_shared_level(m->price + j); }

// Raise a price, or a claim, to at least v.
DEVICE void raise_to(price_t* p, price_t v)
{
    u64 seen = load_volatile((u64*)p);
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

// Prices of PACK columns. CACHED: a stale copy is good enough; otherwise as they are now.
template <bool CACHED>
DEVICE void load_prices(const price_t* from, price_t (&p)[PACK])
{
    if constexpr (PACK == 1) {
        p[0] = CACHED ? *from : load_shared_level(from);
    } else {
#pragma unroll
        for (int e = 0; e < PACK; e += 2) {
            PricePair pair;
#if defined(__CUDA_ARCH__)
            *(uint4*)&pair = CACHED ? *(const uint4*)(from + e) : __ldcg((const uint4*)(from + e));
#else
            pair.p[0] = load_shared_level(from + e), pair.p[1] = load_shared_level(from + e + 1);
#endif
            p[e] = pair.p[0], p[e + 1] = pair.p[1];
        }
    }
}

// Call f(j, benefit, price) for the columns of a row, from one multiple of PACK up to another or to the
// end, divided among all threads of the block. FREE: all prices are 0.
template <bool CACHED, bool FREE, class F>
DEVICE void for_columns(const Instance* m, int i, int begin, int end, F f)
{
    const price_t* const price = m->price;
#if POINTS
    double x[POINTS];
    for (int d = 0; d < POINTS; d++) x[d] = m->left[(u64)i * POINTS + d];
#pragma unroll 4
    for (int j = begin + threadIdx.x; j < end; j += THREADS)
        f(j, value_between(x, m->right + (u64)j * POINTS),
          FREE ? 0 : CACHED ? price[j] : load_shared_level(price + j));
#else
    const value_t* const rest = locate_row(m, i);
    const Packed* row = (const Packed*)rest;
    const int packs = end / PACK;
    for (int k = begin / PACK + threadIdx.x; k < packs; k += 4 * THREADS) {
        Packed x[4];
#pragma unroll
        for (int u = 0; u < 4; u++)
            if (k + u * THREADS < packs) x[u] = load_streaming(row + k + u * THREADS);
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
        f(j, benefit(rest[j]), FREE ? 0 : CACHED ? price[j] : load_shared_level(price + j));
#endif
}

template <bool CACHED, class F>
DEVICE void for_row(const Instance* m, int i, F f)
{
    for_columns<CACHED, false>(m, i, 0, (int)m->columns, f);
}
