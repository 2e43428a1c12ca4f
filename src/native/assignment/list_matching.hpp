// Row reduction and shortest augmenting paths where lists hold all allowed pairs of every row.
//
// R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear
// assignment problems, Computing 38 (1987) 325-340. Where a row of many pairs comes into a tree for
// the first time, its best ones are put at the front of its list, and mostly no more of it is looked
// at from then on: as prices only rise, no other pair ever has a larger net value than the row's
// threshold. The row itself waits in the heap at the least distance that these can be at. A free
// column that is no farther than the row that finds it ends a search, so that ties are not gone
// through.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/path_heap.hpp"
#include "assignment/prices.hpp"
#include "limits.hpp"

namespace prunus::assignment {

enum class Match { all_matched, more_to_do, row_unmatchable };

/// The pairs of row i, from start[i] to start[i + 1], unsorted; they are put in another order.
template <class P>
struct PairLists {
    std::int32_t* columns;
    P* benefits;
    const std::int64_t* start;
};

}  // namespace prunus::assignment

namespace prunus::PRUNUS_SET {

using assignment::Match;
using assignment::PairLists;

/// Prices, the assignment so far, and the rows that are still to be matched.
template <class P>
struct Matching {
    /// With all prices 0 and no row assigned; `beyond` prices more can be read.
    Matching(std::int64_t rows, std::int64_t columns, int beyond = 0)
        : price(columns + beyond), owner(columns, -1), column(rows, -1) {}

    /// Unassigns all rows; the prices stay.
    void open() {
        std::fill(owner.begin(), owner.end(), -1);
        std::fill(column.begin(), column.end(), -1);
        waiting.resize(column.size());
        for (std::size_t k = 0; k < waiting.size(); k++) waiting[k] = static_cast<std::int32_t>(waiting.size() - 1 - k);
    }

    /// Takes the next row that waits.
    std::int32_t next() {
        const std::int32_t i = waiting.back();
        waiting.pop_back();
        return i;
    }

    /// Gives a column to a row; the one that had it waits.
    void give(std::int32_t i, std::int32_t j) {
        const std::int32_t before = owner[j];
        owner[j] = i;
        column[i] = j;
        if (before < 0) return;
        column[before] = -1;
        waiting.push_back(before);
    }

    std::vector<P> price;               // of the columns
    std::vector<std::int32_t> owner;    // the row of each column, -1 for none
    std::vector<std::int32_t> column;   // of each row, -1 for none
    std::vector<std::int32_t> waiting;  // a stack of rows without a column
};

/// Matches the waiting rows of a matching, in steps. Work is counted in pairs that are looked at.
template <class P>
class ListMatcher {
  public:
    explicit ListMatcher(Matching<P>& matching)
        : state_(matching),
          rows_(static_cast<std::int64_t>(matching.column.size())),
          columns_(static_cast<std::int64_t>(matching.owner.size())),
          worth_(rows_),
          threshold_(rows_),
          offset_(rows_ + 1),
          distance_(rows_ + columns_),
          length_(rows_),
          mark_(columns_),
          parent_(columns_),
          heap_(rows_ + columns_, distance_.data()) {}

    /// Begins with lists for the waiting rows, at the prices there are; where these are to be found
    /// by column reduction, at the least ones at which no row would rather have another column.
    /// Free columns must not have a price: with more columns than rows it is left out.
    void begin(PairLists<P> lists, bool reduce_columns) {
        lists_ = lists;
        std::fill(length_.begin(), length_.end(), -1);
        bids_left = 2 * static_cast<std::int64_t>(state_.waiting.size());
        put_off_.clear();
        priced_ = reduce_columns ? 0 : rows_;
        if (reduce_columns) std::fill(state_.price.begin(), state_.price.end(), lowest<P>);
    }

