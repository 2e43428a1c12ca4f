#include "knapsack/two_lists.hpp"

#include <cmath>

#include "knapsack/order.hpp"
#include "threads.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using knapsack::ExpandingCore;
using knapsack::StateList;
using knapsack::TwoListLimits;
using knapsack::TwoLists;
using knapsack::TwoListStop;

/// Who has an item: nobody yet, one of the lists, or nobody any more, for no better choice deviates in it.
enum Owner : std::uint8_t { open, first_list, second_list, closed };

TwoLists begin(ExpandingCore&& core) {
    const auto n = core.items.size();
    const std::int64_t middle = core.items.middle;
    TwoLists two;
    two.relaxation = core.relaxation;
    two.items = std::move(core.items);
    two.side = core.side;
    two.following = std::move(core.following);
    two.owner.assign(n, open);
    two.cw.resize(n + 1), two.cq.resize(n + 1), two.e.resize(n + 1);
    two.joined = 2 * core.count;
    two.best = core.best;
    two.copied_bytes = core.copied_bytes;
    two.lists[0] = {std::move(core.list), core.count, std::move(core.history), core.counted};
    core.count = 0;
    two.lists[1].states.reserve(64)[0] = knapsack::first_state;
    two.lists[1].count = 1;
    for (const std::int64_t item : two.lists[0].history.order) two.owner[item] = first_list;
    for (std::int64_t left = middle - 1, right = middle; left >= 0 || right < n; left--, right++) {
        if (left >= 0) two.near.push_back(left);
        if (right < n) two.near.push_back(right);
    }
    std::vector<std::uint64_t> keys(n);
    for (std::int64_t j = 0; j < n; j++) {
        // Bit patterns of floats that are not negative ascend with them, those of the others descend.
        const auto bits = std::bit_cast<std::int64_t>(two.items.forced[j]);
        keys[j] = static_cast<std::uint64_t>(bits < 0 ? ~bits : bits | INT64_MIN);
    }
    for (const std::uint32_t item : order_of(keys)) two.far.push_back(item);
    return two;
}

double lowest(const TwoLists& two) { return static_cast<double>(two.best + 1) - two.relaxation->slack; }

Threshold threshold(const TwoLists& two) {
    const double multiplier = two.relaxation->multiplier;
    return {two.relaxation->room, multiplier, lowest(two) - multiplier * two.side};
}

/// The items that are not a list's own.
Outside outside(TwoLists& two, int mine) {
    const auto& items = two.items;
    const double multiplier = two.relaxation->multiplier;
    std::int64_t k = 0, left = 0, weight = 0;
    // What floats lose in a long sum can be more than the slack: whole numbers.
    std::int64_t worth = 0, many = 0;
    const auto note = [&] {
        two.cw[k] = weight;
        two.cq[k] = static_cast<double>(worth) - multiplier * static_cast<double>(many);
    };
    for (std::int64_t j = 0; j < items.size(); j++) {
        if (two.owner[j] == mine + 1) continue;
        note();
        two.e[k] = items.e[j];
        weight += items.w[j];
        if (items.e[j] > 0.0) worth += items.p[j], many += items.count[j];
        k++;
        if (j < items.middle) left = k;
    }
    note();
    two.e[k] = 0.0;
    return {left - 1, left, k, two.cw.data(), two.cq.data(), two.e.data()};
}

/// Closes the items in which no better choice deviates.
void close_hopeless(TwoLists& two) {
    const auto n = static_cast<std::int64_t>(two.far.size());
    for (; two.hopeless_at < n; two.hopeless_at++) {
        const std::int64_t item = two.far[two.hopeless_at];
        if (two.items.forced[item] >= lowest(two)) return;
        if (two.owner[item] == open) two.owner[item] = closed;
    }
}

/// The next item of a list, -1 if none is left.
std::int64_t next_item(TwoLists& two, int mine) {
    auto& order = mine == 0 ? two.near : two.far;
    auto& at = mine == 0 ? two.near_at : two.far_at;
    for (; at < static_cast<std::int64_t>(order.size()); at++)
        if (two.owner[order[at]] == open) return order[at];
    return -1;
}

