// Single items of one weight w, applied in registers to the values of two segments at a time.
//
// As chain.cu, but values are made small enough for two to share a 32-bit word. Segments for which that
// is impossible are processed again with wider values, as in chain.cu.
//
// Constants: as for chain.cu; WORK_BITS is 32.
#define STEPS ITEMS
#include "knapsack/gpu/dense/chain_walk.cuh"

// Two segments whose values are processed together, two to a word of 16 bits each, relative to a line.
//
// Values along a chain rise almost linearly, the more so the shorter the section. So for every turn a
// line from the last place of the turn before to the last place of this one is subtracted, and the slope
// of the line is subtracted from the profits of the items. What remains are small numbers, of which one
// operation per item handles two. The line continues from turn to turn, so the values that a thread keeps
// from the place before need no adjustment.
//
// Small enough means: a value that is read lies between LEAST and LEAST + 2^15 - 1 above its line, and
// the items of a pass raise none by more than -LEAST - 1. Unreachable places have the value LOWEST, which
// no items raise to LEAST. So nothing overflows, and a value derived from an unreachable place never
// beats one that is read. Turns that violate this are recorded, and what depends on them is recomputed
// with wider values.
//
// Above the top of a row every place is worth as much as the top. Only the first place there matters:
// items lead from it to all places further up, which would otherwise fall far below the line.

#define LOWEST (-16384)
#define LEAST (-8192)
#define BEYOND ~0x7fff // values that are read have none of these bits, relative to LEAST
#define STEEPEST 16383 // the largest rise of a line per place

// Two numbers of 16 bits.
struct Two {
    u32 word;
};
DEVICE Two two(int low, int high) { return {((u32)low & 0xffff) | (u32)high << 16}; }
DEVICE Two add_max(Two a, Two b, Two c) { return {add_max_s16x2(a.word, b.word, c.word)}; }
DEVICE int low_of(Two v) { return (int)(short)v.word; }
DEVICE int high_of(Two v) { return (int)v.word >> 16; }

// The profit of an item relative to the slopes of the lines.
struct Sloped {
    Two fall; // slopes of the lines, per place

    DEVICE Two operator()(int profit) const
    {
        return add_max({(u32)profit * 0x10001}, fall, two(-32768, -32768));
    }
};

// The lines of a turn, passed from the first stage to the others: for each segment the value at the place
// before, and both slopes.
struct Lines {
    int* memory; // ring buffer of RING turns

    DEVICE explicit Lines(void* memory) : memory((int*)memory + threadIdx.x % COLUMNS) {}
    DEVICE int& at(int turn, int which) const { return memory[(turn % RING * 3 + which) * COLUMNS]; }
    static constexpr int RING = 8; // at least the number of stages
};

// The value some places further on, a fixed number of bytes apart, as a single instruction; precomputed
// products for all places would occupy registers.
DEVICE value_t* place_of(value_t* first, int i, u32 bytes) { return (value_t*)((char*)first + (u64)i * bytes); }

// One of the two segments, as the first stage reads it.
struct Side {
    Source source;
    int line; // value of the line at the place before the current ones, plus LEAST
    int slope;
    int gentle; // smallest slope of a turn
    int steep; // slope used above the top
    bool begun; // a reachable place has been read
    bool bare; // the current places are unreachable, and shared memory says so
    bool over; // cells above the top are needed

    DEVICE Side(const Pass& pass, const Segment& segment, int places)
        : source(pass, segment, places), line(0), slope(0), gentle(0x7fffffff), steep(0), begun(false), bare(false), over(false)
    {
        if (source.inside) {
            source.within = (u32)places;
            return;
        }
        const i64 lowest = greater(pass.low - (i64)pass.count * pass.weight, 0);
        const int back = (int)lesser((pass.top - lowest) / pass.weight, PLACES);
        if (back > 0)
            steep = (source.last - (int)(row(pass.source)[pass.top - back * pass.weight] - source.base)) / back;
        over = pass.high > pass.top;
    }

    // Whether all these places lie in the row.
    DEVICE bool inside(int place) const
    {
        return place >= source.below && place + PLACES <= source.below + (int)source.within;
    }

    // Whether all these places are unreachable.
    DEVICE bool empty(int place) const
    {
        return place + PLACES <= source.below || place > source.below + (int)source.within;
    }

