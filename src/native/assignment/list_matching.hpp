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

#include "assignment/matching.hpp"
#include "assignment/path_search.hpp"
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

/// Matches the waiting rows of a matching, in steps. Work is counted in pairs that are looked at.
template <class P>
class ListMatcher {
  public:
    explicit ListMatcher(Matching<P>& matching)
        : state_(matching),
          rows_(static_cast<std::int64_t>(matching.column.size())),
          columns_(static_cast<std::int64_t>(matching.owner.size())),
          threshold_(rows_),
          length_(rows_),
          search_(matching) {}

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
        Source source{*this, limits};
        while (!state_.waiting.empty()) {
            if (limits.spend(0)) return Match::more_to_do;
            const bool matched = search_.match(source, state_.waiting.back());
            searches = search_.searches;
            if (!matched) return Match::row_unmatchable;
            state_.waiting.pop_back();
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
            search_.worth[i] = first;
            if (state_.owner[at] >= 0) {
                state_.price[at] += first - second;
                search_.worth[i] = second;
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

    /// Where a search finds the pairs of a row: of a long list those at its front, then the others.
    struct Source {
        ListMatcher& matcher;
        Limits& limits;

        template <class Visit>
        P enter(std::int32_t i, Visit& visit) {
            const std::int64_t begin = matcher.lists_.start[i], last = matcher.lists_.start[i + 1];
            if (last - begin <= whole_list) return visit_pairs(begin, last, visit), lowest<P>;
            if (matcher.length_[i] < 0) matcher.sort_out(i);
            const std::int64_t end = begin + matcher.length_[i];
            visit_pairs(begin, end, visit);
            return end < last ? matcher.threshold_[i] : lowest<P>;
        }

        template <class Visit>
        P again(std::int32_t i, Visit& visit) {
            matcher.second_looks++;
            visit_pairs(matcher.lists_.start[i] + matcher.length_[i], matcher.lists_.start[i + 1], visit);
            return lowest<P>;
        }

        template <class Visit>
        void visit_pairs(std::int64_t begin, std::int64_t end, Visit& visit) {
            limits.work += end - begin;
            for (std::int64_t q = begin; q < end; q++)
                if (visit(matcher.lists_.columns[q], matcher.lists_.benefits[q])) return;
        }
    };

    Matching<P>& state_;
    PairLists<P> lists_{};
    std::int64_t rows_, columns_;
    std::int64_t priced_ = 0;            // rows whose pairs the first prices are of
    std::vector<std::int32_t> put_off_;  // rows that wait until row reduction ends
    std::vector<P> threshold_;           // no pair behind the front of a row's list has a larger net value
    std::vector<std::int64_t> length_;   // of the front of a row's list; -1 before there is one
    PathSearch<P> search_;
};

}  // namespace prunus::PRUNUS_SET
