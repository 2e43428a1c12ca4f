// Many identical items of weight w, applied to a stream of values.
//
// Cells a weight apart form a chain. With m items of profit p, the new value of a place is the best of
// the m + 1 values at most m places below it, plus p for every place between. A thread walks up a segment
// of a chain in blocks of m + 1 places. Running maxima from any place of the previous block to its end,
// and from the beginning of this block to any place, together cover any window: three operations per
// place, however many items there are (M. van Herk 1992, A fast algorithm for local minimum and maximum
// filters on rectangular and octagonal kernels; J. Gil, M. Werman 1993).
//
// Constants: VALUE_BITS, ITEMS (of a pass, at most), PLACES, THREADS.
#define STEPS 1
#include "knapsack/gpu/dense/chain_segment.cuh"

// Worth less than anything, even after the profits of a pass are added or subtracted.
#define NOWHERE (NOTHING / 2)

// The running maxima of a block from each place to its end, in shared memory.
struct Best {
    value_t* own; // of this thread

    DEVICE value_t& operator[](int k) const { return own[k * THREADS]; }

    DEVICE void look_back(int window, value_t profit) const
    {
        value_t best = (*this)[window - 1];
        int k = window - 2;
        for (; k >= PLACES; k -= PLACES) {
            value_t v[PLACES];
#pragma unroll
            for (int i = 0; i < PLACES; i++) v[i] = (*this)[k - i];
#pragma unroll
            for (int i = 0; i < PLACES; i++) {
                best = add_max(best, -profit, v[i]);
                (*this)[k - i] = best;
            }
        }
        for (; k > 0; k--) {
            best = add_max(best, -profit, (*this)[k]);
            (*this)[k] = best;
        }
    }
};

DEVICE void walk(const Pass& pass, const Segment& segment, value_t profit, const Best& best)
{
    const int reach = (int)pass.reach, window = reach + 1;
    const int length = (int)pass.length, blocks = (length + window - 1) / window;
    const value_t most = (value_t)reach * profit;
    const Source source(pass, segment, reach + length + PLACES);
    value_t next[PLACES];
    source.load(next, 0, NOWHERE);
    best[window] = NOTHING; // past the end of a block
    for (int c = 0; c < reach; c += PLACES) {
        value_t v[PLACES];
#pragma unroll
        for (int i = 0; i < PLACES; i++) v[i] = next[i];
        source.load(next, c + PLACES < reach ? c + PLACES : reach, NOWHERE);
#pragma unroll
        for (int i = 0; i < PLACES; i++)
            if (c + i < reach) best[c + i + 1] = v[i];
    }
    const i64 weight = pass.weight;
    const int stored = (int)lesser((pass.high - segment.cell) / weight, length - 1); // the last place
    value_t* target = row(pass.target) + segment.cell;
    for (int b = 0; b < blocks; b++, target += window * weight) {
        best.look_back(window, profit);
        const int place = b * window; // of the segment
        const int upto = window < length - place ? window : length - place;
        value_t so_far = NOTHING;
        for (int c = 0; c < upto; c += PLACES) {
            value_t v[PLACES], before[PLACES];
#pragma unroll
            for (int i = 0; i < PLACES; i++) v[i] = next[i];
            if (c + PLACES < upto) source.load(next, reach + place + c + PLACES, NOWHERE);
            else if (b + 1 < blocks) source.load(next, reach + place + window, NOWHERE);
            value_t* here = target + c * weight;
            if (c + PLACES <= upto && place + c + PLACES - 1 <= stored) {
#pragma unroll
                for (int i = 0; i < PLACES; i++) before[i] = best[c + i + 1];
#pragma unroll
                for (int i = 0; i < PLACES; i++) best[c + i] = v[i];
#pragma unroll
                for (int i = 0; i < PLACES; i++) {
                    so_far = add_max(so_far, profit, v[i]);
                    here[i * weight] = add_max(before[i], most, so_far);
                }
            } else {
#pragma unroll
                for (int i = 0; i < PLACES; i++)
                    if (c + i < upto) {
                        so_far = add_max(so_far, profit, v[i]);
                        const value_t value = add_max(best[c + i + 1], most, so_far);
                        best[c + i] = v[i];
                        if (place + c + i <= stored) here[i * weight] = value;
                    }
            }
        }
    }
}

KERNEL(THREADS, 1) dense_chain_identical(Job* job)
{
    DYNAMIC_SHARED(memory);
    PassPipeline pipeline(job, memory);
    const Best best = {pipeline.profits + 2 * STEPS + threadIdx.x};
    for (u32 k = pipeline.first; k < pipeline.last; k++) {
        pipeline.begin(k);
        const Pass& pass = pipeline.at(k);
        const value_t profit = *pipeline.profits_of(k);
        for (u64 unit = blockIdx.x * THREADS + threadIdx.x; unit < pass.units; unit += gridDim.x * THREADS) {
            const Segment segment(pass, unit, pass.reach);
            if (segment.cell <= pass.high) walk(pass, segment, profit, best);
        }
        pipeline.end(k);
        if (k + 1 < pipeline.last) grid_barrier(job, k + 1 - pipeline.first);
    }
}
