// The bound of a state of the expanding core, and the parameters shared by all its kernels.
//
// The linear relaxation over the items outside the core, with the multiplier of a cardinality constraint
// in the objective, as in the search on CPU cores. Weights ascend along a list, so the break item of the
// relaxation moves in one direction only.
#pragma once
#include "hardware/cuda/portable.cuh"

#define END_WEIGHT ((i64)1 << 62)
#define COUNT_SHIFT 48
#define COUNT_ZERO (1 << 15)

#include "knapsack/gpu/expanding_core/arguments.h"

struct Segment {
    i64 ceiling;     // up to this weight the item is the break item
    double constant; // the bound without profit and without (room - weight) * slope
    double slope;
};

// The break item of a state's relaxation is the last one whose prefix weight does not exceed this.
DEVICE i64 before_break(const Search* s, i64 w)
{
    return w <= s->room ? s->cw[s->right] + (s->room - w) : s->cw[s->left + 1] - (w - s->room);
}

// The break item, known to lie between two others, inclusive.
DEVICE i64 break_between(const Search* s, i64 w, i64 low, i64 high)
{
    const i64 most = before_break(s, w);
    if (w <= s->room) low = low > s->right ? low : s->right;
    else high = high < s->left ? high : s->left;
    while (low < high) {
        const i64 middle = (low + high + 1) >> 1;
        if (s->cw[middle] <= most) low = middle;
        else high = middle - 1;
    }
    return low;
}

DEVICE Segment segment(const Search* s, i64 q)
{
    Segment found;
    if (q < 0) { // nothing is left to remove
        found.ceiling = END_WEIGHT;
        found.constant = -1e300;
        found.slope = 0.0;
        return found;
    }
    const i64 *cw = s->cw, left = s->left, right = s->right;
    const double* cq = s->cq;
    found.slope = s->e[q];
    if (q >= right) {
        const i64 full = cw[q] - cw[right];
        found.ceiling = s->room - full;
        found.constant = cq[q] - cq[right] - (double)full * found.slope;
    } else {
        const i64 gone = cw[left + 1] - cw[q + 1];
        found.ceiling = s->room + cw[left + 1] - cw[q];
        found.constant = (double)gone * found.slope - (cq[left + 1] - cq[q + 1]);
    }
    return found;
}

// The break item that follows q for heavier states.
DEVICE i64 heavier(const Search* s, i64 q) { return q == s->right ? s->left : q - 1; }

DEVICE double bound_of(const Search* s, const Segment& g, i64 w, i64 p)
{
    return (double)p + (double)(s->room - w) * g.slope + g.constant;
}

DEVICE double priced_items(const Search* s, u64 word)
{
    return s->lam * (double)((i64)(word >> COUNT_SHIFT) - COUNT_ZERO);
}

// The number of ascending values that are not greater, found by a whole warp.
DEVICE i64 how_many_upto(const i64* values, i64 count, i64 limit)
{
    i64 low = 0, high = count;
    while (low < high) {
        const i64 step = (high - low + WARP - 1) / WARP, at = low + step * lane();
        const int good = count_lanes(warp_ballot(at < high && values[at] <= limit));
        if (good == 0) return low;
        low += step * (good - 1) + 1;
        if (low - 1 + step < high) high = low - 1 + step;
    }
    return low;
}

// The break item of a state's relaxation, found by a whole warp.
DEVICE i64 break_item(const Search* s, i64 w)
{
    const i64 begin = w <= s->room ? s->right : 0;
    const i64 end = w <= s->room ? s->items + 1 : s->left + 1;
    return begin + how_many_upto(s->cw + begin, end - begin, before_break(s, w)) - 1;
}
