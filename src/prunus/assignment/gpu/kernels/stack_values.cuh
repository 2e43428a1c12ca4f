// What the values of one of many problems are worth, and what is wrong with them.
#pragma once
#include "hardware/cuda/numbers.cuh"

typedef VALUE value_t;
typedef PRICE price_t;
typedef INDEX index_t;

#include "assignment/gpu/stack_kernel.h"

enum { SOLVED, INFEASIBLE, INVALID, TOO_LARGE, WRONG_SIZES };

#define FAR_DOUBLE ((double)float_of_bits(0x7f800000u))
DEVICE double farthest(double) { return FAR_DOUBLE; }
DEVICE i64 farthest(i64) { return (i64)1 << 62; }
#define FAR (farthest((price_t)0))

// With this added to it no cost is less than FAR.
DEVICE double beyond(double) { return FAR_DOUBLE; }
DEVICE i64 beyond(i64) { return (i64)3 << 61; }
#define BEYOND (beyond((price_t)0))

// Values that are no costs: no numbers, or infinite where that is best. Integers are what they are.
DEVICE bool is_wrong(double v) { return SIGN > 0 ? !(v > -FAR_DOUBLE) : !(v < FAR_DOUBLE); }
DEVICE bool is_wrong(float v) { return is_wrong((double)v); }
DEVICE bool is_wrong(half_t v) { return is_wrong(float_of(v)); }
DEVICE bool is_wrong(bfloat_t v) { return is_wrong(float_of(v)); }
template <class T> DEVICE bool is_wrong(T) { return false; }

// Whole numbers, of which no sum is rounded.
template <class T> DEVICE bool is_whole(T) { return (T)0.5 == 0; }
DEVICE bool is_whole(half_t) { return false; }
DEVICE bool is_whole(bfloat_t) { return false; }

// Values of which a sum would not be exact, or not finite. Infinity forbids a pair.
DEVICE bool is_large(double v, int) { return (v > 1e300 || v < -1e300) && v != FAR_DOUBLE && v != -FAR_DOUBLE; }
DEVICE bool is_large(i64 v, int rows)
{
    const i64 most = ((i64)1 << 60) / (rows + 2);
    return v > most || v < -most;
}
DEVICE bool is_large(u64 v, int rows) { return v > ((u64)1 << 60) / (rows + 2); }
template <class T> DEVICE bool is_large(T, int) { return false; }

// How many agents and jobs of a problem count.
struct Size {
    int agents, jobs;
    bool right, tall; // as many as there are at most; more agents than jobs

    DEVICE Size(const Stack& m, u64 number)
    {
        const i64* const size = m.sizes + number * m.parts;
        const i64 n = m.sizes && m.parts > 1 ? size[0] : m.agents, k = m.sizes ? size[m.parts - 1] : m.jobs;
        right = n >= 0 && n <= m.agents && k >= 0 && k <= m.jobs;
        agents = right ? (int)n : 0, jobs = right ? (int)k : 0;
        tall = agents > jobs;
    }
};

// How far from zero, if it is finite.
DEVICE price_t size_of(price_t c)
{
    const price_t size = c < 0 ? -c : c;
    return size < FAR ? size : 0;
}

// A limit with the same optima, and sums that lose nothing to it: see ``cost_limit.nearer``.
DEVICE price_t nearer(price_t limit, price_t largest, int rows)
{
    const price_t enough = (2 * rows + 2) * largest + 1;
    return limit > enough ? enough : limit < -enough ? -enough : limit;
}

struct Problem {
    const value_t* values;
    i64 down, across;
    int rows, columns;
    price_t limit;

    DEVICE const value_t* at(int i, int j) const { return values + (i * down + j * across); }
    DEVICE price_t given(value_t v) const
    {
        const price_t c = number_of<price_t>(v);
        return SIGN > 0 ? c : -c;
    }
    DEVICE price_t cost(value_t v) const
    {
        const price_t c = given(v);
        return LIMITED && c > limit ? limit : c;
    }
};
