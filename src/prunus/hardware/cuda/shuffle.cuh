// Values of eight bytes from lane to lane, in two halves.
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
