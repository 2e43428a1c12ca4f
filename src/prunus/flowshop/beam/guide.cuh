// What the children of a node are worth: the lower bound, made larger by idle time (see guides.py).
#pragma once
#include "flowshop/beam/node.cuh"

#define INFINITE 3.0e38f

// Whole numbers below 2^23 as floats, without the slow conversion; the second one more, never zero.
DEVICE float small_float(u32 v) { return float_of_bits(v | 0x4b000000u) - 8388608.0f; }
DEVICE float positive_float(u32 v) { return float_of_bits(v | 0x4b000000u) - 8388607.0f; }

// The side with fewer children; if there are as many, the one with the larger bounds. 0 is the head.
DEVICE u32 direction_of(Survivors of) { return of.count < 0 || (of.count == 0 && of.difference >= 0) ? 0 : 1; }

// Calls child(job, key) for every job of some groups, with an infinite key for what is no child.
template <class Child>
DEVICE void rate_children(
    const Level& at, const u32* rows, u64 index, bool active, int first_group, int end_group, Child child)
{
    if (!active) index = 0;
    const u32 direction = direction_of(at.survivors[index]), shift = direction * 16;
    const u32* words = at.nodes + index;
    const u8* survivors = (direction ? at.behind : at.ahead) + index;
    // Of one direction: when a machine is free | its work; work left on it plus what follows.
    u32 free_work[MACHINES], load[MACHINES];
#pragma unroll
    for (int k = 0; k < MACHINES; k++)
        free_work[k] = half_of(words[k * at.capacity], shift) | half_of(words[(WORK + k) * at.capacity], shift) << 16;
#pragma unroll
    for (int k = 0; k < MACHINES; k++) {
        const int mirrored = MACHINES - 1 - k;
        load[k] = half_of(at.totals[k], shift) - (free_work[k] >> 16) -
                  half_of(words[(WORK + mirrored) * at.capacity], 16 - shift) +
                  half_of(words[mirrored * at.capacity], 16 - shift);
    }
    const float other = float_of_bits(words[(IDLE + 1 - direction) * at.capacity]);
    const float weight = (float)at.weight;
#pragma unroll 1
    for (int g = first_group; g < end_group; g++) {
        const u32 mine = active ? survivors[g * at.capacity] : 0, everyone = warp_or(mine);
        const int jobs = g < GROUPS - 1 || JOBS % GROUP == 0 ? GROUP : JOBS % GROUP;
#pragma unroll 1
        for (int j = 0; j < jobs; j++) {
            float key = INFINITE;
            if (everyone >> j & 1) {
                u32 times[ROW_WORDS], time = 0, bound = 0;
                float idle = other;
                read_row(times, rows + (g * GROUP + j) * ROW_WORDS);
                // Four fractions have one denominator: a division is slow.
#pragma unroll
                for (int base = 0; base < MACHINES; base += 4) {
                    float above = 0.0f, below = 1.0f;
#pragma unroll
                    for (int k = base; k < base + 4 && k < MACHINES; k++) {
                        const u32 free_at = free_work[k] & 0xffffu;
                        const u32 start = time > free_at ? time : free_at;
                        const u32 end = start + load[k];
                        bound = end > bound ? end : bound;
                        time = start + half_of(times[k], shift);
                        const float waited = small_float(start - (free_work[k] >> 16)), until = positive_float(time);
                        above = above * until + waited * below;
                        below *= until;
                    }
                    idle += at.emphasis[base / 4] * divided(above, below);
                }
                if (mine >> j & 1) key = (float)bound + weight * idle * (float)bound;
            }
            child(g * GROUP + j, key);
        }
    }
}
