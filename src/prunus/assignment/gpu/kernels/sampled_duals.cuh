// Prices from a sample: sampled rows and columns form a smaller instance, and the duals u of its rows
// price all columns: p(j) is the largest a(i, j) - u(i) over the sampled rows.
#pragma once
#include "assignment/gpu/kernels/instance.cuh"

// ``row_order`` holds the sample; matrix values go to ``list_values``, distances of points to
// ``row_buffer``.
KERNEL(THREADS, 1) gather_sample(Instance* m)
{
#if !POINTS
    const u64 size = m->row_count;
    for (u64 k = (u64)blockIdx.x * THREADS + threadIdx.x; k < size * size; k += (u64)gridDim.x * THREADS)
        m->list_values[k] = locate_row(m, m->row_order[k / size])[m->row_order[k % size]];
#endif
}

#define SLICES 16

// ``row_buffer`` holds u of the sampled rows; ``price`` starts at the lowest value.
KERNEL(THREADS, 1) price_columns_from_sample(Instance* m)
{
    const u32 columns = (u32)m->columns, groups = (columns + THREADS - 1) / THREADS;
    for (u32 g = blockIdx.x; g < groups * SLICES; g += gridDim.x) {
        const u32 j = g / SLICES * THREADS + threadIdx.x, slice = g % SLICES;
        if (j >= columns) continue;
        const u32 begin = slice * m->row_count / SLICES, end = (slice + 1) * m->row_count / SLICES;
        price_t v = LOWEST;
#pragma unroll 8
        for (u32 k = begin; k < end; k++) {
            const price_t x = benefit_of(m, m->row_order[k], (int)j) - m->row_buffer[k];
            v = x > v ? x : v;
        }
        raise_to(&m->price[j], v);
    }
}

// Where some columns stay free no price is below 0.
KERNEL(THREADS, 1) reset_prices(Instance* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS)
        m->price[j] = m->rows < m->columns ? 0 : LOWEST;
}

// Integral prices keep integral benefits exact.
KERNEL(THREADS, 1) round_prices(Instance* m)
{
    for (u32 j = blockIdx.x * THREADS + threadIdx.x; j < m->columns; j += gridDim.x * THREADS)
        m->price[j] = (price_t)rint((double)m->price[j]);
}
