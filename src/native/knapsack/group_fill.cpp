#include "knapsack/group_fill.hpp"

#include <algorithm>
#include <map>

namespace prunus::PRUNUS_SET {
namespace {

using knapsack::Choice;
using knapsack::Counts;
using knapsack::Group;
using knapsack::group_scale;
using knapsack::GroupItem;
using knapsack::Groups;
using knapsack::PricedCounts;

std::int64_t worth_of(const GroupItem& item, std::int64_t price) {
    return group_scale * item.profit - price * item.weight;
}

/// A group's items, those worth most at a price first.
std::vector<GroupItem> ranked(const Group& group, std::int64_t price) {
    std::vector<GroupItem> items = group.items;
    std::stable_sort(items.begin(), items.end(), [price](const GroupItem& a, const GroupItem& b) {
        return worth_of(a, price) > worth_of(b, price);
    });
    return items;
}

std::int64_t room_of(const Groups& groups, const Counts& counts) {
    std::int64_t room = groups.capacity;
    for (std::size_t c = 0; c < counts.size(); c++) room -= counts[c] * groups.groups[c].base;
    return room;
}

struct Pair {
    std::int64_t weight, profit;
    bool operator==(const Pair&) const = default;
};

/// Lists of states, ascending, by balance.
using Lists = std::map<int, std::vector<Pair>>;

/// The lists of all steps, to trace a choice back.
class Steps {
  public:
    Steps(std::int64_t room_left, std::int64_t price_of_weight, std::int64_t threshold, const Pair& start, Look look)
        : room(room_left), price(price_of_weight), least(threshold), ask(look), lists{{0, {start}}} {}

    /// Lets an item deviate, which adds `step` to the balance and `shift` to weight and profit. `worth` is what an item
    /// more than wanted is worth at least, and a missing one at most.
    void item(std::int64_t number, int step, const Pair& shift, std::int64_t worth) {
        if (ask()) throw GroupsStopped{};
        Lists after;
        for (const auto& [balance, states] : lists) after[balance], after[balance + step];
        static const std::vector<Pair> none;
        const auto list = [&](int balance) -> const std::vector<Pair>& {
            const auto at = lists.find(balance);
            return at == lists.end() ? none : at->second;
        };
        for (auto& [balance, states] : after)
            merge(list(balance - step), shift, list(balance), least + balance * worth, states);
        std::erase_if(after, [](const auto& entry) { return entry.second.empty(); });
        done.push_back({number, step, shift, std::move(lists)});
        lists = std::move(after);
    }

    /// Leaves a group: as many items were added as dropped.
    void settle() {
        std::erase_if(lists, [](const auto& entry) { return entry.first != 0; });
    }

    /// The best profit that fits, and the items that deviate; -1 if it is not worth enough.
    Choice best() const {
        Choice found{-1, {}};
        const auto at = lists.find(0);
        if (at == lists.end()) return found;
        const auto& states = at->second;
        const auto beyond = std::upper_bound(states.begin(), states.end(), room,
                                             [](std::int64_t r, const Pair& s) { return r < s.weight; });
        if (beyond == states.begin() || group_scale * beyond[-1].profit < least) return found;
        Pair state = beyond[-1];
        found.value = state.profit;
        int balance = 0;
        for (auto step = done.rbegin(); step != done.rend(); ++step) {
            const auto before = step->lists.find(balance);
            if (before != step->lists.end() &&
                std::binary_search(before->second.begin(), before->second.end(), state,
                                   [](const Pair& a, const Pair& b) {
                                       return a.weight < b.weight || (a.weight == b.weight && a.profit < b.profit);
                                   }))
                continue;
            found.items.push_back(step->number);
            state.weight -= step->shift.weight, state.profit -= step->shift.profit;
            balance -= step->step;
        }
        return found;
    }

  private:
    struct Done {
        std::int64_t number;
        int step;
        Pair shift;
        Lists lists;  // before it
    };

    /// Merges a shifted list with another; keeps what is not dominated and may be worth enough.
    void merge(const std::vector<Pair>& moved, const Pair& shift, const std::vector<Pair>& same, std::int64_t enough,
               std::vector<Pair>& out) const {
        std::int64_t last = nothing;
        for (std::size_t i = 0, j = 0; i < moved.size() || j < same.size();) {
            const bool take =
                j == same.size() || (i < moved.size() && moved[i].weight + shift.weight <= same[j].weight);
            Pair s = take ? moved[i++] : same[j++];
            if (take) s.weight += shift.weight, s.profit += shift.profit;
            if (s.profit <= last || group_scale * s.profit + price * (room - s.weight) < enough) continue;
            if (!out.empty() && out.back().weight == s.weight) out.pop_back();
            out.push_back(s);
            last = s.profit;
        }
    }

