// States of a core: what one choice among its items adds to the break solution, and their merge.
//
// A list of states is sorted by weight and ends with a state heavier than any; profits strictly
// increase along it, for dominated states are dropped.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>

namespace prunus::knapsack {

constexpr int decision_bits = 48;             // decisions that a word holds
constexpr std::int64_t count_zero = 1 << 15;  // the count of no item more and none less
constexpr std::int64_t count_limit = 30'000;  // items after which a count might not fit its 16 bits
constexpr std::int64_t end_weight = std::int64_t{1} << 62;

/// Relative to the break solution.
struct State {
    std::int64_t weight, profit;
    std::uint64_t word;  // the last decisions; above them the number of items, plus `count_zero`
};

constexpr State first_state{0, 0, static_cast<std::uint64_t>(count_zero) << decision_bits};

/// Memory for states; what is not touched costs nothing.
struct StateMemory {
    std::unique_ptr<State[]> at;
    std::int64_t room = 0;

    /// Room for so many states; the first `kept` stay.
    State* reserve(std::int64_t states, std::int64_t kept = 0) {
        if (states > room) {
            std::unique_ptr<State[]> longer(new State[states]);
            std::copy_n(at.get(), kept, longer.get());
            at = std::move(longer);
            room = states;
        }
        return at.get();
    }
};

/// What a state must be able to reach to be kept.
struct Threshold {
    std::int64_t room;  // the weight at which the knapsack is full
    double multiplier;  // of the constraint on the number of items
    double least;       // for its bound less the multiplier times its number of items
};

}  // namespace prunus::knapsack

namespace prunus::PRUNUS_SET {

using knapsack::State;
using knapsack::Threshold;

/// The items outside a core: those up to `left` are in the break solution, those from `right` to `n - 1`
/// are not. Sums over the items before each and efficiencies as in `SortedItems`.
struct Outside {
    std::int64_t left, right, n;
    const std::int64_t* cw;
    const double* cq;
    const double* e;
};

inline double items_of(std::uint64_t word) {
    return static_cast<double>(static_cast<std::int64_t>(word >> knapsack::decision_bits) - knapsack::count_zero);
}

/// The linear relaxation over the items outside a core, for states of ascending weight (D. Pisinger 1997, A minimal
/// algorithm for the 0-1 knapsack problem): the break item only ever moves one way. What outside items add to a state
/// of weight w, no heavier than `ceiling`, is at most `constant + (room - w) * slope`.
struct Relaxed {
    Outside items;
    std::int64_t room, q, ceiling;
    double slope, constant;

    Relaxed(const Outside& outside, std::int64_t full, std::int64_t weight) : items(outside), room(full) {
        const auto& [left, right, n, cw, cq, e] = items;
        if (weight <= room) {  // the first items from `right` on fit
            q = std::upper_bound(cw + right, cw + n + 1, cw[right] + room - weight) - cw - 1;
        } else {  // items `left` and below must go
            q = left < 0 ? -1 : std::upper_bound(cw, cw + left + 1, cw[left + 1] - (weight - room)) - cw - 1;
        }
        take();
    }

    /// Moves on to the break item of a heavier state; false if nothing is left that could make room for it.
    bool reach(std::int64_t weight) {
        while (q >= 0 && weight > ceiling) {
            q = q == items.right ? items.left : q - 1;
            take();
        }
        return q >= 0;
    }

    double value(std::int64_t weight) const { return static_cast<double>(room - weight) * slope + constant; }

  private:
    void take() {
        const auto& [left, right, n, cw, cq, e] = items;
        slope = q >= 0 ? e[q] : 0.0;
        if (q >= right) {
            const std::int64_t full = cw[q] - cw[right];
            ceiling = room - full;
            constant = cq[q] - cq[right] - static_cast<double>(full) * slope;
        } else if (q < 0) {
            ceiling = -knapsack::end_weight;
            constant = -std::numeric_limits<double>::infinity();
        } else {
            ceiling = room + cw[left + 1] - cw[q];
            constant = static_cast<double>(cw[left + 1] - cw[q + 1]) * slope - (cq[left + 1] - cq[q + 1]);
        }
    }
};

/// How far a merge has come: the next state of either list, where the next survivor goes; only profits above `best`
/// are not dominated.
struct Merge {
    const State* first;
    const State* second;
    State* out;
    std::int64_t best;
};

/// Merges the states of a list with those of another one, to each of which `shift` is added, up to the weight `upto`;
/// either list must have a heavier state, be it its end. Dominated states are dropped, and those whose bound is too
/// low. Counts items only if the multiplier is not 0.
template <bool counted>
void merge(Merge& at, const State& shift, std::int64_t upto, const Outside& outside, const Threshold& threshold) {
    const State *a = at.first, *b = at.second;
    std::int64_t w = std::min(a->weight, b->weight + shift.weight);
    if (w > upto) return;
    State* out = at.out;
    std::int64_t last = at.best, kept = -knapsack::end_weight;
    Relaxed relaxed(outside, threshold.room, w);
    const std::int64_t room = threshold.room;
    const double lam = threshold.multiplier;
    while (relaxed.reach(w)) {
        const double slope = relaxed.slope, need = threshold.least - relaxed.constant;
        const std::int64_t stop = std::min(upto, relaxed.ceiling);
        for (;;) {
            // Which list comes next is as good as random. Masks made of signs stay free of the branches that
            // compilers make of anything else.
            const State x = *a;
            const std::int64_t ahead = b->weight + shift.weight - x.weight, mask = ahead >> 63;
            w = x.weight + (ahead & mask);
            if (w > stop) break;
            const std::int64_t p = x.profit + ((b->profit + shift.profit - x.profit) & mask);
            const std::uint64_t word = x.word ^ ((x.word ^ (b->word + shift.word)) & static_cast<std::uint64_t>(mask));
            a += 1 + mask;
            b -= mask;
            double value = static_cast<double>(p) + static_cast<double>(room - w) * slope;
            if constexpr (counted) value -= lam * items_of(word);
            const auto keep = static_cast<std::int64_t>((last - p) < 0) & static_cast<std::int64_t>(value >= need);
            out -= keep & static_cast<std::int64_t>(w == kept);  // the lighter profit of two of one weight
            *out = {w, p, word};
            kept += (w - kept) & -keep;
            out += keep;
            last = std::max(last, p);
        }
        if (w > upto) break;
    }
    at = {a, b, out, last};
}

inline void merge(Merge& at, const State& shift, std::int64_t upto, const Outside& outside,
                  const Threshold& threshold) {
    if (threshold.multiplier != 0.0)
        merge<true>(at, shift, upto, outside, threshold);
    else
        merge<false>(at, shift, upto, outside, threshold);
}

/// The largest bound over states of ascending weight, less the multiplier times the count.
inline double largest_bound(const State* states, std::int64_t count, const Outside& outside,
                            const Threshold& threshold) {
    double best = -std::numeric_limits<double>::infinity();
    if (count == 0) return best;
    Relaxed relaxed(outside, threshold.room, states[0].weight);
    for (std::int64_t i = 0; i < count && relaxed.reach(states[i].weight); i++) {
        const State& s = states[i];
        best = std::max(
            best, static_cast<double>(s.profit) + relaxed.value(s.weight) - threshold.multiplier * items_of(s.word));
    }
    return best;
}

}  // namespace prunus::PRUNUS_SET