const State* not_lighter(const State* begin, const State* end, std::int64_t weight) {
    return std::lower_bound(begin, end, weight, [](const State& s, std::int64_t w) { return s.weight < w; });
}

/// Lets every state of a list deviate in one more item, or not; false if the look said stop, and nothing has happened.
///
/// A range of weights is merged by itself: what dominates its first state stands right before it in either list. So
/// threads share a merge, and whoever called is asked between two ranges.
bool add(TwoLists& two, int mine, const State& shift, const TwoListLimits& limits, Look look) {
    StateList& list = two.lists[mine];
    const std::int64_t n = list.count;
    State* const states = list.states.reserve(n + 1, n);
    State* const out = two.following.reserve(2 * n + 1);
    states[n].weight = knapsack::end_weight;
    const Outside others = outside(two, mine);
    const Threshold needed = threshold(two);
    const std::int64_t pieces = std::max<std::int64_t>(1, n / limits.piece_states);
    struct Piece {
        std::int64_t weight, first, second, count;  // where it begins in either list, and how many states it has
    };
    std::vector<Piece> parts(pieces + 1);
    for (std::int64_t t = 0; t < pieces; t++) {
        // Half of the splits come from the list, half from its shifted self.
        const std::int64_t weight = states[n * t / pieces].weight + (t % 2 == 0 ? 0 : shift.weight);
        parts[t].weight = t == 0 ? -knapsack::end_weight : weight;
    }
    std::sort(parts.begin(), parts.end() - 1, [](const Piece& a, const Piece& b) { return a.weight < b.weight; });
    parts[pieces].weight = knapsack::end_weight;
    for (Piece& part : parts) {
        part.first = part.weight == knapsack::end_weight ? n : not_lighter(states, states + n, part.weight) - states;
        part.second = part.weight == knapsack::end_weight
                          ? n
                          : not_lighter(states, states + n, part.weight - shift.weight) - states;
    }
    const auto merge_piece = [&](std::int64_t t, int) {
        Piece& part = parts[t];
        const std::int64_t i = part.first, j = part.second;
        State* const to = out + i + j;  // none of the pieces before reaches as far
        std::int64_t best = -knapsack::end_weight;
        if (i > 0) best = states[i - 1].profit;
        if (j > 0) best = std::max(best, states[j - 1].profit + shift.profit);
        Merge at{states + i, states + j, to, best};
        std::int64_t upto = parts[t + 1].weight - 1;
        if (t + 1 == pieces) upto = states[n - 1].weight + std::max<std::int64_t>(shift.weight, 0);
        merge(at, shift, upto, others, needed);
        part.count = at.out - to;
    };
    const int threads = n < limits.shared_states ? 1 : limits.threads;
    if (!share(threads, pieces, n < limits.piece_states ? Look{} : look, merge_piece)) return false;
    std::int64_t made = 0;
    std::vector<std::int64_t> place(pieces);
    for (std::int64_t t = 0; t < pieces; t++) {
        place[t] = made;
        made += parts[t].count;
    }
    // The list as it was is not needed any more.
    State* const into = list.states.reserve(made + 1);
    share(threads, pieces, {}, [&](std::int64_t t, int) {
        std::copy_n(out + parts[t].first + parts[t].second, parts[t].count, into + place[t]);
    });
    list.count = made;
    two.states += made;
    two.merged += 2 * n;
    return true;
}

/// Takes the choice for which a pair of states stands.
void take(TwoLists& two, std::int64_t value, std::int64_t i, std::int64_t j) {
    std::vector<std::uint8_t> flags(two.items.size());
    std::fill_n(flags.begin(), two.items.middle, 1);
    for (const auto& [list, at] : {std::pair{&two.lists[0], i}, std::pair{&two.lists[1], j}}) {
        const auto& history = list->history;
        flip_deviations(history, two.items, list->states.at[at], history.emptied_at, history.steps(), flags);
    }
    two.best = value;
    two.chosen = numbered(*two.relaxation, two.items, flags);
}