    const std::int64_t room, price, least;  // the threshold times the scale
    const Look ask;
    Lists lists;
    std::vector<Done> done;
};

/// Lets the items of a group be exchanged, of which the first k are chosen.
void deviate(Steps& steps, const std::vector<GroupItem>& items, std::int64_t k, std::int64_t price,
             std::int64_t budget) {
    const auto n = static_cast<std::int64_t>(items.size());
    if (k == 0 || k == n) return;
    const std::int64_t first_out = worth_of(items[k], price), last_in = worth_of(items[k - 1], price);
    // Turn by turn, the cheapest first, so that balances stay small.
    for (std::int64_t t = 0;; t++) {
        const std::int64_t out = k - 1 - t, in = k + t;
        const bool drop = out >= 0 && worth_of(items[out], price) - first_out <= budget;
        const bool add = in < n && last_in - worth_of(items[in], price) <= budget;
        if (!drop && !add) break;
        if (drop) steps.item(items[out].number, -1, {-items[out].weight, -items[out].profit}, first_out);
        if (add) steps.item(items[in].number, 1, {items[in].weight, items[in].profit}, first_out);
    }
    steps.settle();
}

}  // namespace

CountsBound counts_bound(const Groups& groups, const Counts& counts, std::int64_t price) {
    const std::int64_t room = room_of(groups, counts);
    CountsBound found{price, price * room, room};
    for (std::size_t c = 0; c < counts.size(); c++) {
        const std::vector<GroupItem> items = ranked(groups.groups[c], price);
        for (std::int64_t k = 0; k < counts[c]; k++) {
            found.bound += worth_of(items[k], price);
            found.slope -= items[k].weight;
        }
    }
    for (const GroupItem& item : groups.free) {
        const std::int64_t worth = worth_of(item, price);
        if (worth > 0) found.bound += worth, found.slope -= item.weight;
    }
    return found;
}

// Of a convex function of the price two tangents that meet tell where to look next.
PricedCounts least_bound(const Groups& groups, const Counts& counts, std::int64_t hint, std::int64_t enough) {
    CountsBound low = counts_bound(groups, counts, hint), high = low;
    PricedCounts best{low.price, low.bound};
    const auto note = [&best](const CountsBound& found) {
        if (found.bound < best.bound) best = {found.price, found.bound};
    };
    for (std::int64_t step = group_scale / 8; best.bound >= enough && (low.slope > 0 || high.slope < 0); step *= 4) {
        const bool down = low.slope > 0;
        const std::int64_t price =
            down ? std::max<std::int64_t>(0, low.price - step) : std::min(groups.highest, high.price + step);
        if (price == low.price || price == high.price) return best;
        const CountsBound found = counts_bound(groups, counts, price);
        if (down)
            high = low, low = found;
        else
            low = high, high = found;
        note(found);
    }
    while (best.bound >= enough && high.price - low.price > 1 && low.slope < 0 && 0 < high.slope) {
        const std::int64_t rise = high.bound - low.bound + low.slope * low.price - high.slope * high.price;
        std::int64_t price = rise / (low.slope - high.slope);
        if (rise % (low.slope - high.slope) != 0 && (rise < 0) == (low.slope > high.slope)) price--;
        price = std::min(std::max(price, low.price + 1), high.price - 1);
        const CountsBound found = counts_bound(groups, counts, price);
        (found.slope < 0 ? low : high) = found;
        note(found);
    }
    return best;
}

Choice fill(const Groups& groups, const Counts& counts, const PricedCounts& at, std::int64_t least, Look look) {
    const std::int64_t budget = at.bound - group_scale * least;
    if (budget < 0) return {-1, {}};
    std::vector<std::vector<GroupItem>> items;
    std::vector<std::int64_t> chosen;
    Pair start{0, 0};
    const auto take = [&](const GroupItem& item) {
        chosen.push_back(item.number);
        start.weight += item.weight, start.profit += item.profit;
    };
    for (std::size_t c = 0; c < counts.size(); c++) {
        items.push_back(ranked(groups.groups[c], at.price));
        for (std::int64_t k = 0; k < counts[c]; k++) take(items[c][k]);
    }
    for (const GroupItem& item : groups.free)
        if (worth_of(item, at.price) > 0) take(item);
    // The profit of a state is that of the items without what their bases weigh.
    Steps steps(room_of(groups, counts), at.price, group_scale * least, start, look);
    for (std::size_t c = 0; c < counts.size(); c++) deviate(steps, items[c], counts[c], at.price, budget);
    for (const GroupItem& item : groups.free) {
        const std::int64_t worth = worth_of(item, at.price), sign = worth > 0 ? -1 : 1;
        if (std::abs(worth) <= budget) steps.item(item.number, 0, {sign * item.weight, sign * item.profit}, 0);
    }
    Choice best = steps.best();
    if (best.value < 0) return best;
    std::sort(chosen.begin(), chosen.end());
    std::sort(best.items.begin(), best.items.end());
    Choice found{best.value, {}};
    std::set_symmetric_difference(chosen.begin(), chosen.end(), best.items.begin(), best.items.end(),
                                  std::back_inserter(found.items));
    return found;
}

}  // namespace prunus::PRUNUS_SET
