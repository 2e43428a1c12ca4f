// The sum of what this thread of a block has and those before it; in memory there is room for a number a warp.
#pragma once

DEVICE u64 block_scan(u64 v, u64* memory)
{
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) {
        const i64 before = warp_shuffle_up((i64)v, d);
        if (lane() >= d) v += (u64)before;
    }
    const int warp = threadIdx.x / WARP;
    if (lane() == WARP - 1) memory[warp] = v;
    block_sync();
    for (int w = 0; w < warp; w++) v += memory[w];
    block_sync();
    return v;
}
