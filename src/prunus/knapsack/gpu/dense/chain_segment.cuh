// Segments of chains that threads process, and the values that they read.
//
// Constants: PLACES (read at a time), STEPS (whose profits are needed, at most THREADS).
#pragma once
#include "knapsack/gpu/dense/common.cuh"

// What one thread computes: some places of a chain, starting at a cell. Reading begins `below` places
// earlier, at `source`.
struct Segment {
    i64 cell, source;

    DEVICE Segment(const Pass& pass, u64 unit, u32 below)
    {
        const u64 w = pass.weight;
        const u64 line = (unit | w) >> 32 ? unit / w : (u32)unit / (u32)w; // which is faster
        cell = pass.low + line * (pass.length * w) + (unit - line * w);
        source = cell - below * pass.weight;
    }
};

#define PASS_WORDS (sizeof(Pass) / 4)

// The current passes and the profits of their steps, in shared memory. While a pass is processed, the
// profits of the next one and the description of the one after it are being loaded.
struct PassPipeline {
    Pass* passes; // three
    value_t* profits; // two rows of STEPS
    const Pass* from;
    const Step* steps;
    u32 first, last;
    u32 word; // being loaded
    value_t profit;

    DEVICE PassPipeline(const Job* job, void* memory)
        : passes((Pass*)memory), profits((value_t*)((Pass*)memory + 3)), from((const Pass*)job->passes),
          steps((const Step*)job->steps), first(job->first), last(job->last), word(0), profit(0)
    {
        for (u32 k = first; k < last && k < first + 2; k++) {
            fetch(k);
            keep(k);
        }
        block_sync();
        ask(first);
        put(first);
        block_sync();
    }

    DEVICE const Pass& at(u32 k) const { return passes[(k - first) % 3]; }
    DEVICE const value_t* profits_of(u32 k) const { return profits + (k & 1) * STEPS; }

    DEVICE void fetch(u32 k)
    {
        if (k < last && threadIdx.x < PASS_WORDS) word = ((const u32*)(from + k))[threadIdx.x];
    }
    DEVICE void keep(u32 k)
    {
        if (k < last && threadIdx.x < PASS_WORDS) ((u32*)(passes + (k - first) % 3))[threadIdx.x] = word;
    }
    // The profit of a step; past the last one 0: values ascend with capacity, so an item without
    // profit changes nothing.
    DEVICE void ask(u32 k)
    {
        profit = 0;
        if (k >= last || threadIdx.x >= STEPS || threadIdx.x >= at(k).count) return;
        profit = (value_t)steps[at(k).first + threadIdx.x].profit;
    }
    DEVICE void put(u32 k)
    {
        if (k < last && threadIdx.x < STEPS) profits[(k & 1) * STEPS + threadIdx.x] = profit;
    }

    DEVICE void begin(u32 k)
    {
        fetch(k + 2);
        ask(k + 1);
    }
    DEVICE void end(u32 k)
    {
        put(k + 1);
        keep(k + 2);
    }
};

// The values before a pass, from the first place that a segment reads.
struct Source {
    const value_t* at; // address of that place
    i64 weight;
    bool inside; // all places lie in the row
    int below; // places below the row; then come `within` places of it; those above are worth `last`
    u32 within;
    value_t last;

    DEVICE Source(const Pass& pass, const Segment& segment, int places)
        : at(row(pass.source) + segment.source), weight(pass.weight), below(0), within(0), last(0)
    {
        const i64 first = segment.source, top = pass.top;
        inside = first >= 0 && first + (places - 1) * weight <= top;
        if (inside) return;
        last = row(pass.source)[top];
        below = first < 0 ? (int)((weight - 1 - first) / weight) : 0;
        const i64 most = top - first - below * weight;
        within = most < 0 ? 0 : (u32)lesser(most / weight + 1, places);
    }

    // Read PLACES places; places below the row are unreachable.
    DEVICE void load(value_t* v, int place, value_t nothing = NOTHING) const
    {
        const value_t* here = at + place * weight;
        if (inside || (place >= below && place + PLACES <= below + (int)within)) {
#pragma unroll
            for (int i = 0; i < PLACES; i++) v[i] = here[i * weight];
        } else {
#pragma unroll
            for (int i = 0; i < PLACES; i++) {
                const int beyond = place + i - below;
                v[i] = beyond < 0 ? nothing : last;
                if ((u32)beyond < within) v[i] = here[i * weight];
            }
        }
    }
};
