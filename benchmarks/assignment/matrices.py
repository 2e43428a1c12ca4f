"""Float32 matrices of four classes, made on a GPU, whole or some of their rows; to be maximised."""

from __future__ import annotations

from typing import Any

import numpy as np

FILL = r"""
typedef unsigned long long u64;
__device__ u64 mix(u64 x)
{
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}
__device__ double uniform(u64 seed, u64 k)
{
    return (double)(mix(seed * 0x100000001B3ull + k) >> 11) * (1.0 / 9007199254740992.0);
}
extern "C" __global__ void fill(float* a, int n, int kind, u64 seed, u64 first, u64 size)
{
    for (size_t e = blockIdx.x * (size_t)blockDim.x + threadIdx.x; e < size;
         e += (size_t)gridDim.x * blockDim.x) {
        const size_t all = e + first * n;
        const int i = all / n, j = all % n;
        double v;
        if (kind <= 1) {
            const double px = 1000 * uniform(seed, 4ull * i);
            const double py = 1000 * uniform(seed, 4ull * i + 1);
            const double qx = 1000 * uniform(seed, 4ull * j + 2 * kind);
            const double qy = 1000 * uniform(seed, 4ull * j + 1 + 2 * kind);
            const double dx = px - qx, dy = py - qy;
            v = rint(1000 * sqrt(__dadd_rn(__dmul_rn(dx, dx), __dmul_rn(dy, dy))));
            if (kind == 1) v = 1414214 - v;
        } else {
            const u64 h = mix(seed * 1000003ull + (u64)all);
            v = kind == 2 ? 1e6 - (double)(h % 1000000ull) : (double)n - (double)(h % (u64)n);
        }
        a[e] = (float)v;
    }
}
"""

KINDS = {"geom": 0, "twosets": 1, "unif": 2, "unifn": 3}
LABELS = {
    "geom": "GEOM, maximise",
    "twosets": "two point sets, minimise",
    "unif": "uniform, R = 10^6",
    "unifn": "U{0..n-1}",
}


def instance(kind: str, n: int, seed: int, first: int = 0, end: int | None = None) -> Any:
    """Make a matrix, or some of its rows, on the device."""
    import cupy

    matrix = cupy.empty(((n if end is None else end) - first, n), cupy.float32)
    fill = cupy.RawKernel(FILL, "fill")
    words = map(np.uint64, (seed, first, matrix.size))
    fill((2048,), (256,), (matrix, np.int32(n), np.int32(KINDS[kind]), *words))
    cupy.cuda.runtime.deviceSynchronize()
    return matrix
