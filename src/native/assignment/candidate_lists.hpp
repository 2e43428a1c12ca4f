// Candidate lists: the best columns of each row, and a threshold that no other column exceeds.
//
// While prices only rise, the net value (benefit less price) of a column that is not in a row's list stays at or below
// the row's threshold. So whatever the list says above the threshold is exact, and the row is looked at as a whole
// only when it says nothing there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/benefits.hpp"
#include "assignment/prices.hpp"

namespace prunus::PRUNUS_SET {

/// The best two net values of a row and their columns, -1 for none.
template <class P>
struct BestTwo {
    P first = lowest<P>, second = lowest<P>;
    std::int32_t column = -1, other = -1;

    /// Of equal values the earlier stays.
    void take(P x, std::int32_t j) {
        if (!(x > second)) return;
        if (x > first) {
            second = first, other = column;
            first = x, column = j;
        } else {
            second = x, other = j;
        }
    }
};

/// What one thread needs to look at a row.
template <class Rows>
struct RowScratch {
    using P = typename Rows::Price;

    RowScratch(const Rows& rows, std::int64_t columns, const float* narrow = nullptr)
        : rows(rows), columns(columns), narrow(narrow), top(columns), hot(columns) {}

    /// Calls a function with where a row stands, in a copy of half the size if there is one.
    template <class F>
    auto with_row(std::int64_t i, F&& use) {
        if constexpr (!std::is_same_v<typename Rows::Value, float>)
            if (narrow != nullptr) return use(narrow + i * columns);
        return use(rows.row(i));
    }

    Rows rows;
    std::int64_t columns;
    const float* narrow;  // all rows as float32, which holds their values; null if there is no such copy
    std::vector<P> top;   // the maxima of its blocks
    std::vector<std::int32_t> hot;
};

template <class Rows>
class CandidateLists {
  public:
    using P = typename Rows::Price;
    using Scratch = RowScratch<Rows>;

    /// Lists that hold nothing yet, so that the first look at a row fills its list.
    CandidateLists(std::int64_t rows, std::int64_t columns, int wanted, const P* prices)
        : threshold(rows, highest<P>),
          length(rows),
          columns_(static_cast<std::int32_t>(columns)),
          wanted_(std::max(1, std::min(wanted, columns_))),
          capacity_(std::min(columns_, 2 * wanted_ + 32)),
          price_(prices),
          column_(rows * capacity_),
          benefit_(rows * capacity_) {}

    /// The best two that are listed; they are the best of all if the second reaches the threshold.
    BestTwo<P> best_listed(std::int32_t i) const {
        BestTwo<P> found;
        for_listed(i, [&](std::int32_t j, P benefit) {
            found.take(benefit - price_[j], j);
            return false;
        });
        return found;
    }

    /// The best two of a row; `looks` counts how often it was gone through. A new list is made first if `listing`.
    BestTwo<P> best_two(Scratch& work, std::int32_t i, bool listing, int& looks) {
        BestTwo<P> found = best_listed(i);
        if (found.second >= threshold[i]) return found;
        if (listing) {
            rebuild(work, i);
            looks++;
            found = best_listed(i);
            if (found.second >= threshold[i]) return found;
        }
        looks++;
        return work.with_row(i, [&](const auto* row) { return best_two_in_row(work, row); });
    }

    /// Calls a function with the listed columns of a row and their benefits until it returns true.
    template <class F>
    void for_listed(std::int32_t i, F&& body) const {
        const std::int64_t begin = static_cast<std::int64_t>(i) * capacity_, end = begin + length[i];
        for (std::int64_t q = begin; q < end; q++)
            if (body(column_[q], benefit_[q])) return;
    }

    /// Makes the list of a row anew at the current prices.
    ///
    /// The row is cut into blocks of every `blocks`-th column. The maxima of the blocks take a loop over contiguous
    /// memory; they give a level that about as many columns exceed as are wanted, and only blocks above it are looked
    /// at again.
    void rebuild(Scratch& work, std::int32_t i) {
        work.with_row(i, [&](const auto* row) { rebuild_from(work, row, i); });
    }

    std::vector<P> threshold;          // no column of the row that is not listed has a larger net value
    std::vector<std::int32_t> length;  // of each list

