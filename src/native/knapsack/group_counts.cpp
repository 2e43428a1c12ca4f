#include "knapsack/group_counts.hpp"

#include <algorithm>
#include <numeric>

namespace prunus::PRUNUS_SET {
namespace {

using knapsack::Counts;
using knapsack::CountsFound;
using knapsack::group_scale;

constexpr std::size_t first_prices = 9;

/// A walk from the last sums back to none, left wherever a price shows that no counts on the way are worth enough.
class Walk {
  public:
    Walk(const GroupSums& group_sums, const std::vector<Priced>& prices, std::int64_t at_least, std::int64_t most_found,
         Look look)
        : sums(group_sums), least(at_least), most(most_found), ask(look), tables(sums.tables(prices)) {
        const std::int64_t groups = sums.count();
        columns = static_cast<std::int64_t>(prices.size());
        for (std::int64_t c = 0; c < groups; c++) gains.push_back(sums.gains(c, prices));
        worth.resize(groups * columns);
        counts.resize(groups);
    }

    /// Walks back from a last sum, with what comes after it.
    void from(std::int64_t sum, const std::int64_t* end, CountsFound& found) {
        std::copy_n(end, columns, worth.end() - columns);
        descend(sums.count() - 1, sum, found);
    }

  private:
    /// Decides the count of a group, of which all later ones are decided.
    void descend(std::int64_t c, std::int64_t sum, CountsFound& found) {
        const Values &shifts = sums.shift[c], &level = sums.levels[c];
        const std::int64_t* after = worth.data() + c * columns;
        for (std::size_t k = 0; k < shifts.size() && shifts[k] <= sum; k++) {
            if (++steps % steps_between_looks == 0 && ask()) throw GroupsStopped{};
            const auto at = std::lower_bound(level.begin(), level.end(), sum - shifts[k]);
            if (at == level.end() || *at != sum - shifts[k]) continue;
            const std::int64_t *gain = gains[c].row(k), *before = tables[c].row(at - level.begin());
            if (after[0] + gain[0] + before[0] < 0) continue;  // too heavy
            std::int64_t bound = INT64_MAX;
            for (std::int64_t t = 1; t < columns; t++) bound = std::min(bound, after[t] + gain[t] + before[t]);
            if (bound < least) continue;
            counts[c] = static_cast<std::int64_t>(k);
            if (c == 0) {
                found.counts.push_back(counts);
                found.bounds.push_back(bound);
            } else {
                for (std::int64_t t = 0; t < columns; t++) worth[(c - 1) * columns + t] = after[t] + gain[t];
                descend(c - 1, *at, found);
            }
            if (static_cast<std::int64_t>(found.counts.size()) > most) return;
        }
    }

    static constexpr std::int64_t steps_between_looks = 1'000'000;
    const GroupSums& sums;
    const std::int64_t least, most;
    const Look ask;
    const std::vector<Table> tables;
    std::vector<Table> gains;
    std::int64_t columns = 0, steps = 0;
    Values worth;  // of the groups after each on the way
    Counts counts;
};

}  // namespace

std::vector<std::int64_t> GroupCounts::usual_prices() {
    std::vector<std::int64_t> found;
    for (const std::int64_t quarters : {0, 1, 2, 3, 4, 6, 8, 12, 20}) found.push_back(group_scale * quarters / 4);
    return found;
}

GroupCounts::GroupCounts(GroupSums reached, const std::vector<std::int64_t>& first, Look look)
    : sums(std::move(reached)), weight(lightest(sums.groups)), ask(look) {
    const std::vector<Priced> only{weight};
    const Table table = sums.tables(only).back(), ends = sums.ends(only);
    for (std::size_t k = 0; k < table.values.size(); k++)
        if (table.values[k] + ends.values[k] >= 0) fits.push_back(static_cast<std::int64_t>(k));
    take(first);
    bound = top();
}

GroupCounts GroupCounts::narrowed(std::int64_t at_least) const {
    std::vector<Priced> chosen = winners(first_prices);
    std::vector<std::int64_t> kept;
    for (const Priced& q : chosen) kept.push_back(q.price);
    chosen.insert(chosen.begin(), weight);
    Values wanted(chosen.size(), at_least);
    wanted[0] = 0;
    GroupCounts narrow(sums.narrowed(chosen, wanted), kept, ask);
    while (!ask()) {
        const auto more = narrow.between();
        if (more.empty()) break;
        narrow.take(more);
    }
    narrow.bound = std::max(at_least, narrow.top());
    narrow.least = at_least;
    return narrow;
}

std::optional<GroupCounts> GroupCounts::finer() const {
    constexpr std::int64_t divisor = 4;
    if (sums.grid < divisor) return std::nullopt;
    std::vector<std::int64_t> kept;
    for (const Priced& q : winners(first_prices)) kept.push_back(q.price);
    return GroupCounts(sums.finer(divisor), kept, ask).narrowed(least);
}

CountsFound GroupCounts::near(std::int64_t at_least, std::int64_t most) const {
    CountsFound found;
    std::vector<Priced> chosen = winners(group_lanes);
    chosen.insert(chosen.begin(), weight);
    const Table ends = sums.ends(chosen);
    Walk walk(sums, chosen, at_least, most, ask);
    for (std::size_t k = 0; k < fits.size() && static_cast<std::int64_t>(found.counts.size()) <= most; k++)
        if (bound_of(static_cast<std::int64_t>(k)) >= at_least)
            walk.from(sums.levels.back()[fits[k]], ends.row(fits[k]), found);
    std::vector<std::size_t> order(found.counts.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return found.bounds[a] > found.bounds[b]; });
    CountsFound falling;
    falling.bound = bound;
    for (const std::size_t k : order) {
        falling.counts.push_back(std::move(found.counts[k]));
        falling.bounds.push_back(found.bounds[k]);
    }
    return falling;
}

