#include "knapsack/group_sums.hpp"

#include <algorithm>
#include <functional>

namespace prunus::PRUNUS_SET {
namespace {

using knapsack::Group;
using knapsack::group_scale;
using knapsack::GroupItem;
using knapsack::Groups;

/// Sums of the first values, from none to `most`.
Values sums_of(const Values& values, std::int64_t most) {
    Values sums{0};
    for (std::int64_t k = 0; k < most; k++) sums.push_back(sums.back() + values[k]);
    return sums;
}

/// The values once each, ascending.
void make_distinct(Values& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

std::int64_t largest(const Values& values) {
    std::int64_t most = 0;
    for (const std::int64_t x : values) most = std::max(most, std::abs(x));
    return most;
}

/// Prices of all weight at which to bound what is still to come.
std::array<double, 4> slopes_of(const Groups& groups) {
    std::vector<double> each;
    for (const Group& group : groups.groups) {
        double profit = 0.0, weight = static_cast<double>(group.base) * static_cast<double>(group.items.size());
        for (const GroupItem& item : group.items) {
            profit += static_cast<double>(item.profit);
            weight += static_cast<double>(item.weight);
        }
        each.push_back(profit / weight);
    }
    std::sort(each.begin(), each.end());
    const std::size_t n = each.size();
    return {0.0, each[0], 0.5 * (each[(n - 1) / 2] + each[n / 2]), each[n - 1]};
}

/// The most that the free items and those of all groups after each one add beyond a slope.
std::vector<double> rest_of(const Groups& groups, const Priced& profit, double slope) {
    double rest = 0.0;
    for (const GroupItem& item : groups.free)
        rest += std::max(0.0, static_cast<double>(item.profit) - slope * static_cast<double>(item.weight));
    std::vector<double> found{rest};
    for (std::size_t c = groups.groups.size() - 1; c > 0; c--) {
        const Group& group = groups.groups[c];
        double more = 0.0;
        for (std::int64_t k = 0; k <= group.most; k++)
            more = std::max(more, static_cast<double>(profit.best[c][k]) / group_scale -
                                      slope * (static_cast<double>(k) * static_cast<double>(group.base)));
        rest += more;
        found.push_back(rest);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

}  // namespace

Priced priced(const Groups& groups, std::int64_t price) {
    Priced found{price, {}, 0};
    for (const Group& group : groups.groups) {
        Values worth;
        for (const GroupItem& item : group.items) worth.push_back(group_scale * item.profit - price * item.weight);
        std::sort(worth.begin(), worth.end(), std::greater<>());
        found.best.push_back(sums_of(worth, group.most));
    }
    for (const GroupItem& item : groups.free)
        found.free += std::max<std::int64_t>(0, group_scale * item.profit - price * item.weight);
    return found;
}

Priced lightest(const Groups& groups) {
    Priced found{1, {}, 0};
    for (const Group& group : groups.groups) {
        Values weights;
        for (const GroupItem& item : group.items) weights.push_back(-item.weight);
        std::sort(weights.begin(), weights.end(), std::greater<>());
        found.best.push_back(sums_of(weights, group.most));
    }
    return found;
}

GroupSums::GroupSums(const Groups& given, std::int64_t known, std::int64_t coarse, const knapsack::GroupLimits& how,
                     Look look, const GroupSums* within)
    : groups(given), value(known), grid(coarse), levels{{0}}, limits(how), ask(look) {
    for (const Group& group : groups.groups) {
        Values shares, lost;
        for (std::int64_t k = 0; k <= group.most; k++) {
            shares.push_back((k * group.base + grid / 2) / grid);
            lost.push_back(k * group.base - grid * shares.back());
        }
        shift.push_back(std::move(shares));
        over.push_back(std::move(lost));
    }
    const std::vector<Priced> profit{priced(groups, 0)};
    const auto slopes = slopes_of(groups);
    std::array<std::vector<double>, 4> rest;
    for (std::size_t s = 0; s < slopes.size(); s++) rest[s] = rest_of(groups, profit[0], slopes[s]);
    Table table{1, {0}};
    std::int64_t room = groups.capacity;
    for (std::int64_t c = 0; c < count(); c++) {
        room += std::max<std::int64_t>(0, -*std::min_element(over[c].begin(), over[c].end()));
        const Values& before = levels.back();
        const auto counts = static_cast<std::int64_t>(shift[c].size());
        if (static_cast<std::int64_t>(before.size()) * counts > limits.work) throw TooManySums{};
        Values after = within == nullptr ? reached(before, shift[c], room / grid) : near(*within, c);
        if (counts * static_cast<std::int64_t>(before.size() + after.size()) > limits.work) throw TooManySums{};
        const Table out = over_counts(shift[c], gains(c, profit), before, table, after, 1);
        Table kept{1, {}};
        std::size_t k = 0;
        for (std::size_t j = 0; j < after.size(); j++) {
            const auto left = static_cast<double>(room - grid * after[j]);
            double bound = rest[0][c] + slopes[0] * left;
            for (std::size_t s = 1; s < slopes.size(); s++) bound = std::min(bound, rest[s][c] + slopes[s] * left);
            const double most = static_cast<double>(out.values[j]) / group_scale + bound * (1 + 1e-12) + 1;
            if (!(most > static_cast<double>(value))) continue;
            after[k++] = after[j];
            kept.values.push_back(out.values[j]);
        }
        after.resize(k);
        table = std::move(kept);
        levels.push_back(std::move(after));
    }
}

std::int64_t GroupSums::size() const {
    std::int64_t sums = 0;
    for (const Values& level : levels) sums += static_cast<std::int64_t>(level.size());
    return sums;
}

Table GroupSums::gains(std::int64_t group, const std::vector<Priced>& prices) const {
    Table found{static_cast<std::int64_t>(prices.size()), {}};
    for (std::size_t k = 0; k < over[group].size(); k++)
        for (const Priced& q : prices) found.values.push_back(q.best[group][k] - q.price * over[group][k]);
    return found;
}

std::vector<Table> GroupSums::tables(const std::vector<Priced>& prices) const {
    std::vector<Table> found{{static_cast<std::int64_t>(prices.size()), Values(prices.size(), 0)}};
    for (std::int64_t c = 0; c < count(); c++)
        found.push_back(over_counts(shift[c], gains(c, prices), levels[c], found.back(), levels[c + 1], 1));
    return found;
}

Table GroupSums::ends(const std::vector<Priced>& prices) const {
    Table found{static_cast<std::int64_t>(prices.size()), {}};
    for (const std::int64_t sum : levels.back())
        for (const Priced& q : prices) found.values.push_back(q.free + q.price * (groups.capacity - grid * sum));
    return found;
}

GroupSums GroupSums::narrowed(const std::vector<Priced>& prices, const Values& least) const {
    const std::vector<Table> forward = tables(prices);
    Table behind = ends(prices);
    GroupSums narrow = *this;
    for (std::int64_t c = count(); c >= 0; c--) {
        Values& level = narrow.levels[c];
        Table kept{behind.columns, {}};
        std::size_t k = 0;
        for (std::size_t j = 0; j < level.size(); j++) {
            const std::int64_t *ahead = forward[c].row(j), *back = behind.row(j);
            bool enough = true;
            for (std::int64_t t = 0; t < behind.columns; t++) enough = enough && ahead[t] + back[t] >= least[t];
            if (!enough) continue;
            level[k++] = level[j];
            kept.values.insert(kept.values.end(), back, back + behind.columns);
        }
        level.resize(k);
        if (c > 0) behind = over_counts(shift[c - 1], gains(c - 1, prices), level, kept, levels[c - 1], -1);
    }
    return narrow;
}

/// All sums of both sets up to a highest one, ascending.
Values GroupSums::reached(const Values& before, const Values& shifts, std::int64_t highest) const {
    Values found;
    if (before.empty() || before[0] > highest) return found;
    const std::int64_t low = before[0], high = std::min(highest, before.back() + shifts.back());
    if (static_cast<std::int64_t>(before.size() * shifts.size()) * 16 < high - low) {
        for (const std::int64_t s : shifts)
            for (const std::int64_t b : before)
                if (b + s <= high) found.push_back(b + s);
        make_distinct(found);
    } else {
        std::vector<std::uint8_t> seen(high - low + 1);
        for (const std::int64_t s : shifts) {
            for (std::size_t i = 0; i < before.size() && before[i] + s <= high; i++) seen[before[i] + s - low] = 1;
            check();
        }
        for (std::int64_t k = 0; k <= high - low; k++)
            if (seen[k] != 0) found.push_back(low + k);
    }
    if (static_cast<std::int64_t>(found.size()) > limits.sums) throw TooManySums{};
    return found;
}

/// The sums after a group that are as near to given ones as rounding puts them.
Values GroupSums::near(const GroupSums& within, std::int64_t group) const {
    std::int64_t slack = 0;
    for (std::int64_t c = 0; c <= group; c++) slack += largest(over[c]) + largest(within.over[c]);
    const Values& coarse = within.levels[group + 1];
    Values found;
    for (const std::int64_t s : shift[group]) {
        std::size_t at = 0;
        for (const std::int64_t b : levels.back()) {
            const std::int64_t weight = (b + s) * grid;
            while (at < coarse.size() && coarse[at] * within.grid < weight - slack) at++;
            if (at == coarse.size()) break;
            if (coarse[at] * within.grid <= weight + slack) found.push_back(b + s);
        }
        check();
    }
    make_distinct(found);
    if (static_cast<std::int64_t>(found.size()) > limits.sums) throw TooManySums{};
    return found;
}

/// The table of the sums on one side of a group, made from that on the other; back where the sign is -1.
Table GroupSums::over_counts(const Values& shifts, const Table& gain, const Values& before, const Table& table,
                             const Values& after, std::int64_t sign) const {
    const std::int64_t columns = gain.columns;
    Table out{columns, Values(after.size() * columns, nothing)};
    const auto each = std::max<std::int64_t>(1, static_cast<std::int64_t>(before.size() + after.size()) * columns);
    std::int64_t work = 0;
    for (std::size_t k = 0; k < shifts.size(); k++) {
        const std::int64_t step = sign * shifts[k], *add = gain.row(k);
        std::size_t j = 0;
        for (std::size_t i = 0; i < before.size(); i++) {
            const std::int64_t target = before[i] + step;
            while (j < after.size() && after[j] < target) j++;
            if (j == after.size()) break;
            if (after[j] != target) continue;
            const std::int64_t* from = table.row(i);
            std::int64_t* to = out.row(j);
            for (std::int64_t t = 0; t < columns; t++) to[t] = std::max(to[t], from[t] + add[t]);
        }
        work += each;
        if (work >= limits.slice) check(), work = 0;
    }
    return out;
}

}  // namespace prunus::PRUNUS_SET