  private:
    template <class V>
    void rebuild_from(Scratch& work, const V* row, std::int32_t i) {
        const std::int32_t blocks = std::min(columns_, std::max(4 * wanted_, (columns_ + 15) / 16));
        block_maxima(row, work.rows.sign, blocks, work.top.data());
        P least = highest<P>, best = lowest<P>;
        for (std::int32_t c = 0; c < blocks; c++) {
            const P x = work.top[c];
            best = std::max(best, x);
            least = std::min(least, x > lowest<P> ? x : highest<P>);
        }
        length[i] = 0;
        threshold[i] = lowest<P>;
        if (best == lowest<P>) return;
        P level = level_above(work.top.data(), blocks, least, best);
        while (!collect(work, row, blocks, i, level)) {
            // Too many above the level: blocks tell little where neighbours in a block are alike.
            const P middle = level + half(best - level);
            level = level < middle && middle < best ? middle : best;
        }
    }

    static P half(P x) { return static_cast<P>(0.5 * static_cast<double>(x)); }

    template <class V>
    P net(const V* row, P sign, std::int64_t j) const {
        return sign * static_cast<P>(row[j]) - price_[j];
    }

    template <class V>
    void block_maxima(const V* row, P sign, std::int32_t blocks, P* top) const {
        for (std::int32_t c = 0; c < blocks; c++) top[c] = net(row, sign, c);
        for (std::int32_t t = blocks; t < columns_; t += blocks) {
            const std::int32_t width = std::min(blocks, columns_ - t);
            const V* part = row + t;
            const P* price = price_ + t;
            for (std::int32_t c = 0; c < width; c++) {
                const P x = sign * static_cast<P>(part[c]) - price[c];
                top[c] = x > top[c] ? x : top[c];
            }
        }
    }

    /// A level that about as many block maxima exceed as are wanted, by bisection.
    P level_above(const P* top, std::int32_t blocks, P low, P high) const {
        for (int turn = 0; turn < 48; turn++) {
            const P middle = low + half(high - low);
            if (!(low < middle && middle < high)) break;
            std::int64_t above = 0;
            for (std::int32_t c = 0; c < blocks; c++) above += top[c] > middle;
            if (above < wanted_) {
                high = middle;
                continue;
            }
            low = middle;
            if (4 * above <= 5 * wanted_) break;
        }
        return low;
    }

    /// Lists what is above the level, and as much of what is just at it as there is room for; false if there is none
    /// for the former. Hits are too irregular to be predicted: everything is written, and only what is a hit is kept.
    template <class V>
    bool collect(Scratch& work, const V* row, std::int32_t blocks, std::int32_t i, P level) {
        const P sign = work.rows.sign;
        const std::int64_t begin = static_cast<std::int64_t>(i) * capacity_, end = begin + capacity_;
        std::int64_t at = begin;
        std::int32_t count = 0;
        for (std::int32_t c = 0; c < blocks; c++) {
            work.hot[count] = c;
            count += work.top[c] > level;
        }
        const std::int32_t width = (columns_ + blocks - 1) / blocks;
        for (std::int32_t k = 0; k < count; k++) {
            if (at + width > end) return false;
            for (std::int32_t j = work.hot[k]; j < columns_; j += blocks) {
                const P x = sign * static_cast<P>(row[j]);
                column_[at] = j;
                benefit_[at] = x;
                at += x - price_[j] > level;
            }
        }
        if (at - begin < wanted_)
            for (std::int32_t c = 0; c < blocks && at < end; c++)
                if (work.top[c] >= level)
                    for (std::int32_t j = c; j < columns_ && at < end; j += blocks)
                        if (net(row, sign, j) == level) {
                            column_[at] = j;
                            benefit_[at++] = sign * static_cast<P>(row[j]);
                        }
        length[i] = static_cast<std::int32_t>(at - begin);
        threshold[i] = level;
        return true;
    }

    /// The best columns are in the two blocks with the largest maxima.
    template <class V>
    BestTwo<P> best_two_in_row(Scratch& work, const V* row) const {
        const std::int32_t blocks = std::min(columns_, std::max(16, (columns_ + 15) / 16));
        block_maxima(row, work.rows.sign, blocks, work.top.data());
        BestTwo<P> block, found;
        for (std::int32_t c = 0; c < blocks; c++) block.take(work.top[c], c);
        for (const std::int32_t c : {block.column, block.other})
            for (std::int32_t j = c; c >= 0 && j < columns_; j += blocks) found.take(net(row, work.rows.sign, j), j);
        return found;
    }

    std::int32_t columns_;
    int wanted_, capacity_;  // candidates that a new list should have, and may have
    const P* price_;
    std::vector<std::int32_t> column_;
    std::vector<P> benefit_;  // of the candidates, unsorted; a row begins at its multiple of the capacity
};

}  // namespace prunus::PRUNUS_SET