/// The prices that matter where the bound is great.
std::vector<Priced> GroupCounts::winners(std::size_t most) const {
    constexpr std::size_t looked_at = 4096;
    const std::size_t n = fits.size();
    std::vector<std::pair<std::int64_t, std::size_t>> greatest(n);
    for (std::size_t k = 0; k < n; k++) greatest[k] = {-bound_of(static_cast<std::int64_t>(k)), k};
    const std::size_t some = std::min(looked_at, n);
    std::partial_sort(greatest.begin(), greatest.begin() + static_cast<std::ptrdiff_t>(some), greatest.end());
    std::vector<std::pair<std::int64_t, std::size_t>> wins(prices.size());
    for (std::size_t t = 0; t < prices.size(); t++) wins[t] = {0, t};
    for (std::size_t k = 0; k < some; k++) {
        std::size_t best = 0;
        for (std::size_t t = 1; t < prices.size(); t++)
            if (last[t][greatest[k].second] < last[best][greatest[k].second]) best = t;
        wins[best].first--;
    }
    std::sort(wins.begin(), wins.end());
    wins.resize(std::min(most, wins.size()));
    std::sort(wins.begin(), wins.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    std::vector<Priced> found;
    for (const auto& [won, t] : wins) found.push_back(prices[t]);
    return found;
}

void GroupCounts::take(const std::vector<std::int64_t>& new_prices) {
    std::vector<Priced> added;
    for (const std::int64_t price : new_prices) added.push_back(priced(sums.groups, price));
    const Table table = sums.tables(added).back(), ends = sums.ends(added);
    for (std::size_t t = 0; t < added.size(); t++) {
        Values column;
        for (const std::int64_t k : fits) column.push_back(table.row(k)[t] + ends.row(k)[t]);
        const auto at = std::upper_bound(prices.begin(), prices.end(), added[t].price,
                                         [](std::int64_t price, const Priced& q) { return price < q.price; }) -
                        prices.begin();
        prices.insert(prices.begin() + at, std::move(added[t]));
        last.insert(last.begin() + at, std::move(column));
    }
}

std::int64_t GroupCounts::bound_of(std::int64_t k) const {
    std::int64_t found = INT64_MAX;
    for (const Values& column : last) found = std::min(found, column[k]);
    return found;
}

std::int64_t GroupCounts::top() const {
    std::int64_t found = nothing;
    for (std::size_t k = 0; k < fits.size(); k++) found = std::max(found, bound_of(static_cast<std::int64_t>(k)));
    return found;
}

/// Prices around the one at which the greatest bound is least; none if it is found. The bound of a sum is convex.
std::vector<std::int64_t> GroupCounts::between() const {
    constexpr std::size_t most_prices = 60;
    constexpr std::int64_t points = 3;  // new ones on the way
    if (fits.empty() || prices.size() > most_prices) return {};
    std::size_t greatest = 0, best = 0;
    std::int64_t found = INT64_MIN;
    for (std::size_t k = 0; k < fits.size(); k++)
        if (const std::int64_t b = bound_of(static_cast<std::int64_t>(k)); b > found) found = b, greatest = k;
    for (std::size_t t = 1; t < prices.size(); t++)
        if (last[t][greatest] < last[best][greatest]) best = t;
    const std::int64_t low = prices[best > 0 ? best - 1 : 0].price;
    const std::int64_t high =
        best + 1 < prices.size() ? prices[best + 1].price : std::min(sums.groups.highest, 4 * prices[best].price + 4);
    std::vector<std::int64_t> more;
    for (std::int64_t k = 1; k <= points; k++) {
        const std::int64_t price = low + (high - low) * k / (points + 1);
        const bool known = std::any_of(prices.begin(), prices.end(), [&](const Priced& q) { return q.price == price; });
        if (!known && (more.empty() || more.back() != price)) more.push_back(price);
    }
    return more;
}

}  // namespace prunus::PRUNUS_SET
