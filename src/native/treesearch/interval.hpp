// Depth-first search of one interval of a tree: a template over what a problem's node is.
//
// The search is an IVM (integer vector, matrix; Mezmaz, Leroy, Melab, Tuyttens 2014) whose matrix is
// kept as bit masks, a row a level: `item` is the vector; `free` holds the items not yet fixed,
// `waiting` the children that survived bounding and have not been visited.
//
// A problem supplies a class `Node` (see permutations.cpp for the smallest):
//
//     using Bound = std::int16_t;             // the type of bounds: no bound leaves it
//     static constexpr int words = 1;         // of 32 items, or 0 where only `items` tells
//     static constexpr int directions = 2;    // 1 where children only follow a path
//     static constexpr bool counting = false; // leaves are counted, not offered as solutions
//     static constexpr bool repeating = false;// an item may be fixed again further down
//     int levels() const, items() const;      // items at the root; one is fixed a level
//     int children(int level) const;          // of each node there; only where items repeat
//     void descend(int level, int item, int direction);
//     int branch(int level, Set free, Set waiting, Bound* bounds, std::int64_t cutoff, int forced);
//
// It keeps the states of the path, a row a level, that of the root in row 0. `descend` writes row
// level + 1 from row level. `branch` bounds the children of the node in row level: it writes
// bounds[direction * lanes + item], lanes being 32 a word, and to `waiting` the items whose bound is
// below the cutoff, and returns the direction to branch in (0 forward, 1 backward), which is
// `forced` unless that is negative.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "memory.hpp"
#include "random.hpp"
#include "treesearch/item_sets.hpp"
#include "treesearch/search.hpp"

namespace prunus::PRUNUS_SET {

template <class Node>
class IntervalSearch final : public treesearch::Search {
    using Extent = treesearch::Extent;
    using Status = treesearch::Status;
    using Bound = typename Node::Bound;
    using Set = ItemSet<Node::words>;

  public:
    template <class... Arguments>
    explicit IntervalSearch(Arguments&&... arguments)
        : node_(std::forward<Arguments>(arguments)...),
          free_(node_.levels() + 1, node_.items()),
          waiting_(node_.levels(), node_.items()),
          item_(node_.levels()),
          direction_(node_.levels()),
          row_(static_cast<std::size_t>(Node::directions) * waiting_.words() * 32),
          bounds_(node_.levels() * row_) {
        free_[0].fill(node_.items());
        if constexpr (Node::repeating)
            for (int level = 0; level < levels(); level++) free_[level].fill(children(level));
    }

    int levels() const override { return node_.levels(); }
    int bits() const override { return 8 * sizeof(Bound); }
    std::int64_t nodes() const override { return nodes_; }
    std::int64_t leaves() const override { return leaves_; }

    int children(int level) const override {
        if constexpr (Node::repeating) return node_.children(level);
        return node_.items() - level;
    }

    Status explore(const std::int64_t* cutoff, Limits& limits) override {
        const int levels = node_.levels();
        int level = level_;
        std::int64_t nodes = 0, leaves = 0;
        const std::int64_t budget = limits.budget - limits.work;
        Status status = Status::paused;
        while (nodes < budget && !limits.stopped()) {
            const Set waiting = waiting_[level];
            const int item = waiting.lowest();
            if (item < 0) {
                if (level <= end_.end_level) {
                    status = Status::exhausted;
                    break;
                }
                level--;
                continue;
            }
            waiting.word[item >> 5] &= waiting.word[item >> 5] - 1;
            const std::int64_t limit = __atomic_load_n(cutoff, __ATOMIC_RELAXED);
            if (bound(level, item) >= limit) continue;
            item_[level] = item;
            if (level + 1 == levels) {
                leaves++;
                if constexpr (Node::counting) continue;
                status = Status::found;
                break;
            }
            descend(level, item);
            level++;
            nodes++;
            branch(level, limit, -1);
        }
        level_ = level;
        nodes_ += nodes;
        leaves_ += leaves;
        limits.work += nodes;
        return status;
    }

    /// The siblings still to come are bounded again, with the cutoff of this explorer. Nodes of the
    /// path are not counted again; the root of an unbranched tree is.
    void load(const std::uint32_t* digits, const std::uint8_t* directions, Extent extent,
              std::int64_t cutoff) override {
        end_ = extent;
        if (extent.depth == 0) {
            nodes_++;
            end_.end_digit = free_[extent.end_level].size();
        }
        const int depth = std::max(extent.depth, 1);
        for (int level = 0; level < depth; level++) {
            const int digit = static_cast<int>(digits[level]);
            const int forced = extent.depth > 0 ? directions[level] : -1;
            const bool last = level + 1 == depth;
            level_ = level;
            if (level >= end_.end_level) {
                branch(level, cutoff, forced);
                waiting_[level].keep_ranks(free_[level], last ? digit : digit + 1,
                                           level == end_.end_level ? end_.end_digit : children(level));
            } else {
                waiting_[level].clear();
                direction_[level] = static_cast<std::uint8_t>(forced);
            }
            if (last) break;
            item_[level] = free_[level].nth(digit);
            descend(level, item_[level]);
        }
    }

