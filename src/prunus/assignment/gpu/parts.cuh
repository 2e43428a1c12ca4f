// A row in parts, each for a look of one warp.
//
// A part is GRANULES times WARP * PACK columns, spread evenly over the row, whose loads are all under
// way at once. Where something good enough is found in a part the others need not be looked at.
#pragma once
#include "assignment/gpu/block.cuh"

#define GRANULES 8

// How many parts a row has.
DEVICE int parts_of(const Market* m)
{
    const int part = GRANULES * WARP * PACK;
    return ((int)m->columns + part - 1) / part;
}

// A few columns that lie one after the other, as one lane sees them.
struct Piece {
    int first, count;
    price_t benefit[PACK], price[PACK];
};

// Call f(piece) for the pieces of a part. A piece may be empty.
template <class F>
DEVICE void for_part(const Market* m, int i, int part, int parts, F f)
{
    const int columns = (int)m->columns;
#if POINTS
    double x[POINTS];
    for (int d = 0; d < POINTS; d++) x[d] = m->left[(u64)i * POINTS + d];
#else
    const value_t* const row = row_of(m, i);
    Packed v[GRANULES];
#pragma unroll
    for (int u = 0; u < GRANULES; u++) {
        const int j = ((part + u * parts) * WARP + lane()) * PACK;
        if (j + PACK <= columns) v[u] = stream((const Packed*)(row + j));
        else
            for (int e = 0; e < PACK; e++)
                if (j + e < columns) v[u].v[e] = row[j + e];
    }
#endif
#pragma unroll
    for (int u = 0; u < GRANULES; u++) {
        Piece piece;
        const int j = piece.first = ((part + u * parts) * WARP + lane()) * PACK;
        piece.count = j >= columns ? 0 : columns - j < PACK ? columns - j : PACK;
        if (piece.count == PACK) load_prices<true>(m->price + j, piece.price);
        else
            for (int e = 0; e < piece.count; e++) piece.price[e] = m->price[j + e];
#pragma unroll
        for (int e = 0; e < PACK; e++) {
#if POINTS
            if (e < piece.count)
                piece.benefit[e] = value_between(x, m->right + (u64)(j + e) * POINTS);
#else
            piece.benefit[e] = benefit(v[u].v[e]);
#endif
        }
        f(piece);
    }
}
