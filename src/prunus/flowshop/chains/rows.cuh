// Rows of tables in shared memory, four machines at a time: a number is in both halves of a word, a job's each.
#pragma once
#include "flowshop/chains/memory.cuh"

// Two of the halves or bytes of a word, or zeros, as two halves.
DEVICE u32 bytes(u32 word, u32 which)
{
#if defined(PRUNUS_EMULATED)
    u32 found = 0;
    for (int k = 0; k < 4; k++) found |= (u32)((u64)word >> (which >> 4 * k & 7) * 8 & 0xff) << 8 * k;
    return found;
#else
    return __byte_perm(word, 0, which);
#endif
}

// Four numbers, each in both halves of a word.
DEVICE void load_four(u32* to, const u32* from)
{
    const uint4 v = *(const uint4*)from;
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
}
DEVICE void load_four(u32* to, const u16* from)
{
    const u64 v = *(const u64*)from;
    to[0] = bytes((u32)v, 0x1010);
    to[1] = bytes((u32)v, 0x3232);
    to[2] = bytes((u32)(v >> 32), 0x1010);
    to[3] = bytes((u32)(v >> 32), 0x3232);
}
DEVICE void load_four(u32* to, const u8* from)
{
    const u32 v = *(const u32*)from;
    to[0] = bytes(v, 0x4040);
    to[1] = bytes(v, 0x4141);
    to[2] = bytes(v, 0x4242);
    to[3] = bytes(v, 0x4343);
}
DEVICE void store_four(u32* to, const u32* from)
{
    uint4 v;
    v.x = from[0];
    v.y = from[1];
    v.z = from[2];
    v.w = from[3];
    *(uint4*)to = v;
}
DEVICE void store_four(u16* to, const u32* from)
{
    const u32 low = (from[0] & 0xffffu) | from[1] << 16, high = (from[2] & 0xffffu) | from[3] << 16;
    *(u64*)to = (u64)high << 32 | low;
}

// What the lane before this one has; the first has none before it.
DEVICE u32 from_before(u32 v, int groups)
{
    const u32 given = (u32)warp_shuffle_up((int)v, groups);
    return lane() < groups ? 0 : given;
}