    // Start copying some places into shared memory, where this thread has a column.
    DEVICE void fetch(value_t* aside, int place, u32 bytes) const
    {
        if (empty(place)) return;
        value_t* const here = const_cast<value_t*>(source.at) + place * source.weight;
        if (inside(place)) {
#pragma unroll
            for (int i = 0; i < PLACES; i++) copy_aside(aside + i * COLUMNS, place_of(here, i, bytes));
        } else {
            const int first = place - source.below;
#pragma unroll 4
            for (int i = 0; i < PLACES; i++) {
                if ((u32)(first + i) < source.within) copy_aside(aside + i * COLUMNS, place_of(here, i, bytes));
                else aside[i * COLUMNS] = source.base + (value_t)source.last;
            }
        }
    }
    // Compute the line of a turn, and the bitwise or of all values relative to LEAST above it. Set what
    // remains to be subtracted from the values that were read.
    DEVICE int level(value_t* aside, int place, int& from, int& rise)
    {
        if (!inside(place)) {
            from = rise = 0;
            return level_guarded(aside, place);
        }
        const int end = (int)(aside[(PLACES - 1) * COLUMNS] - source.base);
        if (!begun) line = (int)(aside[0] - source.base) + LEAST;
        begun = true;
        slope = (int)((u32)(end + LEAST - line) / PLACES);
        gentle = slope < gentle ? slope : gentle;
        from = line, rise = slope;
        line += PLACES * slope;
        return slope > STEEPEST ? BEYOND : 0;
    }

    // The same where places may lie outside the row; subtracts everything itself.
    DEVICE int level_guarded(value_t* aside, int place)
    {
        const int first = source.below - place, top = first + (int)source.within; // the one beyond the row
        const int from = first > 0 ? first : 0;
        int bits = 0;
        if (empty(place)) {
            slope = !begun || place < source.below ? STEEPEST : steep; // before the first reachable place no item raises anything
            if (bare) {
                line += PLACES * slope;
                return 0;
            }
            bare = true;
        } else {
            bare = false;
            const int end = (int)(aside[(PLACES - 1) * COLUMNS] - source.base), one = (int)(aside[from * COLUMNS] - source.base);
            if (top < PLACES) slope = steep;
            else if (begun) slope = (end + LEAST - line) / PLACES;
            else slope = from < PLACES - 1 ? (end - one) / (PLACES - 1 - from) : STEEPEST;
            if (!begun) {
                slope = slope < STEEPEST ? slope : STEEPEST;
                line = one + LEAST - (from + 1) * slope;
                begun = true;
            }
            gentle = slope < gentle ? slope : gentle;
            bits = (u32)slope > STEEPEST ? BEYOND : 0;
        }
#pragma unroll 1
        for (int i = 0; i < PLACES; i++) {
            int v = LOWEST - LEAST;
            if (!empty(place) && i >= from && i <= top) {
                v = (int)(aside[i * COLUMNS] - source.base) - (line + (i + 1) * slope);
                bits |= v;
            }
            aside[i * COLUMNS] = source.base + (value_t)v;
        }
        line += PLACES * slope;
        return bits;
    }

    // Whether no item raises a value by too much, and items lead upwards from the top.
    DEVICE bool gentle_enough(const work_t* profits, int count) const
    {
        int lift = 0, drop = steep;
        for (int j = 0; j < count; j++) {
            lift += profits[j] > gentle ? profits[j] - gentle : 0;
            drop += steep > profits[j] ? steep - profits[j] : 0;
        }
        return lift < -LEAST && (source.inside || !over || drop <= -LEAST);
    }
};

// The threads that share some segments: a warp of each stage.
DEVICE void columns_sync()
{
    if (COLUMNS % WARP == 0) part_sync(threadIdx.x % COLUMNS / WARP, STAGES * WARP);
    else block_sync();
}

// Shared memory of a block beyond what chain_walk.cuh uses.
struct SharedLayout {
    Two* relays;
    int* rings;
    u32* spans;
    value_t* aside; // what is read next

    DEVICE explicit SharedLayout(void* memory)
        : relays((Two*)memory), rings((int*)(relays + (STAGES - 1) * (2 * PLACES * COLUMNS))),
          spans((u32*)(rings + Lines::RING * 3 * COLUMNS)), aside((value_t*)(spans + (COLUMNS + 1) / 2 * 2))
    {
    }
};

