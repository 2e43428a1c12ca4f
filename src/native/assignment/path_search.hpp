// A search for the shortest way from a row to a free column, in reduced costs, and the last steps of every path.
//
// R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment problems,
// Computing 38 (1987) 325-340. Where the pairs of rows stand is the source's matter, a type with two functions:
//
//   P enter(row, visit)   for a row that comes into the tree,
//   P again(row, visit)   for one that comes back for more.
//
// Both call `visit(column, benefit)` for pairs of the row, the best ones first, until that returns true, and return a
// net value that none of the other pairs exceeds; `lowest` if there are no others. As long as prices only rise such a
// value stays true. The row itself waits in the heap at the least distance that its other pairs can be at.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assignment/matching.hpp"
#include "assignment/path_heap.hpp"
#include "assignment/prices.hpp"

namespace prunus::PRUNUS_SET {

template <class P>
class PathSearch {
  public:
    explicit PathSearch(Matching<P>& matching)
        : worth(matching.column.size()),
          state_(matching),
          columns_(static_cast<std::int32_t>(matching.owner.size())),
          offset_(matching.column.size() + 1),
          distance_(matching.column.size() + matching.owner.size()),
          mark_(matching.owner.size()),
          parent_(matching.owner.size()),
          heap_(static_cast<std::int64_t>(distance_.size()), distance_.data()) {}

    /// Matches a row that has no column along a shortest path, and raises prices; false if there is no path.
    template <class Source>
    bool match(Source& source, std::int32_t root) {
        const std::int32_t target = search(source, root);
        if (target < 0) return false;
        for (std::int32_t j = target, i = -1; i != root;) {
            i = parent_[j];
            const std::int32_t before = state_.column[i];
            state_.owner[j] = i;
            state_.column[i] = j;
            j = before;
        }
        return true;
    }

    std::vector<P> worth;  // the best net value of each row that has a column: that of this column
    std::int64_t searches = 0, tree_rows = 0;
    P dearest = lowest<P>;  // of the prices that were raised

  private:
    template <class Source>
    std::int32_t search(Source& source, std::int32_t root) {
        const P* price = state_.price.data();
        const std::int32_t* owner = state_.owner.data();
        const std::int64_t reached = 2 * ++searches, final = reached + 1;
        heap_.clear();
        done_.clear();
        tree_.assign(1, root);
        // The root's best net value is not known: ways are counted from 0 instead.
        worth[root] = offset_[0] = 0;
        std::int32_t i = root, target = -1;
        P far = 0, offset = lowest<P>, cutoff = highest<P>;
        // Nothing longer than the way to a free column matters: that is the cutoff.
        const auto visit = [&](std::int32_t j, P benefit) {
            const P way = std::max(far - (benefit - price[j]), offset);
            if (!(way < cutoff) || mark_[j] == final) return false;
            if (owner[j] < 0) {
                cutoff = way, target = j;
                parent_[j] = i;
                return way <= offset;
            }
            if (mark_[j] != reached) {
                mark_[j] = reached;
                distance_[j] = way, parent_[j] = i;
                heap_.push(j);
            } else if (way < distance_[j]) {
                distance_[j] = way, parent_[j] = i;
                heap_.move_up(j);
            }
            return false;
        };
        for (bool again = false;;) {
            const P beyond = again ? source.again(i, visit) : source.enter(i, visit);
            if (beyond > lowest<P>) {
                const P way = std::max(far - beyond, offset);
                if (way < cutoff) {
                    distance_[columns_ + i] = way;
                    heap_.push(columns_ + i);
                }
            }
            if (heap_.empty() || !(heap_.nearest() < cutoff)) break;
            const std::int32_t top = heap_.pop();
            again = top >= columns_;
            if (again) {
                i = top - columns_;
                offset = i == root ? lowest<P> : distance_[state_.column[i]];
                far = i == root ? worth[i] : offset + worth[i];
            } else {
                mark_[top] = final;
                done_.push_back(top);
                i = state_.owner[top];
                offset = distance_[top];
                offset_[tree_.size()] = offset;
                tree_.push_back(i);
                far = offset + worth[i];
            }
        }
        tree_rows += static_cast<std::int64_t>(tree_.size());
        if (target < 0) return -1;
        // All ways in the tree become tight that are shorter than the shortest one to a free column.
        for (const std::int32_t j : done_) {
            state_.price[j] += cutoff - distance_[j];
            dearest = std::max(dearest, state_.price[j]);
        }
        for (std::size_t t = 0; t < tree_.size(); t++) worth[tree_[t]] -= cutoff - offset_[t];
        return target;
    }

    Matching<P>& state_;
    std::int32_t columns_;
    std::vector<P> offset_;             // how long the way to each row of the tree is
    std::vector<P> distance_;           // of columns; behind them of rows, to the pairs that were not visited
    std::vector<std::int64_t> mark_;    // of columns: by which search reached, or made final
    std::vector<std::int32_t> parent_;  // of columns: the row they were reached from
    std::vector<std::int32_t> tree_;    // its rows
    std::vector<std::int32_t> done_;    // the columns whose distance is final
    PathHeap<P> heap_;
};

}  // namespace prunus::PRUNUS_SET
