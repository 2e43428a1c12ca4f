#include "knapsack/expanding_core.hpp"

#include <cmath>

#include "knapsack/bounds.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using knapsack::CoreStop;
using knapsack::ExpandingCore;
using knapsack::Relaxation;

ExpandingCore begin(const Relaxation& r, std::int64_t value, std::int64_t limit) {
    const auto known = static_cast<std::int64_t>(std::floor(r.bound + r.slack));
    ExpandingCore core;
    core.relaxation = &r;
    core.items = free_items(r, value);
    core.target = std::min(known, limit) - r.profit;
    core.best = value - r.profit;
    if (r.multiplier != 0.0) {
        std::int64_t inside = 0;
        for (std::int64_t j = 0; j < r.middle; j++) inside += r.count[j];
        core.side = static_cast<double>(r.side - inside);
    }
    core.left = core.items.middle - 1, core.right = core.items.middle;
    core.list.reserve(64)[0] = knapsack::first_state;
    core.list.at[1].weight = knapsack::end_weight;
    core.following.reserve(64);
    if (r.room >= 0 && r.profit > value) core.best = 0, core.best_step = 0;
    return core;
}

Outside outside(const ExpandingCore& core) {
    const auto& items = core.items;
    return {core.left, core.right, items.size(), items.cw.data(), items.cq.data(), items.e.data()};
}

/// What a better choice must be worth at least.
double lowest(const ExpandingCore& core) { return static_cast<double>(core.best + 1) - core.relaxation->slack; }

void note(ExpandingCore& core, const State& state, std::int64_t value, std::int64_t extra) {
    core.best = value;
    core.best_state = state;
    core.best_step = core.history.steps();
    core.best_emptied_at = core.history.emptied_at;
    core.best_extra = extra;
}

/// Tries every state together with one item outside the core, added or dropped.
void probe(ExpandingCore& core, std::int64_t reach) {
    const auto &w = core.items.w, &p = core.items.p;
    const State *states = core.list.at.get(), *end = states + core.count;
    const auto try_with = [&](std::int64_t weight, std::int64_t profit, std::int64_t extra) {
        const auto heavier = [](std::int64_t room, const State& s) { return room < s.weight; };
        const State* at = std::upper_bound(states, end, core.relaxation->room - weight, heavier);
        if (at != states && at[-1].profit + profit > core.best) note(core, at[-1], at[-1].profit + profit, extra);
    };
    for (std::int64_t j = core.right; j < std::min(core.items.size(), core.right + reach); j++)
        try_with(w[j], p[j], j + 1);
    for (std::int64_t j = core.left; j > std::max<std::int64_t>(-1, core.left - reach); j--)
        try_with(-w[j], -p[j], -j - 1);
}

/// Takes the next item into the core; -1 if nothing is left in which a better solution deviates.
std::int64_t next_item(ExpandingCore& core) {
    const double least = lowest(core);
    const std::int64_t n = core.items.size();
    while (core.left >= 0 || core.right < n) {
        const bool left = core.right >= n || (core.left >= 0 && core.to_left);
        core.to_left = !core.to_left;
        const std::int64_t j = left ? core.left-- : core.right++;
        if (core.items.forced[j] >= least) return j;
    }
    return -1;
}

/// Takes an item into the core: the list is merged with itself shifted by the item's deviation.
void expand(ExpandingCore& core, std::int64_t item) {
    const Relaxation& r = *core.relaxation;
    State* states = core.list.at.get();
    const State shift = deviation(core.items, item, core.history.bit());
    core.history.order.push_back(item);
    core.counted += core.items.count[item];
    const std::int64_t heaviest = states[core.count - 1].weight + std::max<std::int64_t>(shift.weight, 0);
    State* const out = core.following.at.get();
    Merge at{states, states, out, -knapsack::end_weight};
    for (const std::int64_t upto : {r.room, heaviest}) {
        const Threshold threshold{r.room, r.multiplier, lowest(core) - r.multiplier * core.side};
        merge(at, shift, upto, outside(core), threshold);
        if (upto == r.room && at.out != out && at.out[-1].profit > core.best)
            note(core, at.out[-1], at.out[-1].profit, 0);
    }
    at.out->weight = knapsack::end_weight;
    core.count = at.out - out;
    core.states += core.count;
    core.peak = std::max(core.peak, core.count);
    std::swap(core.list, core.following);
}

/// Makes room for the next list; false if that would take too much memory.
bool grow(ExpandingCore& core, std::int64_t memory) {
    constexpr std::int64_t both = 2 * sizeof(State);
    const std::int64_t least = 2 * core.count + 64;
    if (core.copied_bytes + both * least > memory) return false;
    const std::int64_t wanted = 4 * core.count + 64;
    const std::int64_t states = core.copied_bytes + both * wanted > memory ? least : wanted;
    core.following.reserve(states);
    return true;
}

CoreStop advance(ExpandingCore& core, Limits& limits, std::int64_t memory) {
    const std::int64_t began = core.states;
    for (;;) {
        if (core.count == 0 || core.best >= core.target) return CoreStop::done;
        if (2 * core.count + 8 > core.following.room && !grow(core, memory)) return CoreStop::memory;
        if (core.history.full()) {
            core.copied_bytes += knapsack::copy_bytes * core.count;
            if (core.copied_bytes > memory / 2) {
                core.copied_bytes -= knapsack::copy_bytes * core.count;
                return CoreStop::memory;
            }
            empty_words(core.history, core.list.at.get(), core.count);
        }
        if (core.states - began > limits.budget || limits.stopped()) return CoreStop::budget;
        if (core.relaxation->multiplier != 0.0 && core.counted >= knapsack::count_limit) return CoreStop::uncounted;
        if (core.count >= core.probe_length) {
            core.probe_length = 8 * core.count;
            probe(core, 4 * core.count);
            continue;
        }
        const std::int64_t item = next_item(core);
        if (item < 0) {
            core.count = 0;
            return CoreStop::done;
        }
        expand(core, item);
    }
}

std::int64_t bound(const ExpandingCore& core) {
    const Relaxation& r = *core.relaxation;
    const std::int64_t value = core.best + r.profit;
    if (core.count == 0 || core.best >= core.target) return value;
    const Threshold threshold{r.room, r.multiplier, 0.0};
    const double found =
        largest_bound(core.list.at.get(), core.count, outside(core), threshold) + r.multiplier * core.side;
    if (!std::isfinite(found)) return value;
    const auto most = static_cast<std::int64_t>(std::floor(found + r.slack));
    return std::max(value, std::min(core.target, most) + r.profit);
}

std::vector<std::int64_t> chosen(const ExpandingCore& core) {
    const auto& items = core.items;
    std::vector<std::uint8_t> flags(items.size());
    std::fill_n(flags.begin(), items.middle, 1);
    flip_deviations(core.history, items, core.best_state, core.best_emptied_at, core.best_step, flags);
    if (core.best_extra != 0) flags[std::abs(core.best_extra) - 1] = core.best_extra > 0;
    return numbered(*core.relaxation, items, flags);
}

}  // namespace

const knapsack::ExpandingCoreKernels& kernels(const knapsack::ExpandingCoreKernels*) {
    static constexpr knapsack::ExpandingCoreKernels table{begin, advance, bound, chosen};
    return table;
}

}  // namespace prunus::PRUNUS_SET