    Match match(Limits& limits) {
        reduce_columns(limits);
        reduce_rows(limits);
        while (!state_.waiting.empty()) {
            if (limits.spend(0)) return Match::more_to_do;
            const std::int32_t root = state_.waiting.back(), target = search(root, limits);
            if (target < 0) return Match::row_unmatchable;
            state_.waiting.pop_back();
            for (std::int32_t j = target, i = -1; i != root;) {
                i = parent_[j];
                const std::int32_t before = state_.column[i];
                state_.owner[j] = i;
                state_.column[i] = j;
                j = before;
            }
        }
        return Match::all_matched;
    }

    std::int64_t bids = 0, searches = 0, second_looks = 0;
    std::int64_t bids_left = 0;  // in row reduction

  private:
    static constexpr int whole_list = 32;  // a list of so many pairs is looked at as a whole
    static constexpr int sampled = 8;      // of so many pairs of a longer one, one tells the level

    void reduce_columns(Limits& limits) {
        const auto [columns, benefits, start] = lists_;
        for (; priced_ < rows_ && !limits.spend(0); priced_++) {
            const std::int64_t begin = start[priced_], end = start[priced_ + 1];
            P best = lowest<P>;
            for (std::int64_t q = begin; q < end; q++) best = std::max(best, benefits[q]);
            for (std::int64_t q = begin; q < end; q++) {
                P& price = state_.price[columns[q]];
                price = std::max(price, benefits[q] - best);
            }
            limits.work += end - begin;
        }
    }

    /// Lets waiting rows bid with an epsilon of 0. Of its best columns a row takes one that is free.
    /// Where there are several, none of them free, or there is no other at all, it is put off.
    void reduce_rows(Limits& limits) {
        const auto [columns, benefits, start] = lists_;
        if (priced_ < rows_) return;
        while (!state_.waiting.empty() && bids_left > 0 && !limits.spend(0)) {
            const std::int32_t i = state_.next();
            bids_left--;
            bids++;
            P first = lowest<P>, second = lowest<P>, free = lowest<P>;
            std::int32_t at = -1, other = -1;
            for (std::int64_t q = start[i]; q < start[i + 1]; q++) {
                const std::int32_t j = columns[q];
                const P x = benefits[q] - state_.price[j];
                if (x > second) {
                    second = std::min(x, first);
                    at = x > first ? j : at;
                    first = std::max(x, first);
                }
                if (x > free && state_.owner[j] < 0) free = x, other = j;
            }
            limits.work += start[i + 1] - start[i];
            if (free == first) at = other;
            if (at < 0 || (state_.owner[at] >= 0 && (second == first || second == lowest<P>))) {
                put_off_.push_back(i);
                continue;
            }
            worth_[i] = first;
            if (state_.owner[at] >= 0) {
                state_.price[at] += first - second;
                worth_[i] = second;
            }
            state_.give(i, at);
        }
        if (state_.waiting.empty() || bids_left == 0) {
            state_.waiting.insert(state_.waiting.end(), put_off_.begin(), put_off_.end());
            put_off_.clear();
            bids_left = 0;
        }
    }

    /// Puts pairs of a row that are worth more than a level at the front of its list.
    void sort_out(std::int32_t i) {
        const auto [columns, benefits, start] = lists_;
        // Three in a sample are worth so much: some three times as many as one stands for, in all.
        P best = lowest<P>, second = lowest<P>, level = lowest<P>;
        for (std::int64_t q = start[i]; q < start[i + 1]; q += sampled) {
            const P x = benefits[q] - state_.price[columns[q]];
            level = std::max(level, std::min(second, x));
            second = std::max(second, std::min(best, x));
            best = std::max(best, x);
        }
        std::int64_t end = start[i];
        for (std::int64_t q = start[i]; q < start[i + 1]; q++) {
            const std::int32_t j = columns[q];
            const P x = benefits[q];
            columns[q] = columns[end], benefits[q] = benefits[end];
            columns[end] = j, benefits[end] = x;
            end += x - state_.price[j] > level;
        }
        length_[i] = end - start[i];
        threshold_[i] = level;
    }

