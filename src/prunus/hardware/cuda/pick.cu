// Some values of an array, at places that the host names, into memory of the host.
//
// Constants: VALUE, the type; THREADS a block.
#include "hardware/cuda/portable.cuh"

typedef VALUE value_t;

#include "hardware/cuda/arrays.h"

KERNEL(THREADS, 1) pick(const Pick* p)
{
    const u64 count = p->count;
    for (u64 k = (u64)blockIdx.x * THREADS + threadIdx.x; k < count; k += (u64)gridDim.x * THREADS)
        p->into[k] = p->from[p->place[k]];
}
