// What CUDA, HIP and the lane-by-lane emulation of the tests have in common.
//
// Kernels use nothing but this header for everything that depends on the machine: the width of a
// warp, exchanges between its lanes, packed 16-bit arithmetic, memory order and clocks.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

#if defined(__HIP__) && !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>
#endif

#if defined(PRUNUS_EMULATED)
#include "emulated.hpp"
#else

#define DEVICE __device__ __forceinline__
#define APART __device__ __noinline__ // rare, and not to take registers from what is frequent
#if defined(__HIP__)
#ifndef WARP
#if defined(__AMDGCN_WAVEFRONT_SIZE__)
#define WARP __AMDGCN_WAVEFRONT_SIZE__
#elif defined(__GFX8__) || defined(__GFX9__)
#define WARP 64
#else
#define WARP 32
#endif
#endif
// HIP's second bound is not blocks but warps of each of the four vector units.
#define BY_VALUE(type) const type
#define KERNEL(threads, blocks)                                                                        \
    extern "C" __global__ void                                                                         \
    __launch_bounds__(threads, ((blocks) * (threads) + 4 * WARP - 1) / (4 * WARP))
#if WARP == 64
typedef u64 lanes_t;
#else
typedef u32 lanes_t;
#endif
DEVICE lanes_t warp_ballot(bool p) { return (lanes_t)__ballot(p); }
DEVICE int warp_shuffle(int v, int source) { return __shfl(v, source, WARP); }
DEVICE int warp_shuffle_up(int v, int delta) { return __shfl_up(v, delta, WARP); }
DEVICE void warp_sync()
{
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
}
#if defined(__GFX11__) || defined(__GFX12__)
DEVICE u64 ticks() { return __builtin_amdgcn_s_sendmsg_rtnl(0x83) * 10; } // a 100 MHz clock
#else
DEVICE u64 ticks() { return __builtin_amdgcn_s_memrealtime() * 10; }
#endif
DEVICE void sleep_briefly() { __builtin_amdgcn_s_sleep(8); }
#else
#define WARP 32
#define BY_VALUE(type) const __grid_constant__ type
#define KERNEL(threads, blocks) extern "C" __global__ void __launch_bounds__(threads, blocks)
typedef u32 lanes_t;
#define ALL_LANES 0xffffffffu
DEVICE lanes_t warp_ballot(bool p) { return __ballot_sync(ALL_LANES, p); }
DEVICE int warp_shuffle(int v, int source) { return __shfl_sync(ALL_LANES, v, source); }
DEVICE int warp_shuffle_up(int v, int delta) { return __shfl_up_sync(ALL_LANES, v, delta); }
DEVICE void warp_sync() { __syncwarp(); }
DEVICE u64 ticks()
{
    u64 t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}
DEVICE void sleep_briefly()
{
#if __CUDA_ARCH__ >= 700
    __nanosleep(200);
#endif
}
#endif

// The argument of a kernel that is a structure: the launch brings it, BY_VALUE.
template <class T> DEVICE const T& argument(const T& given) { return given; }

DEVICE void fence() { __threadfence(); }
DEVICE void relax() {} // in a loop that waits for another block
#if defined(__HIP__)
DEVICE void release_add(u32* p, u32 v) { __threadfence(); atomicAdd(p, v); }
DEVICE u32 glance(const u32* p) { return *(const volatile u32*)p; }
DEVICE void acquire() { __threadfence(); }
#else
// Adds to a number after everything that the block has written; the number as it is now; nothing
// that is read after acquire() is older than what was written before the additions seen.
DEVICE void release_add(u32* p, u32 v)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
}
DEVICE u32 glance(const u32* p)
{
    u32 v;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
DEVICE void acquire() { asm volatile("fence.acq_rel.gpu;" : : : "memory"); }
#endif
DEVICE void block_sync() { __syncthreads(); }
#define DYNAMIC_SHARED(name) extern __shared__ uint4 name[]
#endif

DEVICE i64 warp_shuffle_up(i64 v, int delta)
{
    const int low = warp_shuffle_up((int)v, delta), high = warp_shuffle_up((int)(v >> 32), delta);
    return (i64)((u64)(u32)high << 32 | (u32)low);
}

DEVICE int lane() { return threadIdx.x & (WARP - 1); }
DEVICE int warp_id() { return (blockIdx.x * blockDim.x + threadIdx.x) / WARP; }
DEVICE int count_lanes(lanes_t set) { return WARP > 32 ? __popcll(set) : __popc((u32)set); }
DEVICE int lowest_lane(lanes_t set) { return (WARP > 32 ? __ffsll((i64)set) : __ffs((int)set)) - 1; }
DEVICE lanes_t lanes_before(int l) { return ((lanes_t)1 << l) - 1; }
DEVICE bool warp_any(bool p) { return warp_ballot(p) != 0; }

// The bitwise or of a word over all lanes of the warp.
DEVICE u32 warp_or(u32 v)
{
#if !defined(__HIP__) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_or_sync(ALL_LANES, v);
#else
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) v |= (u32)warp_shuffle((int)v, lane() ^ d);
    return v;
#endif
}

// The sum of v over this lane and those before it.
DEVICE int warp_scan(int v)
{
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) {
        int before = warp_shuffle_up(v, d);
        if (lane() >= d) v += before;
    }
    return v;
}

// Two 16-bit halves at a time, non-negative and below 2^15: max(a + b, c). One DPX instruction on
// Hopper and later.
DEVICE u32 add_max_2x16(u32 a, u32 b, u32 c)
{
#if !defined(__HIP__) && defined(__CUDA_ARCH__) && !defined(PRUNUS_EMULATED)
    return __viaddmax_s16x2(a, b, c);
#else
    u32 s = a + b, low = s & 0xffffu, high = s >> 16;
    u32 l = c & 0xffffu, h = c >> 16;
    return (low > l ? low : l) | ((high > h ? high : h) << 16);
#endif
}

