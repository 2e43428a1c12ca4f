// A step of the expanding core: merge a list of states with its shifted copy, in one pass.
//
// Both lists ascend in weight and in profit, so whether a state is dominated can be seen from its
// neighbours in the other list alone. A block takes a tile of the merged sequence, located by its
// diagonal (S. Green, D. Odeh, Y. Birk 2014, Merge path). Every thread merges a few states and compares
// them with the bound; the survivors are then compacted. A tile can be written as soon as the tiles
// before it have published how many states they keep (D. Merrill, M. Garland 2016, Single-pass parallel
// prefix scan with decoupled look-back).
#pragma once
#include "hardware/cuda/shuffle.cuh"
#include "knapsack/gpu/expanding_core/bound.cuh"

typedef unsigned short u16;

#define TILE (THREADS * ITEMS)
#define HALO (TILE + 4)

#define VALUE_BITS 38
#define VALUE_MASK (((u64)1 << VALUE_BITS) - 1)
enum { AGGREGATE = 1, PREFIX = 2 };

DEVICE u64 status_word(i64 step, int kind, u64 value)
{
    return (u64)(step & 0xffffff) << 40 | (u64)kind << VALUE_BITS | value;
}

// How many of the first d merged states come from the list itself, which goes first among equals.
DEVICE i64 diagonal(const i64* w, i64 count, i64 dw, i64 d)
{
    i64 low = d > count ? d - count : 0, high = d < count ? d : count;
    while (low < high) {
        const i64 step = (high - low + WARP - 1) / WARP;
        const i64 at = low + step * lane();
        const bool more = at < high && w[at] <= w[d - 1 - at] + dw;
        const int good = count_lanes(warp_ballot(more));
        if (good == 0) return low;
        low += step * (good - 1) + 1;
        const i64 end = low - 1 + step;
        if (end < high) high = end;
    }
    return low;
}

// Publish how many states a tile keeps; return how many all tiles before it keep. Called by one warp.
DEVICE u64 look_back(const Search* s, i64 tile, u64 kept)
{
    if (tile == 0) {
        if (lane() == 0) store_volatile(s->status, status_word(s->step, PREFIX, kept));
        return 0;
    }
    if (lane() == 0) store_volatile(s->status + tile, status_word(s->step, AGGREGATE, kept));
    u64 before = 0;
    const u64 stamp = (u64)(s->step & 0xffffff);
    for (i64 at = tile - 1;;) {
        const i64 mine = at - lane();
        const u64 v = mine >= 0 ? load_volatile(s->status + mine) : status_word(s->step, PREFIX, 0);
        const int kind = (v >> 40) == stamp ? (int)(v >> VALUE_BITS) & 3 : 0;
        const lanes_t open = warp_ballot(kind == 0), whole = warp_ballot(kind == PREFIX);
        const int end = whole ? lowest_lane(whole) : WARP - 1;
        const bool waiting = open && lowest_lane(open) <= end;
        if (waiting) {
            sleep_briefly();
            continue;
        }
        before += warp_sum(lane() <= end ? v & VALUE_MASK : 0);
        if (whole) break;
        at -= WARP;
    }
    if (lane() == 0) store_volatile(s->status + tile, status_word(s->step, PREFIX, before + kept));
    return before;
}

// The best state that fits: the last feasible one of either list. Called by one warp.
DEVICE void note_best(const Search* s, i64 count)
{
    for (int shifted = 0; shifted < 2; shifted++) {
        const i64 at = how_many_upto(s->weights, count, s->room - (shifted ? s->dw : 0)) - 1;
        if (lane() == 0 && at >= 0) {
            const i64 value = s->profits[at] + (shifted ? s->dp : 0);
            if (value > s->best->value) {
                s->best->weight = s->weights[at] + (shifted ? s->dw : 0);
                s->best->word = s->words[at] + (shifted ? s->db : 0);
                s->best->step = s->step;
                s->best->extra = 0;
                store_volatile(&s->best->value, value);
            }
        }
        warp_sync();
    }
}

// How many of the first d merged states come from the list itself. Called by one warp.
DEVICE void split(const Search* s, i64 count, i64 d, i64* place)
{
    const i64 i = diagonal(s->weights, count, s->dw, d);
    if (lane() == 0) *place = i;
}

