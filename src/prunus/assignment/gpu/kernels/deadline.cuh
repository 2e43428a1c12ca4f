// Time limits of kernels: of a whole solve, and of slices of it. Rows that must be evaluated are marked
// in ``marked``.
#pragma once
#include "assignment/gpu/kernels/block_reductions.cuh"

DEVICE bool out_of_time(const Instance* m)
{
    if (load_volatile(&m->status->stop)) return true;
    // Read the clock twice, since its two halves may have been read at different moments.
    if (ticks() < m->slice_deadline || ticks() < m->slice_deadline) return false;
    store_volatile(&m->status->stop, 1u);
    return true;
}

KERNEL(THREADS, 1) start_deadline(Instance* m)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) m->solve_deadline = ticks() + m->budget_ns;
}

// Begin a slice of the solve's time; one thread does.
DEVICE void start_slice(Instance* m)
{
    for (int k = 0; k < (int)STATUS_WORDS - 1; k++) ((u32*)m->status)[k] = 0;
    const u64 end = ticks() + m->slice_ns;
    m->slice_deadline = end < m->solve_deadline ? end : m->solve_deadline;
}

KERNEL(THREADS, 1) begin_slice(Instance* m)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) start_slice(m);
}

KERNEL(THREADS, 1) mark_all_rows(Instance* m)
{
    for (u32 k = blockIdx.x * THREADS + threadIdx.x; k < m->row_count; k += gridDim.x * THREADS)
        m->marked[m->row_order[k]] = 1;
}
