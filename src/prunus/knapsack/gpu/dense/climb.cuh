// Walks up stretches of chains, one a thread or one for the threads of all stages, and applies the items of
// a pass to the values that stream past.
//
// A thread keeps for each item the value that the place before had before that item: so each place needs
// one operation an item, and nothing is computed twice but below the stretch. The next places are loaded
// while these are worked on.
#pragma once
#include "knapsack/gpu/dense/stages.cuh"
#include "knapsack/gpu/dense/stretch.cuh"

// The threads of all stages of a block have as many turns.
DEVICE void walk(
    const Pass& pass, const Stretch& stretch, int length, bool there, const work_t* profits, work_t* memory)
{
    const int count = (int)pass.count, blocks = (count + length) / PLACES;
    const Share share(count);
    const Relay<work_t> relay(memory, share.stage);
    const i64 weight = pass.weight, highest = pass.high - stretch.cell;
    value_t* const target = row(pass.target) + stretch.cell;
    work_t before[SHARE], next[PLACES];
#pragma unroll
    for (int j = 0; j < SHARE; j++) before[j] = NOTHING;
    const Source source(pass, stretch, blocks * PLACES);
    if (there && share.stage == 0) source.load(next, 0);
    for (int turn = 0; turn < blocks + STAGES - 1; turn++) {
        const int b = turn - share.stage;
        if (there && b >= 0 && b < blocks && (b + 1) * PLACES > share.past) {
            work_t v[PLACES];
            if (share.stage > 0) relay.take(v, turn - 1);
            else {
#pragma unroll
                for (int i = 0; i < PLACES; i++) v[i] = next[i];
                if (b + 1 < blocks) source.load(next, (b + 1) * PLACES);
            }
            apply_some(v, before, profits + share.past, share.upto((b + 1) * PLACES), Plain());
            if (share.stage + 1 < STAGES) relay.give(v, turn);
            else {
                const int first = b * PLACES - count; // the places of the stretch itself are stored
                value_t* here = target + first * weight;
                const i64 room = highest - first * weight;
                if (first >= 0 && (PLACES - 1) * weight <= room) {
#pragma unroll
                    for (int i = 0; i < PLACES; i++) here[i * weight] = source.base + (value_t)v[i];
                } else {
#pragma unroll
                    for (int i = 0; i < PLACES; i++)
                        if (first + i >= 0 && i * weight <= room) here[i * weight] = source.base + (value_t)v[i];
                }
            }
        }
        if (STAGES > 1) block_sync();
    }
}