/// Looks for the best pair of states, each of one list with the heaviest of the other that it leaves room for.
bool join(TwoLists& two, const TwoListLimits& limits, Look look) {
    struct Pair {
        std::int64_t value, first, second;
    };
    const StateList &a = two.lists[0], &b = two.lists[1];
    const std::int64_t room = two.relaxation->room;
    const std::int64_t pieces = std::max<std::int64_t>(1, a.count / (16 * limits.piece_states));
    std::vector<Pair> found(pieces);
    const bool all = share(a.count < limits.shared_states ? 1 : limits.threads, pieces, look, [&](std::int64_t t, int) {
        const std::int64_t begin = a.count * t / pieces, end = a.count * (t + 1) / pieces;
        const State *one = a.states.at.get(), *other = b.states.at.get();
        Pair best{two.best, -1, -1};
        std::int64_t j = begin == end ? 0 : not_lighter(other, other + b.count, room - one[begin].weight + 1) - other;
        for (std::int64_t i = begin; i < end && j > 0; i++) {
            while (j > 0 && other[j - 1].weight > room - one[i].weight) j--;
            if (j > 0 && one[i].profit + other[j - 1].profit > best.value)
                best = {one[i].profit + other[j - 1].profit, i, j - 1};
        }
        found[t] = best;
    });
    if (!all) return false;
    two.joined = two.size();
    const Pair best =
        *std::max_element(found.begin(), found.end(), [](const Pair& x, const Pair& y) { return x.value < y.value; });
    if (best.first >= 0) take(two, best.value, best.first, best.second);
    return true;
}

TwoListStop advance(TwoLists& two, const TwoListLimits& limits, Look look) {
    const std::int64_t until = two.merged + limits.states, value = two.best;
    std::int64_t looked_at = two.merged;
    for (std::int64_t steps = 0;; steps++) {
        close_hopeless(two);
        const bool any = two.lists[0].count > 0 && two.lists[1].count > 0;
        if (any && two.size() > 2 * two.joined) {
            if (!join(two, limits, look)) return TwoListStop::stopped;
            if (two.best > value) return TwoListStop::improved;
        }
        const int mine = two.lists[0].count <= two.lists[1].count ? 0 : 1;
        StateList& list = two.lists[mine];
        const std::int64_t item = next_item(two, mine);
        if (item < 0 || !any) {
            if (any && !join(two, limits, look)) return TwoListStop::stopped;
            two.done = true;
            return TwoListStop::done;
        }
        const std::int64_t states = 2 * two.size() + 3 * list.count;
        if (static_cast<std::int64_t>(sizeof(State)) * states + two.copied_bytes > limits.memory)
            return TwoListStop::memory;
        if (two.relaxation->multiplier != 0.0 && list.counted + two.items.count[item] >= knapsack::count_limit)
            return TwoListStop::uncounted;
        if (two.merged >= until) return TwoListStop::budget;
        if (two.merged - looked_at + steps * two.items.size() >= limits.piece_states) {
            looked_at = two.merged, steps = 0;
            if (look()) return TwoListStop::stopped;
        }
        if (list.history.full()) {
            two.copied_bytes += knapsack::copy_bytes * list.count;
            empty_words(list.history, list.states.at.get(), list.count);
        }
        two.owner[item] = static_cast<std::uint8_t>(mine + 1);
        if (!add(two, mine, deviation(two.items, item, list.history.bit()), limits, look)) {
            two.owner[item] = open;
            return TwoListStop::stopped;
        }
        list.history.order.push_back(item);
        list.counted += two.items.count[item];
    }
}

std::int64_t bound(TwoLists& two) {
    const auto& r = *two.relaxation;
    const std::int64_t value = two.best + r.profit;
    if (two.done) return value;
    double found = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 2; k++) {
        const StateList& list = two.lists[k];
        found = std::min(found, largest_bound(list.states.at.get(), list.count, outside(two, k), threshold(two)));
    }
    found += r.multiplier * two.side;
    if (!std::isfinite(found)) return value;
    return std::max(value, static_cast<std::int64_t>(std::floor(found + r.slack)) + r.profit);
}

}  // namespace

const knapsack::TwoListKernels& kernels(const knapsack::TwoListKernels*) {
    static constexpr knapsack::TwoListKernels table{begin, advance, bound};
    return table;
}

}  // namespace prunus::PRUNUS_SET
