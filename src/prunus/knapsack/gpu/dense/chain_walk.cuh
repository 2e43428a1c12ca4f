// Threads that share a segment of a chain: each applies some of the items of a pass, one after the other.
//
// The cells below a segment are processed once per segment, which favours long segments, while a GPU
// needs many threads. So several threads share a segment: each has some of the items, a stage of a
// pipeline. While a stage applies its items to some places, the stage before it is at the places above
// these, and passes its values on through shared memory. The first stage also loads and the last also
// stores, so these two may get fewer items.
//
// Constants: ITEMS (of a pass, at most), PLACES (at a time), THREADS, STAGES, GROUP (items whose profits
// are loaded together), EDGE (how many items fewer the first and the last stage have).
#pragma once
#include "knapsack/gpu/dense/chain_segment.cuh"

#define COLUMNS (THREADS / STAGES)
#define EACH(items) (((items) + 2 * EDGE + STAGES * GROUP - 1) / (STAGES * GROUP) * GROUP)
#define SHARE EACH(ITEMS)

// Apply one item to successive places, from the top down so that each reads the value before the item.
template <class T>
DEVICE void apply(T* v, T& before, T profit)
{
    const T last = v[PLACES - 1];
#pragma unroll
    for (int i = PLACES - 1; i > 0; i--) v[i] = add_max(v[i - 1], profit, v[i]);
    v[0] = add_max(before, profit, v[0]);
    before = last;
}

// The items of a stage, applied by one thread.
struct StageItems {
    int stage, past, count; // number of items in earlier stages, and in this one

    DEVICE StageItems(int items) : stage(STAGES > 1 ? (int)threadIdx.x / COLUMNS : 0)
    {
        const int each = EACH(items), first = stage * each - EDGE, end = first + each;
        past = first < 0 || stage == 0 ? 0 : first < items ? first : items;
        count = (end < 0 ? 0 : end < items ? end : items) - past;
    }
    // How many of the stage's items matter at a place: at most as many items as there are places below
    // it. Negative if not even all items of earlier stages matter.
    DEVICE int upto(int place) const { return place - past < count ? place - past : count; }
};

// What a stage passes to the next: the places it has finished, for all segments of a block.
template <class T>
struct Relay {
    T* from; // two rows of places, alternating
    T* to;

    DEVICE Relay(void* memory, int stage)
        : from((T*)memory + (stage - 1) * (2 * PLACES * COLUMNS) + threadIdx.x % COLUMNS),
          to(from + 2 * PLACES * COLUMNS)
    {
    }
    DEVICE void take(T* v, int turn) const
    {
#pragma unroll
        for (int i = 0; i < PLACES; i++) v[i] = from[(turn % 2 * PLACES + i) * COLUMNS];
    }
    DEVICE void give(const T* v, int turn) const
    {
#pragma unroll
        for (int i = 0; i < PLACES; i++) to[(turn % 2 * PLACES + i) * COLUMNS] = v[i];
    }
};

// The profit of an item relative to the values in registers: unchanged.
struct Plain {
    DEVICE work_t operator()(work_t profit) const { return profit; }
};

// Apply the first of a stage's items to some places.
template <class T, class Meaning>
DEVICE void apply_some(T* v, T* before, const work_t* profits, int most, Meaning meaning)
{
    work_t profit[GROUP]; // of the current items; those of the next ones are being loaded
#pragma unroll
    for (int j = 0; j < GROUP; j++) profit[j] = profits[j];
#pragma unroll
    for (int g = 0; g < SHARE; g += GROUP)
        if (g < most) {
            work_t after[GROUP];
#pragma unroll
            for (int j = 0; j < GROUP; j++) after[j] = g + GROUP < SHARE ? profits[g + GROUP + j] : 0;
#pragma unroll
            for (int j = 0; j < GROUP; j++) apply(v, before[g + j], meaning(profit[j]));
#pragma unroll
            for (int j = 0; j < GROUP; j++) profit[j] = after[j];
        }
}

// Walk up segments of chains, one per thread or one for the threads of all stages, and apply the items of
// a pass to the stream of values.
//
// For each item a thread keeps the value of the place before as it was before that item. So each place
// needs one operation per item, and nothing but the cells below the segment is computed twice. The next
// places are loaded while the current ones are processed. The threads of all stages of a block take
// equally many turns.
DEVICE void walk(
    const Pass& pass, const Segment& segment, int length, bool there, const work_t* profits, work_t* memory)
{
    const int count = (int)pass.count, blocks = (count + length) / PLACES;
    const StageItems stage_items(count);
    const Relay<work_t> relay(memory, stage_items.stage);
    const i64 weight = pass.weight, highest = pass.high - segment.cell;
    value_t* const target = row(pass.target) + segment.cell;
    work_t before[SHARE], next[PLACES];
#pragma unroll
    for (int j = 0; j < SHARE; j++) before[j] = NOTHING;
    const Source source(pass, segment, blocks * PLACES);
    if (there && stage_items.stage == 0) source.load(next, 0);
    for (int turn = 0; turn < blocks + STAGES - 1; turn++) {
        const int b = turn - stage_items.stage;
        if (there && b >= 0 && b < blocks && (b + 1) * PLACES > stage_items.past) {
            work_t v[PLACES];
            if (stage_items.stage > 0) relay.take(v, turn - 1);
            else {
#pragma unroll
                for (int i = 0; i < PLACES; i++) v[i] = next[i];
                if (b + 1 < blocks) source.load(next, (b + 1) * PLACES);
            }
            apply_some(v, before, profits + stage_items.past, stage_items.upto((b + 1) * PLACES), Plain());
            if (stage_items.stage + 1 < STAGES) relay.give(v, turn);
            else {
                const int first = b * PLACES - count; // the places of the segment itself are stored
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
