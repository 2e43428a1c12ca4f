// Types of values that arrays on a GPU may have, and what they are as double or i64.
#pragma once
#include "hardware/cuda/portable.cuh"

struct half_t { u16 bits; };
struct bfloat_t { u16 bits; };

// Exact: every float of 16 bits is one of 32, and a normal one.
DEVICE float float_of(half_t v)
{
    const u32 rest = v.bits & 0x7fffu, sign = (u32)(v.bits & 0x8000u) << 16;
    // Infinity and what is no number have the largest exponent, subnormal numbers the least.
    const u32 size = rest >= 0x7c00u ? rest << 13 | 0x7f800000u
        : rest < 0x400u ? bits_of_float((float)(int)rest * 5.9604644775390625e-8f)
                        : (rest << 13) + (112u << 23);
    return float_of_bits(size | sign);
}
DEVICE float float_of(bfloat_t v) { return float_of_bits((u32)v.bits << 16); }

// CuPy has subnormal floats taken for zeros, unless one says otherwise.
DEVICE double widened(float v)
{
#if !defined(__HIP__) && defined(__CUDA_ARCH__) && !defined(PRUNUS_EMULATED)
    double w;
    asm("cvt.f64.f32 %0, %1;" : "=d"(w) : "f"(v));
    return w;
#else
    return v;
#endif
}

template <class T, class V> DEVICE T number_of(V v) { return (T)v; }
template <class T> DEVICE T number_of(float v) { return (T)widened(v); }
template <class T> DEVICE T number_of(half_t v) { return (T)float_of(v); }
template <class T> DEVICE T number_of(bfloat_t v) { return (T)widened(float_of(v)); }
// What i64 cannot hold becomes its largest number.
template <> DEVICE i64 number_of<i64, u64>(u64 v)
{
    const u64 most = ~(u64)0 >> 1;
    return (i64)(v < most ? v : most);
}

// A number whose order is that of the values, -0.0 before 0.0.
DEVICE u64 ordered(i64 v) { return (u64)v ^ (u64)1 << 63; }
DEVICE u64 ordered(double v)
{
    union { double value; u64 bits; } x;
    x.value = v;
    return x.bits >> 63 ? ~x.bits : x.bits | (u64)1 << 63;
}

// The least of all lanes of the warp.
DEVICE u32 warp_min(u32 v)
{
#if !defined(__HIP__) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(PRUNUS_EMULATED)
    return __reduce_min_sync(ALL_LANES, v);
#else
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) {
        const u32 w = (u32)warp_shuffle((int)v, lane() ^ d);
        if (w < v) v = w;
    }
    return v;
#endif
}
DEVICE u64 warp_min(u64 v)
{
    const u32 high = warp_min((u32)(v >> 32));
    return (u64)high << 32 | warp_min(high == (u32)(v >> 32) ? (u32)v : ~0u);
}
