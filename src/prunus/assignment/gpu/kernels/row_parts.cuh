// A row in parts, each for a look of one warp.
//
// A part is CHUNK times WARP * PACK columns, spread evenly over the row, whose loads are all under way
// at once. Where something good enough is found in a part the others need not be looked at.
#pragma once
#include "assignment/gpu/kernels/block_reductions.cuh"

#define CHUNK 4

// How many parts a row has.
DEVICE int parts_of(const Instance* m)
{
    const int part = CHUNK * WARP * PACK;
    return ((int)m->columns + part - 1) / part;
}

// Which part a row begins with: another one for every row and turn.
DEVICE int first_part(int i, u32 turn, int parts)
{
    return (int)(((u32)i * 0x9E3779B1u + turn) % (u32)parts);
}

// Call f(j, benefit, price, there) for the columns of a part, in all lanes at once, and g() when every
// lane has had PACK of them; ``there`` is false where there is no column.
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
    // What is beyond the end is read from the beginning, so that nothing waits for a test. Where PACK
    // is not 1, rows are a multiple of PACK apart.
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
