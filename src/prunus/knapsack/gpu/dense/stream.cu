// Single items of one weight w, applied in registers to the values that stream past.
//
// Cells a weight apart form a chain, and an item of weight w moves values one place up the chain.
// A thread walks up a stretch of a chain, PLACES places at a time, and keeps for each item the value
// that the place before had before that item: so each place needs one operation an item, and nothing
// is computed twice but below the stretch, whose items reach that far. The next places are loaded
// while these are worked on. Neighbouring threads hold neighbouring cells.
//
// What lies below a stretch is worked on once for each stretch, so that stretches should be long, and a card
// wants many threads. So threads share a stretch: each has some of the items, a stage of the work. While
// one applies the next of the items to some places, the one before it is at the places above these, and
// leaves them in shared memory.
//
// Constants: VALUE_BITS, WORK_BITS, ITEMS (of a pass, at most), PLACES, THREADS, RESIDENT (blocks a multiprocessor),
// STAGES (ITEMS is a multiple of GROUP times it).
#define STEPS ITEMS
#define COLUMNS (THREADS / STAGES)
#define SHARE (ITEMS / STAGES)
#include "knapsack/gpu/dense/common.cuh"
#include "knapsack/gpu/dense/stretch.cuh"

#define GROUP 4

// Applies one item to successive places. From the top down, so that each reads what was there before.
DEVICE void apply(work_t* v, work_t& before, work_t profit)
{
    const work_t last = v[PLACES - 1];
#pragma unroll
    for (int i = PLACES - 1; i > 0; i--) v[i] = add_max(v[i - 1], profit, v[i]);
    v[0] = add_max(before, profit, v[0]);
    before = last;
}

// The items that a thread applies: those of its stage.
struct Share {
    int stage, past, count; // so many are applied before, and so many by it

    DEVICE Share(int items) : stage(STAGES > 1 ? (int)threadIdx.x / COLUMNS : 0)
    {
        const int each = (items + STAGES * GROUP - 1) / (STAGES * GROUP) * GROUP;
        past = stage * each < items ? stage * each : items;
        count = items - past < each ? items - past : each;
    }
    // How many of them have been applied to something that matters, as far as to a place: as many as there
    // are places below it. Negative if not all before them have.
    DEVICE int upto(int place) const { return place - past < count ? place - past : count; }
};

// What a stage hands to the next one: the places that it has worked on, of all stretches of a block.
struct Relay {
    work_t* from; // two rows of places, in turn
    work_t* to;

    DEVICE Relay(work_t* memory, int stage)
        : from(memory + (stage - 1) * (2 * PLACES * COLUMNS) + threadIdx.x % COLUMNS), to(from + 2 * PLACES * COLUMNS)
    {
    }
    DEVICE void take(work_t* v, int turn) const
    {
#pragma unroll
        for (int i = 0; i < PLACES; i++) v[i] = from[(turn % 2 * PLACES + i) * COLUMNS];
    }
    DEVICE void give(const work_t* v, int turn) const
    {
#pragma unroll
        for (int i = 0; i < PLACES; i++) to[(turn % 2 * PLACES + i) * COLUMNS] = v[i];
    }
};

// Applies the first of a stage's items to some places.
DEVICE void apply_some(work_t* v, work_t* before, const work_t* profits, int most)
{
    work_t profit[GROUP]; // of the items at hand: those of the next ones are on their way meanwhile
#pragma unroll
    for (int j = 0; j < GROUP; j++) profit[j] = profits[j];
#pragma unroll
    for (int g = 0; g < SHARE; g += GROUP)
        if (g < most) {
            work_t after[GROUP];
#pragma unroll
            for (int j = 0; j < GROUP; j++) after[j] = g + GROUP < SHARE ? profits[g + GROUP + j] : 0;
#pragma unroll
            for (int j = 0; j < GROUP; j++) apply(v, before[g + j], profit[j]);
#pragma unroll
            for (int j = 0; j < GROUP; j++) profit[j] = after[j];
        }
}

// The threads of all stages of a block have as many turns.
DEVICE void walk(const Pass& pass, const Stretch& stretch, bool there, const work_t* profits, work_t* memory)
{
    const int count = (int)pass.count, blocks = (count + (int)pass.length) / PLACES;
    const Share share(count);
    const Relay relay(memory, share.stage);
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
            apply_some(v, before, profits + share.past, share.upto((b + 1) * PLACES));
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

KERNEL(THREADS, RESIDENT) dense_stream(Job* job)
{
    DYNAMIC_SHARED(memory);
    Ahead ahead(job, memory);
    work_t* const relays = ahead.profits + 2 * STEPS;
    for (u32 k = ahead.first; k < ahead.last; k++) {
        ahead.begin(k);
        const Pass& pass = ahead.at(k);
        for (u32 first = blockIdx.x * COLUMNS; first < pass.units; first += gridDim.x * COLUMNS) {
            const u32 unit = first + threadIdx.x % COLUMNS;
            const Stretch stretch(pass, unit, pass.count);
            walk(pass, stretch, unit < pass.units && stretch.cell <= pass.high, ahead.profits_of(k), relays);
        }
        ahead.end(k);
        if (k + 1 < ahead.last) grid_barrier(job, k + 1 - ahead.first);
    }
}
