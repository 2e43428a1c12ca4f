// Where two tables meet: the best total of a choice of some items and a choice of the others.
//
// Constants: VALUE_BITS, WORK_BITS (the same), THREADS, RESIDENT (blocks per multiprocessor).
#include "knapsack/gpu/dense/common.cuh"

#define AHEAD 8

KERNEL(THREADS, RESIDENT) dense_best_sum(BestSum* job)
{
    const value_t *here = row(job->here), *there = row(job->there);
    const i64 cells = job->cells, wanted = job->wanted, stride = (i64)gridDim.x * THREADS;
    i64 most = -1, cell = -1;
    i64 c = (i64)blockIdx.x * THREADS + threadIdx.x;
    // Several loads at a time, to overlap the latency of another device's memory.
    for (; c + (AHEAD - 1) * stride < cells; c += AHEAD * stride) {
        i64 sum[AHEAD];
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            sum[i] = (i64)here[c + i * stride] + (i64)there[cells - 1 - c - i * stride];
#pragma unroll
        for (int i = 0; i < AHEAD; i++) {
            most = greater(most, sum[i]);
            if (sum[i] == wanted) cell = c + i * stride;
        }
    }
    for (; c < cells; c += stride) {
        const i64 sum = (i64)here[c] + (i64)there[cells - 1 - c];
        most = greater(most, sum);
        if (sum == wanted) cell = c;
    }
    if (wanted < 0) {
        if (most > *(volatile i64*)&job->best) atomic_max(&job->best, most);
    } else if (cell >= 0) {
        atomic_max(&job->place, cell);
    }
}