DEVICE u32 quotient(i64 a, u32 b) { return a < (i64)1 << 32 ? (u32)a / b : (u32)(a / b); }

// The turns of a segment that failed: the first, and one past the last.
DEVICE u32 span_of(int first, int end) { return (u32)first << 16 | (u32)end; }

// Process two segments per thread. Returns, to all threads, the range of turns in which any segment of
// the block failed, as span_of; 0 if none did.
DEVICE u32 walk_pair(const Pass& pass, u32 first_unit, const work_t* profits, void* memory)
{
    const u32 unit = first_unit + threadIdx.x % COLUMNS, other = unit + COLUMNS;
    const int count = (int)pass.count, blocks = (count + (int)pass.length) / PLACES;
    // Turns below the row, or above what is needed, are skipped if that holds for all segments of the
    // block.
    const Segment lowest(pass, first_unit, pass.count), highest(pass, lesser(first_unit + 2 * COLUMNS, pass.units) - 1, pass.count);
    const int low = highest.source < 0 ? (int)quotient(pass.weight - 1 - highest.source, (u32)pass.weight) / PLACES : 0;
    const i64 wanted = greater(pass.high - lowest.cell, 0);
    const int most = wanted < (i64)pass.length * pass.weight ? (int)quotient(wanted, (u32)pass.weight) + 1 : (int)pass.length;
    const int upto = (count + most + PLACES - 1) / PLACES;
    const StageItems stage_items(count);
    const SharedLayout layout(memory);
    const Relay<Two> relay(layout.relays, stage_items.stage);
    const Lines lines(layout.rings);
    value_t* const aside = layout.aside + threadIdx.x % COLUMNS;
    const Segment one(pass, unit, pass.count);
    const bool there = unit < pass.units && one.cell <= pass.high;
    // If there is no second segment, the first is processed twice.
    Segment two_(pass, other, pass.count);
    if (other >= pass.units || two_.cell > pass.high) two_ = one;
    const i64 weight = pass.weight;
    const u32 step = (u32)(weight * sizeof(value_t));
    Two before[SHARE];
#pragma unroll
    for (int j = 0; j < SHARE; j++) before[j] = two(LOWEST, LOWEST);
    Side a(pass, one, blocks * PLACES), b(pass, two_, blocks * PLACES);
    int wrong = 0x7fff, right = 0; // the failed turns: first, one past the last
    if (there && stage_items.stage == 0) {
        a.fetch(aside, low * PLACES, step);
        b.fetch(aside + PLACES * COLUMNS, low * PLACES, step);
    }
    for (int turn = low; turn < upto + STAGES - 1; turn++) {
        const int k = turn - stage_items.stage, place = k * PLACES;
        const bool active = there && k >= low && k < upto && place + PLACES > stage_items.past;
        Two v[PLACES], fall;
        if (active) {
            const u32 bytes = unforeseen(step);
            if (stage_items.stage > 0) {
                relay.take(v, turn - 1);
                fall = {(u32)lines.at(k, 2)};
            } else {
                value_t* const aside_b = aside + PLACES * COLUMNS;
                await_copies();
                int from_a, from_b, rise_a, rise_b;
                int bits = a.level(aside, place, from_a, rise_a) | b.level(aside_b, place, from_b, rise_b);
                const int keep_a = a.inside(place) ? -1 : 0, keep_b = b.inside(place) ? -1 : 0;
#pragma unroll
                for (int i = 0; i < PLACES; i++) {
                    const int one = (int)(aside[i * COLUMNS] - a.source.base) - (from_a + (i + 1) * rise_a);
                    const int other = (int)(aside_b[i * COLUMNS] - b.source.base) - (from_b + (i + 1) * rise_b);
                    bits |= (one & keep_a) | (other & keep_b);
                    v[i] = add_max(two(one, other), two(LEAST, LEAST), two(LOWEST, LOWEST));
                }
                lines.at(k, 0) = a.line - PLACES * a.slope;
                lines.at(k, 1) = b.line - PLACES * b.slope;
                fall = two(-a.slope, -b.slope);
                lines.at(k, 2) = (int)fall.word;
                if (bits & BEYOND) {
                    if (right == 0) wrong = k;
                    right = k + 1;
                }
                if (k + 1 < upto) {
                    a.fetch(aside, place + PLACES, bytes);
                    b.fetch(aside + PLACES * COLUMNS, place + PLACES, bytes);
                }
            }
        }
        if (active) apply_some(v, before, profits + stage_items.past, stage_items.upto(place + PLACES), Sloped{fall});
        if (active) {
            const u32 bytes = unforeseen(step);
            if (stage_items.stage + 1 < STAGES) relay.give(v, turn);
            else {
                const int first = place - count; // the places of the segments themselves are stored
                const int slope_a = -low_of(fall), slope_b = -high_of(fall);
                const int line_a = lines.at(k, 0) - LEAST, line_b = lines.at(k, 1) - LEAST;
                value_t* here = row(pass.target) + one.cell + first * weight;
                value_t* there_ = row(pass.target) + two_.cell + first * weight;
                const i64 room = pass.high - one.cell - first * weight, room_ = pass.high - two_.cell - first * weight;
                if (first >= 0 && (PLACES - 1) * weight <= lesser(room, room_)) {
#pragma unroll
                    for (int i = 0; i < PLACES; i++) {
                        *place_of(here, i, bytes) = a.source.base + (value_t)(line_a + (i + 1) * slope_a + low_of(v[i]));
                        *place_of(there_, i, bytes) = b.source.base + (value_t)(line_b + (i + 1) * slope_b + high_of(v[i]));
                    }
                } else {
#pragma unroll
                    for (int i = 0; i < PLACES; i++) {
                        if (first + i < 0) continue;
                        if (i * weight <= room)
                            here[i * weight] = a.source.base + (value_t)(line_a + (i + 1) * slope_a + low_of(v[i]));
                        if (i * weight <= room_)
                            there_[i * weight] = b.source.base + (value_t)(line_b + (i + 1) * slope_b + high_of(v[i]));
                    }
                }
            }
        }
        if (STAGES > 1) columns_sync();
    }
    if (stage_items.stage == 0) {
        if (there && !(a.gentle_enough(profits, count) && b.gentle_enough(profits, count))) wrong = 0, right = blocks;
        layout.spans[threadIdx.x % COLUMNS] = span_of(wrong, right);
    }
    block_sync();
    wrong = 0x7fff, right = 0;
#pragma unroll 8
    for (int column = 0; column < COLUMNS; column++) {
        const int from = (int)(layout.spans[column] >> 16), upto = (int)(layout.spans[column] & 0xffff);
        wrong = from < wrong ? from : wrong;
        right = upto > right ? upto : right;
    }
    block_sync();
    return right ? span_of(wrong, right) : 0;
}

