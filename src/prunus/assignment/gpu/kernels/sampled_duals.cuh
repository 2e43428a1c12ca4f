// Prices from a sample: the rows and columns of a sample are an instance of their own, and what its
// rows are left with, u, prices all columns: p(j) is the largest a(i, j) - u(i) over the sample's rows.
#pragma once
#include "assignment/gpu/kernels/instance.cuh"

// ``order`` holds the sample; the values go to ``listed`` and for points to ``claim``.
KERNEL(THREADS, 1) gather(Market* m)
{
#if !POINTS
    const u64 size = m->count;
    for (u64 k = (u64)blockIdx.x * THREADS + threadIdx.x; k < size * size; k += (u64)gridDim.x * THREADS)
        m->listed[k] = row_of(m, m->order[k / size])[m->order[k % size]];
#endif
}

#define SLICES 16

// ``claim`` holds u of the sample's rows, ``price`` begins at the lowest.
KERNEL(THREADS, 1) extend(Market* m)
{
    const u32 columns = (u32)m->columns, groups = (columns + THREADS - 1) / THREADS;
    for (u32 g = blockIdx.x; g < groups * SLICES; g += gridDim.x) {
        const u32 j = g / SLICES * THREADS + threadIdx.x, slice = g % SLICES;
        if (j >= columns) continue;
        const u32 begin = slice * m->count / SLICES, end = (slice + 1) * m->count / SLICES;
        price_t v = LOWEST;
#pragma unroll 8
        for (u32 k = begin; k < end; k++) {
            const price_t x = at(m, m->order[k], (int)j) - m->claim[k];
            v = x > v ? x : v;
        }
        raise_to(&m->price[j], v);
    }
}

KERNEL(THREADS, 1) forget_prices(Market* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS)
        m->price[j] = LOWEST;
}

// Whole prices keep whole numbers exact.
KERNEL(THREADS, 1) round_prices(Market* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS)
        m->price[j] = (price_t)rint((double)m->price[j]);
}
