// Rows in parts, each scanned by one warp.
//
// A part has CHUNK times WARP * PACK columns, spread evenly over the row, and its loads are all issued
// together. When a part yields something good enough the other parts are not scanned.
#pragma once
#include "assignment/gpu/kernels/block_reductions.cuh"

#define CHUNK 4

// The number of parts of a row.
DEVICE int parts_of(const Instance* m)
{
    const int part = CHUNK * WARP * PACK;
    return ((int)m->columns + part - 1) / part;
}

// The part that a row starts with, different for every row and turn.
DEVICE int first_part(int i, u32 turn, int parts)
{
    return (int)(((u32)i * 0x9E3779B1u + turn) % (u32)parts);
}

// Call f(j, benefit, price, there) for the columns of a part, in all lanes at once, and g() after each
// PACK columns per lane; ``there`` is false beyond the last column.
template <class F, class G>
DEVICE void for_part(const Instance* m, int i, int part, int parts, F f, G g)
{
    const int columns = (int)m->columns;
    int first[CHUNK];
#pragma unroll
    for (int u = 0; u < CHUNK; u++) first[u] = ((part + u * parts) * WARP + lane()) * PACK;
#if POINTS
    double x[POINTS];
    for (int d = 0; d < POINTS; d++) x[d] = m->left[(u64)i * POINTS + d];
#pragma unroll
    for (int u = 0; u < CHUNK; u++) {
#pragma unroll
        for (int e = 0; e < PACK; e++) {
            const int j = first[u] + e, k = j < columns ? j : 0;
            f(j, value_between(x, m->right + (u64)k * POINTS), m->price[k], j < columns);
        }
        g();
    }
#else
    // Positions beyond the end read from the beginning instead, so that no load waits for a test. Where
    // PACK is not 1, the row stride is a multiple of PACK.
    const value_t* const row = locate_row(m, i);
    Packed v[CHUNK];
#pragma unroll
    for (int u = 0; u < CHUNK; u++)
        v[u] = load_streaming((const Packed*)(row + (first[u] + PACK <= columns ? first[u] : 0)));
#pragma unroll
    for (int u = 0; u < CHUNK; u++) {
        const bool whole = first[u] + PACK <= columns;
        price_t p[PACK];
        load_prices<true>(m->price + (whole ? first[u] : 0), p);
#pragma unroll
        for (int e = 0; e < PACK; e++) {
            const int j = first[u] + e;
            price_t b = benefit(v[u].v[e]);
            bool there = whole;
            if (columns % PACK && !whole && j < columns) b = benefit(row[j]), p[e] = m->price[j], there = true;
            f(j, b, p[e], there);
        }
        g();
    }
#endif
}
