// Best-first search of one core. A problem says what a node is; this file alone says which one comes
// next: the one with the least bound, from a heap; then, while that is not much worse than the least,
// the better child of the node before (a plunge), from a stack. When memory is short, all children go
// to the stack: depth first, which needs little.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "heap.hpp"
#include "treesearch/best_first_search.hpp"

namespace prunus::PRUNUS_SET {

/// A child as a tree writes it: its bound, and its words in memory that is there already.
struct Child {
    std::int64_t bound;
    std::int64_t* words;
};

/// Memory for the words of nodes: blocks that stay where they are.
class NodeRows {
  public:
    explicit NodeRows(int words) : words_(words) {}

    /// Makes room for so many more nodes.
    void reserve(std::size_t count) {
        while (free_.size() < count) {
            const int rows = std::max(1, block_words / std::max(1, words_));
            blocks_.push_back(std::make_unique_for_overwrite<std::int64_t[]>(static_cast<std::size_t>(rows) * words_));
            for (int r = rows; r-- > 0;) free_.push_back(blocks_.back().get() + static_cast<std::size_t>(r) * words_);
        }
    }

    std::int64_t* take() {
        std::int64_t* words = free_.back();
        free_.pop_back();
        return words;
    }

    void give_back(std::int64_t* words) { free_.push_back(words); }

  private:
    static constexpr int block_words = 1 << 15;
    int words_;
    std::vector<std::unique_ptr<std::int64_t[]>> blocks_;
    std::vector<std::int64_t*> free_;
};

/// A search of the nodes of a `Tree`, which has
///
/// - `words()`, `rows()`, `solution()`: of a node; the children that `branch` may write to at a time;
///   the numbers that describe a solution;
/// - `branch(node, cutoff, limits, children, found)`: writes the children that may hold a solution
///   below `cutoff`, with bounds no less than the node's, to the first of `rows()` children, and
///   returns how many they are; the rest are working memory, and it may exchange their words. A
///   solution below `cutoff` that it meets goes to `found`: its objective, then its numbers.
template <class Tree>
class BestFirst final : public treesearch::BestFirstSearch {
    using OpenNode = treesearch::OpenNode;

  public:
    explicit BestFirst(Tree&& tree) : tree_(std::move(tree)), rows_(tree_.words()), children_(tree_.rows()) {
        found.assign(tree_.solution() + 1, no_bound);
    }

    int words() const override { return tree_.words(); }

    Status explore(const std::int64_t* shared_cutoff, Limits& limits, bool depth_first) override {
        found[0] = no_bound;
        do {
            rows_.reserve(children_.size());
            OpenNode node;
            if (!plunge_.empty()) {
                node = plunge_.back();
                plunge_.pop_back();
            } else if (!heap_.empty()) {
                node = pop(heap_);
                least_ = node.bound;
            } else {
                return Status::exhausted;
            }
            const std::int64_t cutoff = __atomic_load_n(shared_cutoff, __ATOMIC_RELAXED);
            if (node.bound < cutoff) {
                branch(node, cutoff, shared_cutoff, limits, depth_first);
                limits.work++;
            } else {
                fathomed += node.share;
            }
            rows_.give_back(node.words);
            if (found[0] < no_bound) return Status::found;
        } while (limits.work < limits.budget && !limits.stopped());
        return Status::paused;
    }

    void put(std::span<const OpenNode> nodes) override {
        rows_.reserve(nodes.size());
        for (OpenNode node : nodes) {
            std::int64_t* words = rows_.take();
            std::memcpy(words, node.words, sizeof *words * tree_.words());
            node.words = words;
            push(heap_, node);
        }
    }

    std::vector<OpenNode> donate() override {
        std::vector<OpenNode> given, kept;
        if (heap_.empty()) {
            const auto half = plunge_.begin() + static_cast<std::ptrdiff_t>(plunge_.size() / 2);
            given.assign(plunge_.begin(), half);
            plunge_.erase(plunge_.begin(), half);
        } else {
            // The best one stays, unless a plunge is under way.
            const std::size_t wanted = std::min(most_donated, (heap_.size() + 1) / 2);
            const std::size_t ahead = plunge_.empty() ? 0 : 1;
            while (given.size() < wanted && !heap_.empty())
                (kept.size() + ahead <= given.size() ? kept : given).push_back(pop(heap_));
            for (const OpenNode& node : kept) push(heap_, node);
        }
        for (const OpenNode& node : given) rows_.give_back(node.words);
        return given;
    }

    std::vector<OpenNode> all() const override {
        std::vector<OpenNode> nodes = heap_;
        nodes.insert(nodes.end(), plunge_.begin(), plunge_.end());
        return nodes;
    }

    void clear() override {
        for (const auto& node : all()) rows_.give_back(node.words);
        heap_.clear();
        plunge_.clear();
    }

    std::int64_t open() const override { return static_cast<std::int64_t>(heap_.size() + plunge_.size()); }

    std::int64_t least() const override {
        std::int64_t least = heap_.empty() ? no_bound : heap_.front().bound;
        for (const OpenNode& node : plunge_) least = std::min(least, node.bound);
        return least;
    }

  private:
    /// A plunge goes on while its bound is at most one part in so many of the gap above the least.
    static constexpr int plunge_share_bits = 3;
    static constexpr std::size_t most_donated = 512;

    void branch(const OpenNode& node, std::int64_t cutoff, const std::int64_t* shared_cutoff, const Limits& limits,
                bool depth_first) {
        for (Child& child : children_) child.words = rows_.take();
        const int count = tree_.branch(node, cutoff, limits, children_.data(), found.data());
        nodes++;
        cutoff = std::min(__atomic_load_n(shared_cutoff, __ATOMIC_RELAXED), found[0]);
        int best = 0;
        for (int c = 1; c < count; c++)
            if (children_[c].bound < children_[best].bound) best = c;
        const std::int64_t least = heap_.empty() ? least_ : std::min(least_, heap_.front().bound);
        const std::int64_t near = least + ((cutoff - least) >> plunge_share_bits);
        const double share = node.share / std::max(1, count);
        for (int turn = 0; turn < count; turn++) {
            // The best child comes last, so that it is on top of the stack.
            const int c = turn == count - 1 ? best : turn < best ? turn : turn + 1;
            Child& child = children_[c];
            if (child.bound >= cutoff) {
                fathomed += share;
                continue;
            }
            const OpenNode open{child.bound, share, child.words};
            child.words = nullptr;
            if (depth_first || (c == best && child.bound <= near))
                plunge_.push_back(open);
            else
                push(heap_, open);
        }
        if (count == 0) {
            leaves++;
            fathomed += node.share;
        }
        for (const Child& child : children_)
            if (child.words != nullptr) rows_.give_back(child.words);
    }

    Tree tree_;
    NodeRows rows_;
    std::vector<OpenNode> heap_, plunge_;
    std::vector<Child> children_;
    std::int64_t least_ = 0;  // the bound of the node that came from the heap last
};

}  // namespace prunus::PRUNUS_SET