// Process part of a block's segments again: a wrong place spoils all places above it that items reach.
APART void redo(const Pass& pass, u32 unit, u32 span, const work_t* profits, work_t* memory)
{
    const int count = (int)pass.count, length = (int)pass.length;
    const int first = (int)(span >> 16) * PLACES - count, end = (int)(span & 0xffff) * PLACES;
    const int from = first > 0 ? first : 0, upto = end < length ? end : length;
    const int places = (upto - from + count + PLACES - 1) / PLACES * PLACES;
    Segment segment(pass, unit, pass.count);
    segment.cell += from * pass.weight;
    segment.source += from * pass.weight;
    const bool there = unit < pass.units && segment.cell <= pass.high;
    walk(pass, segment, places - count, there, profits, memory);
}

KERNEL(THREADS, RESIDENT) dense_chain_packed(Job* job)
{
    DYNAMIC_SHARED(memory);
    PassPipeline pipeline(job, memory);
    work_t* const rest = pipeline.profits + 2 * STEPS;
    for (u32 k = pipeline.first; k < pipeline.last; k++) {
        pipeline.begin(k);
        const Pass& pass = pipeline.at(k);
        for (u32 first = blockIdx.x * 2 * COLUMNS; first < pass.units; first += gridDim.x * 2 * COLUMNS) {
            const u32 unit = first + threadIdx.x % COLUMNS;
            const u32 span = walk_pair(pass, first, pipeline.profits_of(k), rest);
            if (span == 0) continue;
            if (threadIdx.x == 0) release_add(&job->redone, 1u);
            for (u32 half = 0; half < 2; half++)
                redo(pass, unit + half * COLUMNS, span, pipeline.profits_of(k), rest);
        }
        pipeline.end(k);
        if (k + 1 < pipeline.last) grid_barrier(job, k + 1 - pipeline.first);
    }
}