    /// Finds the shortest way from a row to a free column and raises prices; returns the column, -1
    /// if there is none.
    std::int32_t search(std::int32_t root, Limits& limits) {
        const auto [columns, benefits, start] = lists_;
        const P* price = state_.price.data();
        const std::int32_t* owner = state_.owner.data();
        const std::int64_t m = columns_;
        const std::int64_t reached = 2 * ++searches, final = reached + 1;
        heap_.clear();
        done_.clear();
        tree_.assign(1, root);
        // The root's best net value is not known: ways are counted from 0 instead.
        worth_[root] = offset_[0] = 0;
        std::int32_t i = root, target = -1;
        P far = 0, offset = lowest<P>, cutoff = highest<P>;
        for (bool again = false;;) {
            const std::int64_t last = start[i + 1];
            std::int64_t begin = start[i], end = last;
            if (again) {
                begin += length_[i];
            } else if (last - begin > whole_list) {
                if (length_[i] < 0) sort_out(i);
                end = begin + length_[i];
            }
            for (std::int64_t q = begin; q < end; q++) {
                const std::int32_t j = columns[q];
                const P way = std::max(far - (benefits[q] - price[j]), offset);
                if (!(way < cutoff) || mark_[j] == final) continue;
                if (owner[j] < 0) {
                    cutoff = way, target = j;
                    parent_[j] = i;
                    if (way <= offset) break;
                } else if (mark_[j] != reached) {
                    mark_[j] = reached;
                    distance_[j] = way, parent_[j] = i;
                    heap_.push(j);
                } else if (way < distance_[j]) {
                    distance_[j] = way, parent_[j] = i;
                    heap_.move_up(j);
                }
            }
            limits.work += end - begin;
            if (end < last) {
                const P way = std::max(far - threshold_[i], offset);
                if (way < cutoff) {
                    distance_[m + i] = way;
                    heap_.push(static_cast<std::int32_t>(m + i));
                }
            }
            if (heap_.empty() || !(heap_.nearest() < cutoff)) break;
            const std::int32_t top = heap_.pop();
            again = top >= m;
            if (again) {
                i = static_cast<std::int32_t>(top - m);
                offset = i == root ? lowest<P> : distance_[state_.column[i]];
                far = i == root ? worth_[i] : offset + worth_[i];
                second_looks++;
            } else {
                mark_[top] = final;
                done_.push_back(top);
                i = state_.owner[top];
                offset = distance_[top];
                offset_[tree_.size()] = offset;
                tree_.push_back(i);
                far = offset + worth_[i];
            }
        }
        if (target < 0) return -1;
        // All ways in the tree become tight that are shorter than the shortest one to a free column.
        for (const std::int32_t j : done_) state_.price[j] += cutoff - distance_[j];
        for (std::size_t t = 0; t < tree_.size(); t++) worth_[tree_[t]] -= cutoff - offset_[t];
        return target;
    }

    Matching<P>& state_;
    PairLists<P> lists_{};
    std::int64_t rows_, columns_;
    std::int64_t priced_ = 0;            // rows whose pairs the first prices are of
    std::vector<std::int32_t> put_off_;  // rows that wait until row reduction ends
    std::vector<P> worth_;               // the best net value of each row that has a column
    std::vector<P> threshold_;           // no pair behind the front of a row's list has a larger net value
    std::vector<P> offset_;              // how long the way to each row of the tree is
    std::vector<P> distance_;            // of columns; behind them of rows, to what is behind the front
    std::vector<std::int64_t> length_;   // of the front of a row's list; -1 before there is one
    std::vector<std::int64_t> mark_;     // of columns: by which search reached, or made final
    std::vector<std::int32_t> parent_;   // of columns: the row they were reached from
    std::vector<std::int32_t> tree_;     // its rows
    std::vector<std::int32_t> done_;     // the columns whose distance is final
    PathHeap<P> heap_;
};

}  // namespace prunus::PRUNUS_SET