// Process a block's share of the tiles of a step.
DEVICE void expand_step(const Search* s, i64 count, char* memory)
{
    i64* sw = (i64*)memory;
    i64* sp = sw + HALO;
    i64* splits = sp + HALO;    // of this tile and of the block's next one, alternating
    i64* breaks = splits + 4;   // breakpoints of the relaxation for the tile's first and last states
    i64* place_of = breaks + 2; // where the tile's first survivor goes
    int* sums = (int*)(place_of + 1); // one per warp
    u16* from = (u16*)(sums + THREADS / WARP + 1);
    const int t = threadIdx.x, warp = t / WARP;
    const i64 total = 2 * count, tiles = (total + TILE - 1) / TILE;
    const double least = (double)(load_volatile(&s->best->value) + 1) - s->slack - s->side;
    const bool counted = s->lam != 0.0;
    if (blockIdx.x == gridDim.x - 1 && warp == THREADS / WARP - 1) note_best(s, count);
    // All blocks are resident and each takes its tiles in order, so waiting for earlier tiles always
    // ends.
    int turn = 0;
    for (i64 tile = blockIdx.x; tile < tiles; tile += gridDim.x, turn ^= 2) {
        const i64 d0 = tile * TILE, d1 = d0 + TILE < total ? d0 + TILE : total;
        if (tile == blockIdx.x) {
            if (warp < 2) split(s, count, warp ? d1 : d0, splits + turn + warp);
            block_sync();
        }
        const i64 i0 = splits[turn], i1 = splits[turn + 1], j0 = d0 - i0, j1 = d1 - i1;
        const int own = (int)(i1 - i0), others = (int)(j1 - j0), length = own + others;
        // One more on both sides of either part: the neighbours of the first and last state are needed
        // too.
        i64 *a = sw + 1, *pa = sp + 1, *b = sw + own + 3, *pb = sp + own + 3;
        for (int k = t - 1; k <= own; k += THREADS) {
            const i64 at = i0 + k;
            const bool is = at >= 0 && at < count;
            a[k] = is ? s->weights[at] : at < 0 ? -END_WEIGHT : END_WEIGHT;
            pa[k] = is ? s->profits[at] : -END_WEIGHT;
        }
        for (int k = t - 1; k <= others; k += THREADS) {
            const i64 at = j0 + k;
            const bool is = at >= 0 && at < count;
            b[k] = is ? s->weights[at] + s->dw : at < 0 ? -END_WEIGHT : END_WEIGHT;
            pb[k] = is ? s->profits[at] + s->dp : -END_WEIGHT;
        }
        if (warp < 2) {
            // The lightest or heaviest state of the tile; at an end of the list one beyond it.
            const i64 i = warp ? i1 - 1 : i0, j = warp ? j1 - 1 : j0;
            const i64 x = i < 0 ? -END_WEIGHT : i < count ? s->weights[i] : END_WEIGHT;
            const i64 y = j < 0 ? -END_WEIGHT : j < count ? s->weights[j] + s->dw : END_WEIGHT;
            const i64 q = break_item(s, warp == (x > y) ? x : y);
            if (lane() == 0) breaks[warp] = q;
        }
        const int helper = THREADS / WARP >= 4 ? warp - 2 : warp;
        if ((helper == 0 || helper == 1) && tile + gridDim.x < tiles) {
            const i64 d = d0 + (i64)gridDim.x * TILE, end = d + TILE < total ? d + TILE : total;
            split(s, count, helper ? end : d, splits + (turn ^ 2) + helper);
        }
        block_sync();
        const int begin = t * ITEMS < length ? t * ITEMS : length;
        int low = begin > others ? begin - others : 0, high = begin < own ? begin : own;
        while (low < high) {
            const int middle = (low + high) >> 1;
            if (a[middle] <= b[begin - 1 - middle]) low = middle + 1;
            else high = middle;
        }
        int i = low, j = begin - low, kept = 0;
        u32 found[ITEMS];
        u32 flags = 0;
        if (begin < length) {
            const i64 lightest = breaks[0], heaviest = breaks[1];
            i64 q = break_between(s, a[i] <= b[j] ? a[i] : b[j], heaviest, lightest);
            Segment g = segment(s, q);
#pragma unroll
            for (int k = 0; k < ITEMS; k++) {
                const i64 wa = a[i], wb = b[j];
                const bool mine = wa <= wb;
                const i64 w = mine ? wa : wb, p = mine ? pa[i] : pb[j];
                bool keep = begin + k < length && (mine ? pb[j - 1] : pa[i - 1]) < p;
                if (mine && wa == wb && pb[j] > p) keep = false;
                if (w > g.ceiling && begin + k < length) {
                    q = break_between(s, w, heaviest, q);
                    g = segment(s, q);
                }
                found[k] = mine ? (u32)(i + 1) : (u32)(own + 3 + j);
                double bound = bound_of(s, g, w, p);
                if (counted && keep) {
                    const u64 word = mine ? s->words[i0 + i] : s->words[j0 + j] + s->db;
                    bound -= priced_items(s, word);
                }
                keep = keep && bound >= least;
                flags |= (u32)keep << k;
                kept += keep;
                if (begin + k < length) {
                    i += mine;
                    j += !mine;
                }
            }
        }
        const int upto = warp_scan(kept);
        if (lane() == WARP - 1) sums[warp] = upto;
        block_sync();
        int place = upto - kept, all = 0;
        for (int k = 0; k < THREADS / WARP; k++) {
            place += k < warp ? sums[k] : 0;
            all += sums[k];
        }
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            if (flags >> k & 1) from[place++] = (u16)found[k];
        }
        if (warp == 0) {
            const u64 before = look_back(s, tile, (u64)all);
            if (lane() == 0) {
                *place_of = (i64)before;
                if (tile == tiles - 1) store_volatile(s->counts_out, (i64)before + all);
            }
        }
        block_sync();
        const i64 out = *place_of;
        for (int k = t; k < all; k += THREADS) {
            const int source = (int)from[k];
            const bool mine = source <= own;
            const i64 at = mine ? i0 + source - 1 : j0 + source - own - 3;
            s->next_weights[out + k] = sw[source];
            s->next_profits[out + k] = sp[source];
            s->next_words[out + k] = s->words[at] + (mine ? 0 : s->db);
        }
        block_sync();
    }
}
