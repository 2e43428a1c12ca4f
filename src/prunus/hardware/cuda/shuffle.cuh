// Values of eight bytes from lane to lane, in two halves, and their sums.
#pragma once
#include "hardware/cuda/portable.cuh"

// The value of another lane.
template <class T> DEVICE T shuffle_from(T v, int source)
{
    static_assert(sizeof(T) == 8, "two words");
    union { T whole; int half[2]; } x;
    x.whole = v;
    x.half[0] = warp_shuffle(x.half[0], source);
    x.half[1] = warp_shuffle(x.half[1], source);
    return x.whole;
}

// That of the lane whose number differs in the bits of a mask.
template <class T> DEVICE T shuffle_xor(T v, int mask) { return shuffle_from(v, lane() ^ mask); }

// The sum over all lanes of the warp.
template <class T> DEVICE T warp_sum(T v)
{
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) v += shuffle_xor(v, d);
    return v;
}
