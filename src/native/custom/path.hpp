// The states along a path of a user's tree, and calls of the user's functions for its nodes.
#pragma once

#include <algorithm>

#include "custom/problem.hpp"
#include "treesearch/item_sets.hpp"

namespace prunus::PRUNUS_SET {

class Path {
  public:
    explicit Path(const custom::Problem& problem)
        : problem_(problem),
          size_(static_cast<std::size_t>(problem.numbers[custom::STATE])),
          row_(static_cast<std::size_t>(problem.items()) * size_),
          keeps_(row_ * problem.radix.size() <= most_kept),
          states_((problem.radix.size() + 1) * size_ + 1),
          children_(row_ * (keeps_ ? problem.radix.size() : 1) + 1),
          state_(problem.radix.size() + 1),
          rated_(problem.radix.size() + 1),
          items_(problem.items() + 1),
          siblings_(std::max(problem.items(), problem.levels()) + 2),
          words_((problem.items() + 63) / 64),
          order_(problem.radix.size()),
          pointers_(custom::ARRAYS) {
        pointers_[custom::FREE] = siblings_.data() + 1;
        pointers_[custom::WORDS] = words_.data();
        pointers_.insert(pointers_.end(), problem.arrays.begin(), problem.arrays.end());
        for (int level = 0; level <= levels(); level++) state_[level] = own_state(level);
        std::copy(problem.root.begin(), problem.root.end(), states_.begin());
    }

    Path(const Path&) = delete;
    Path& operator=(const Path&) = delete;

    int levels() const { return problem_.levels(); }

    /// The state of the node at a level; that of level 0 is the root's.
    const std::int64_t* state(int level) const { return state_[level]; }

    /// Goes to a node of a level with this state.
    void set_state(int level, const std::int64_t* state) {
        state_[level] = own_state(level);
        std::copy_n(state, size_, own_state(level));
        rated_[level] = false;
    }

    /// Goes to a child of the node at a level.
    void descend(int level, int item) {
        order_[level] = item;
        rated_[level + 1] = false;
        if (keeps_ && rated_[level]) {
            state_[level + 1] = child(level, item);
            return;
        }
        set_state(level + 1, state(level));
        pointers_[custom::STATES] = own_state(level + 1);
        call(problem_.descend, level, item, level + 1);
    }

    /// Rates all children of the node at a level, whose items are given, by `bound` or `guide`;
    /// writes what was found to the places of the items, and returns how many there are.
    template <class Set>
    int rate(custom::Function function, int level, Set free, std::int64_t* ratings) {
        // One loop: where it ends is hard to predict.
        int count = 0;
        const std::int64_t* const parent = state(level);
        std::int64_t* const children = child(level, 0);
        free.visit([&](int item) {
            items_[count] = siblings_[count] = item;
            count++;
            if (size_ == 2)
                children[2 * item] = parent[0], children[2 * item + 1] = parent[1];
            else
                std::copy_n(parent, size_, children + item * size_);
            return true;
        });
        siblings_[count] = -1;
        for (int w = 0; w < free.words(); w += 2) {
            const std::uint64_t high = w + 1 < free.words() ? free.word[w + 1] : 0;
            words_[w / 2] = static_cast<std::int64_t>(high << 32 | free.word[w]);
        }
        pointers_[custom::ITEMS] = items_.data();
        pointers_[custom::STATES] = children;
        pointers_[custom::COSTS] = ratings;
        call(function, level, count, level);
        rated_[level] = true;
        return count;
    }

    /// The items of the children that were rated last, in increasing order.
    const std::int64_t* items() const { return items_.data(); }

    /// Goes down from a level on in an order of all items; returns the leaf's cost, or `limit` or more
    /// if that is as much.
    std::int64_t walk(const std::int64_t* order, int first, std::int64_t limit) {
        int count = 0;
        std::int64_t* const free = siblings_.data() + 1;
        std::fill(words_.begin(), words_.end(), 0);
        if (problem_.constrained && !problem_.repeating) {
            for (int level = first; level < levels(); level++)
                words_[order[level] >> 6] |= std::int64_t{1} << (order[level] & 63);
            for (int item = 0; item < problem_.items(); item++)
                if (words_[item >> 6] >> (item & 63) & 1) free[count++] = item;
        }
        free[count] = -1;
        std::copy_n(order, levels(), order_.data());
        if (state_[first] != own_state(first)) set_state(first, state(first));
        for (int level = first + 1; level <= levels(); level++) state_[level] = own_state(level);
        pointers_[custom::ITEMS] = order_.data();
        pointers_[custom::STATES] = states_.data();
        std::int64_t cost = limit;
        pointers_[custom::COSTS] = &cost;
        call(problem_.walk, first, levels(), levels());
        return cost;
    }

  private:
    /// Children's states of all levels are kept if they take no more numbers: 4 MiB. Then nobody
    /// computes that of the child which the search goes to once more.
    static constexpr std::size_t most_kept = std::size_t{1} << 19;

    std::int64_t* own_state(int level) { return states_.data() + static_cast<std::size_t>(level) * size_; }
    std::int64_t* child(int level, int item) {
        return children_.data() + (keeps_ ? level * row_ : 0) + static_cast<std::size_t>(item) * size_;
    }

    /// Throws `Raised` with the first `known` items of the path.
    void call(custom::Function function, std::int64_t first, std::int64_t second, int known) {
        if (function(pointers_.data(), problem_.numbers.data(), first, second) == 0) return;
        std::string path;
        for (int level = 0; level < known; level++) path += std::to_string(order_[level]) + ' ';
        throw custom::Raised(path);
    }

    const custom::Problem& problem_;
    const std::size_t size_, row_;  // numbers of a state, and of the states of all children
    const bool keeps_;
    std::vector<std::int64_t> states_, children_;
    std::vector<const std::int64_t*> state_;
    std::vector<char> rated_;  // whether the children of the node at a level have their states
    std::vector<std::int64_t> items_, siblings_, words_, order_;
    std::vector<std::int64_t*> pointers_;
};

}  // namespace prunus::PRUNUS_SET