    Extent rest(std::uint32_t* digits, std::uint8_t* directions) const override {
        int level = level_;
        while (level >= end_.end_level && waiting_[level].lowest() < 0) level--;
        if (level < end_.end_level) return {0, end_.end_level, end_.end_digit};
        write_path(level, waiting_[level].lowest(), digits, directions);
        return {level + 1, end_.end_level, end_.end_digit};
    }

    Extent split(double fraction, std::uint32_t* digits, std::uint8_t* directions) override {
        int level = end_.end_level;
        while (level <= level_ && waiting_[level].lowest() < 0) level++;
        if (level > level_) return {};
        const Set waiting = waiting_[level];
        const int siblings = waiting.size(), shares = siblings + (level < level_ ? 1 : 0);
        const int given = std::min(std::max(1, static_cast<int>(shares * fraction)), shares - 1);
        if (given == 0) return {};
        write_path(level, waiting.nth(siblings - given), digits, directions);
        const Extent part{level + 1, end_.end_level, end_.end_digit};
        end_.end_level = level;
        end_.end_digit = static_cast<int>(digits[level]);
        waiting.keep_ranks(free_[level], 0, end_.end_digit);
        return part;
    }

    std::int64_t least_open_bound() const override {
        std::int64_t least = treesearch::no_bound;
        for (int level = end_.end_level; level <= level_; level++)
            waiting_[level].visit([&](int item) {
                least = std::min<std::int64_t>(least, bound(level, item));
                return true;
            });
        return least;
    }

    std::int64_t leaf(std::int64_t* items, std::int64_t* directions) const override {
        std::copy(item_.begin(), item_.end(), items);
        std::copy(direction_.begin(), direction_.end(), directions);
        return bound(levels() - 1, item_.back());
    }

    int sample(std::int64_t cutoff, int most, std::uint64_t& random, const treesearch::Sample& rows) const override {
        int row = 0;
        for (int level = end_.end_level; level <= level_; level++) {
            const auto open = [&](auto each) {
                waiting_[level].visit([&](int item) { return bound(level, item) >= cutoff || each(item); });
            };
            int count = 0, rank = 0;
            open([&](int) { return ++count; });
            const int taken = std::min(row == 0 ? count : std::min(count, most), rows.rows - row);
            if (taken == 0) continue;
            Random draw{random};
            const auto first = static_cast<int>(draw.below(count));
            random = draw.state;
            open([&](int item) {
                // Of `count` places on a circle, evenly.
                const int place = (rank++ - first + count) % count;
                if (static_cast<std::int64_t>(place) * taken % count >= taken) return true;
                const auto path = static_cast<std::ptrdiff_t>(row) * levels();
                write_path(level, item, rows.digits + path, rows.directions + path);
                rows.level[row] = level;
                rows.bound[row] = bound(level, item);
                rows.weight[row++] = static_cast<double>(count) / taken;
                return true;
            });
        }
        return row;
    }

  private:
    Bound bound(int level, int item) const {
        const std::size_t lanes = row_ / Node::directions;
        return bounds_[level * row_ + (Node::directions > 1 ? direction_[level] * lanes : 0) + item];
    }

    void branch(int level, std::int64_t cutoff, int forced) {
        direction_[level] = static_cast<std::uint8_t>(
            node_.branch(level, free_[level], waiting_[level], bounds_.data() + level * row_, cutoff, forced));
    }

    void descend(int level, int item) {
        node_.descend(level, item, direction_[level]);
        if constexpr (!Node::repeating) {
            free_[level + 1].copy(free_[level]);
            free_[level + 1].remove(item);
        }
    }

    /// Writes the digits down to a level, whose item is given, and zeros below.
    void write_path(int level, int item, std::uint32_t* digits, std::uint8_t* directions) const {
        std::fill_n(digits, levels(), 0);
        std::fill_n(directions, levels(), 0);
        for (int d = 0; d <= level; d++) {
            digits[d] = static_cast<std::uint32_t>(free_[d].rank(d < level ? item_[d] : item));
            directions[d] = direction_[d];
        }
    }

    Node node_;
    SetRows<Node::words> free_, waiting_;
    std::vector<int> item_;
    std::vector<std::uint8_t> direction_;
    std::size_t row_;  // bounds of a level
    Aligned<Bound> bounds_;
    Extent end_;
    int level_ = 0;
    std::int64_t nodes_ = 0, leaves_ = 0;
};

/// Makes a search of the nodes `Make<words>`, for as many items as there are.
template <template <int> class Node, class... Arguments>
std::unique_ptr<treesearch::Search> search_of_items(int items, Arguments&&... arguments) {
    if (items <= 32) return std::make_unique<IntervalSearch<Node<1>>>(std::forward<Arguments>(arguments)...);
    return std::make_unique<IntervalSearch<Node<0>>>(std::forward<Arguments>(arguments)...);
}

}  // namespace prunus::PRUNUS_SET