// max(a + b, c). One DPX instruction on Hopper and later.
DEVICE int add_max(int a, int b, int c)
{
#if !defined(__HIP__) && defined(__CUDA_ARCH__) && !defined(PRUNUS_EMULATED)
    return __viaddmax_s32(a, b, c);
#else
    const int s = (int)((u32)a + (u32)b);
    return s > c ? s : c;
#endif
}
DEVICE i64 add_max(i64 a, i64 b, i64 c)
{
    const i64 s = (i64)((u64)a + (u64)b);
    return s > c ? s : c;
}

// Shifts by the low five bits of a word; one instruction on NVIDIA GPUs.
#if !defined(__HIP__) && defined(__CUDA_ARCH__) && !defined(PRUNUS_EMULATED)
DEVICE u32 shift_left(u32 v, u32 s) { return __funnelshift_l(0, v, s); }
DEVICE u32 shift_right(u32 v, u32 s) { return __funnelshift_r(v, 0, s); }
#else
DEVICE u32 shift_left(u32 v, u32 s) { return v << (s & 31); }
DEVICE u32 shift_right(u32 v, u32 s) { return v >> (s & 31); }
#endif

// Predicated sums. Left to itself the compiler makes selections of them, or branches; those would go
// to the same pipe as the packed maxima, which is what limits the kernels.

// sum + value if test is not negative.
DEVICE u32 add_unless_negative(u32 sum, int test, u32 value)
{
#if defined(__CUDA_ARCH__)
    asm("{ .reg .pred p; setp.ge.s32 p, %1, 0; @p add.u32 %0, %0, %2; }"
        : "+r"(sum) : "r"(test), "r"(value));
    return sum;
#else
    return test >= 0 ? sum + value : sum;
#endif
}

// sum + low half of v - high half of v if test is not zero.
DEVICE int add_difference_if(int sum, u32 v, u32 test)
{
#if defined(__CUDA_ARCH__)
    asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p dp2a.lo.s32.s32 %0, %2, 0xff01, %0; }"
        : "+r"(sum) : "r"(test), "r"(v));
    return sum;
#else
    return test ? sum + (int)(v & 0xffffu) - (int)(v >> 16) : sum;
#endif
}

DEVICE u32 low_to_high(u32 v)
{
#if defined(__CUDA_ARCH__)
    asm("mul.lo.u32 %0, %0, 65536;" : "+r"(v));
    return v;
#else
    return v << 16;
#endif
}

// Makes a number at least v; older versions of HIP have no atomic maximum of signed 64 bits.
DEVICE void atomic_max(i64* p, i64 v)
{
#if defined(__HIP__)
    __hip_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
#else
    atomicMax(p, v);
#endif
}

DEVICE u32 swap_halves(u32 v) { return (v >> 16) | (v << 16); }

// Memory that other warps change while we look: read and written at the device's shared level.
template <class T>
DEVICE T load_volatile(const T* p)
{
    return *(const volatile T*)p;
}
DEVICE uint4 load16_volatile(const uint4* p)
{
    uint4 v;
#if defined(__CUDA_ARCH__)
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p) : "memory");
#else
    v.x = load_volatile(&p->x);
    v.y = load_volatile(&p->y);
    v.z = load_volatile(&p->z);
    v.w = load_volatile(&p->w);
#endif
    return v;
}
template <class T>
DEVICE void store_volatile(T* p, T v)
{
    *(volatile T*)p = v;
}

// Two unsigned 16-bit halves at a time: max(a + b, c), where no sum reaches 2^16. One DPX instruction
// on Hopper and later.
DEVICE u32 add_max_u16x2(u32 a, u32 b, u32 c)
{
#if !defined(__HIP__) && defined(__CUDA_ARCH__) && !defined(PRUNUS_EMULATED)
    return __viaddmax_u16x2(a, b, c);
#else
    const u32 s = a + b, low = s & 0xffffu, high = s >> 16;
    const u32 l = c & 0xffffu, h = c >> 16;
    return (low > l ? low : l) | (high > h ? high : h) << 16;
#endif
}

// The lesser of two unsigned 16-bit halves at a time.
DEVICE u32 min_u16x2(u32 a, u32 b)
{
#if !defined(__HIP__) && defined(__CUDA_ARCH__) && !defined(PRUNUS_EMULATED)
    return __vminu2(a, b);
#else
    const u32 l = a & 0xffffu, h = a >> 16, m = b & 0xffffu, n = b >> 16;
    return (l < m ? l : m) | (h < n ? h : n) << 16;
#endif
}

// The same bits, read as another type.
DEVICE float float_of_bits(u32 v)
{
#if defined(__CUDA_ARCH__) || defined(__HIP__)
    return __uint_as_float(v);
#else
    float f;
    __builtin_memcpy(&f, &v, sizeof f);
    return f;
#endif
}
DEVICE u32 bits_of_float(float v)
{
#if defined(__CUDA_ARCH__) || defined(__HIP__)
    return __float_as_uint(v);
#else
    u32 u;
    __builtin_memcpy(&u, &v, sizeof u);
    return u;
#endif
}

// A quotient of floats, nearly rounded; the divisor is neither zero nor huge.
DEVICE float divided(float a, float b)
{
#if !defined(__HIP__) && defined(__CUDA_ARCH__) && !defined(PRUNUS_EMULATED)
    return __fdividef(a, b);
#else
    return a / b;
#endif
}
