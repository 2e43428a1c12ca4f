// Several items' steps of the dense recursion over a range of capacities while it is in cache.
#pragma once

#include <algorithm>
#include <cstdint>

#include "knapsack/dense.hpp"
#include "lanes.hpp"

namespace prunus::PRUNUS_SET {

constexpr int row_lanes = 32;  // a word of decision bits

/// Raises `to[i]` to at least `at[i] + profit`, from the top down, block by block: all of a block is read before any of
/// it is written, so `at` may be `to` less any weight.
template <class T>
void raise(T* to, const T* at, std::int64_t count, T profit) {
    using Row = Lanes<T, row_lanes>;
    const Row more = Row::splat(profit);
    std::int64_t i = count;
    for (; i >= row_lanes; i -= row_lanes) {
        const Row old = Row::load(to + i - row_lanes), raised = Row::load(at + i - row_lanes) + more;
        max(old, raised).store(to + i - row_lanes);
    }
    while (i-- > 0) to[i] = std::max(to[i], static_cast<T>(at[i] + profit));
}

/// The same, and sets or clears bit `first + i`: whether the value was raised.
template <class T>
void raise_noting(T* to, const T* at, std::int64_t count, T profit, std::uint32_t* bits, std::int64_t first) {
    using Row = Lanes<T, row_lanes>;
    const Row more = Row::splat(profit);
    const auto one = [&](std::int64_t i) {
        const T raised = at[i] + profit;
        const std::int64_t bit = first + i;
        const std::uint32_t mask = std::uint32_t{1} << (bit % row_lanes);
        if (raised > to[i])
            to[i] = raised, bits[bit / row_lanes] |= mask;
        else
            bits[bit / row_lanes] &= ~mask;
    };
    std::int64_t i = count;
    while (i > 0 && (first + i) % row_lanes != 0) one(--i);
    for (; i >= row_lanes; i -= row_lanes) {
        const Row old = Row::load(to + i - row_lanes), raised = Row::load(at + i - row_lanes) + more;
        bits[(first + i) / row_lanes - 1] = static_cast<std::uint32_t>(less(old, raised));
        max(old, raised).store(to + i - row_lanes);
    }
    while (i > 0) one(--i);
}

/// Items that are applied together to the cells `low` to `high - 1` of a table.
template <class T>
struct Pass {
    const knapsack::DenseItem* items;
    std::int64_t count;
    const std::int64_t* first;  // item k's decision bit of cell 0 is `first[k]`; null if no decisions are noted
    std::uint32_t* bits;
    T* f;

    void step(std::int64_t k, T* to, std::int64_t a, std::int64_t b) const { step(k, to, a, b, bits != nullptr); }

    /// `to` stands for cell `a`.
    void step(std::int64_t k, T* to, std::int64_t a, std::int64_t b, bool noting) const {
        if (a >= b) return;
        const auto p = static_cast<T>(items[k].p);
        if (noting)
            raise_noting(to, to - items[k].w, b - a, p, bits, first[k] + a);
        else
            raise(to, to - items[k].w, b - a, p);
    }

    /// Sweeps cells below `top` in tiles from the top down, until one begins at `pause` or below; returns the first
    /// cell that is done. Within a tile each item's part begins a weight higher than the one before, so that it reads
    /// only what its forerunner has finished and no later tile misses what it has overwritten: no cell is computed
    /// twice, and one array is enough.
    ///
    /// A range that another thread continues below reads cells which that one overwrites. Its lowest cells are
    /// therefore computed apart, from a copy: the cells from `low` minus the sum of the weights up to `low` plus that
    /// sum (or `high`, if that is less) as they were before. Null if nobody else works below.
    std::int64_t sweep(std::int64_t low, std::int64_t high, std::int64_t top, std::int64_t pause, std::int64_t tile,
                       T* copy) const {
        while (top > low && top > pause) {
            const std::int64_t bottom = std::max(low, top - tile);
            std::int64_t shift = 0;
            for (std::int64_t k = 0; k < count; k++) {
                shift += items[k].w;
                // The last tile ends with the range, but stays clear of where others work below.
                const std::int64_t a = bottom > low || copy != nullptr ? bottom + shift : low;
                const std::int64_t b = top < high ? std::min(high, top + shift) : high;
                const std::int64_t from = std::max(a, items[k].least);
                step(k, f + from, from, b);
            }
            top = bottom;
        }
        if (copy != nullptr && top == low) finish(low, high, copy);
        return top;
    }

  private:
    void finish(std::int64_t low, std::int64_t high, T* copy) const {
        std::int64_t total = 0, done = 0;
        for (std::int64_t k = 0; k < count; k++) total += items[k].w;
        const std::int64_t end = std::min(total, high - low);  // cells above `low` that are computed here
        T* const at = copy - low + total;                      // stands for cell 0
        for (std::int64_t k = 0; k < count; k++) {
            done += items[k].w;
            const std::int64_t a = std::max(low - total + done, items[k].least), b = low + end;
            // Below `low` the bits are another thread's.
            const std::int64_t own = std::min(b, std::max(a, low));
            step(k, at + own, own, b);
            step(k, at + a, a, own, false);
        }
        std::copy_n(copy + total, end, f + low);
    }
};

}  // namespace prunus::PRUNUS_SET
