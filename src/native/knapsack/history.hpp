// Which items a state stands for: its word tells the last decisions, copies of lists those before.
#pragma once

#include <cstdint>
#include <vector>

#include "knapsack/relaxation.hpp"
#include "knapsack/states.hpp"

namespace prunus::knapsack {

/// A list as it was when its words were emptied.
struct ListCopy {
    std::int64_t step;  // items that were decided until then
    std::vector<std::int64_t> weights;
    std::vector<std::uint64_t> words;
};

/// How the states of a list came to be.
struct History {
    std::vector<std::int64_t> order;  // the items, in the order in which they were decided
    std::int64_t emptied_at = 0;      // the words tell the decisions after this step
    std::vector<ListCopy> copies;

    std::int64_t steps() const { return static_cast<std::int64_t>(order.size()); }
    bool full() const { return steps() - emptied_at >= decision_bits; }
    std::uint64_t bit() const { return std::uint64_t{1} << (steps() - emptied_at); }
};

constexpr std::int64_t copy_bytes = 16;  // of a state in a copy

}  // namespace prunus::knapsack

namespace prunus::PRUNUS_SET {

/// What the deviation of an item adds to a state: it is taken if it is not in the break solution, else dropped.
inline State deviation(const knapsack::SortedItems& items, std::int64_t item, std::uint64_t bit) {
    const std::int64_t sign = item >= items.middle ? 1 : -1;
    const auto many = static_cast<std::uint64_t>(sign * items.count[item]);
    return {sign * items.w[item], sign * items.p[item], bit + (many << knapsack::decision_bits)};
}

/// Keeps a copy of a list and forgets the decisions in its words.
inline void empty_words(knapsack::History& history, State* states, std::int64_t count) {
    knapsack::ListCopy copy{history.steps(), {}, {}};
    copy.weights.resize(count), copy.words.resize(count);
    for (std::int64_t i = 0; i < count; i++) {
        copy.weights[i] = states[i].weight, copy.words[i] = states[i].word;
        states[i].word &= ~((std::uint64_t{1} << knapsack::decision_bits) - 1);
    }
    history.copies.push_back(std::move(copy));
    history.emptied_at = history.steps();
}

/// Flips the flags of the items in which a state of a list deviates that had decided the first `last` items, its words
/// emptied after `emptied_at` of them.
inline void flip_deviations(const knapsack::History& history, const knapsack::SortedItems& items, State state,
                            std::int64_t emptied_at, std::int64_t last, std::vector<std::uint8_t>& flags) {
    std::size_t copies = history.copies.size();
    while (copies > 0 && history.copies[copies - 1].step > emptied_at) copies--;
    for (std::int64_t begin = emptied_at;;) {
        for (std::int64_t step = begin; step < last; step++) {
            if ((state.word >> (step - begin) & 1) == 0) continue;
            const std::int64_t item = history.order[step];
            state.weight -= item >= items.middle ? items.w[item] : -items.w[item];
            flags[item] ^= 1;
        }
        if (begin == 0) return;
        const knapsack::ListCopy& copy = history.copies[--copies];
        state.word =
            copy.words[std::lower_bound(copy.weights.begin(), copy.weights.end(), state.weight) - copy.weights.begin()];
        last = begin;
        begin = copies > 0 ? history.copies[copies - 1].step : 0;
    }
}

/// The items of a choice, numbered as in what was relaxed, from a flag for each item that is free.
inline std::vector<std::int64_t> numbered(const knapsack::Relaxation& r, const knapsack::FreeItems& items,
                                          const std::vector<std::uint8_t>& flags) {
    std::vector<std::int64_t> found;
    std::int64_t k = 0;
    for (std::int64_t j = 0; j < r.middle; j++) {
        const bool free = k < items.size() && items.number[k] == j;
        if (!free || flags[k] != 0) found.push_back(r.number[j]);
        k += free;
    }
    for (; k < items.size(); k++)
        if (flags[k] != 0) found.push_back(r.number[items.number[k]]);
    return found;
}

}  // namespace prunus::PRUNUS_SET
