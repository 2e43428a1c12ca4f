// The coarse sums of weight that counts reach, and what the best counts behind each are worth.
//
// How many of the heavy groups are taken nearly fixes the weight. Each group's share, its base times the count, is
// rounded to a grid; what rounding takes away is paid for at the price of weight, so for a fixed price the worth of a
// vector of counts is exact, and only which vectors share a sum, and whether one that is a little too heavy is among
// them, is relaxed.
#pragma once

#include "knapsack/groups.hpp"

namespace prunus::PRUNUS_SET {

constexpr std::int64_t nothing = -(std::int64_t{1} << 62);  // the worth of what no counts reach

struct TooManySums {};
struct GroupsStopped {};

using Values = std::vector<std::int64_t>;

/// The most that counts can be worth at a price; all values times the scale.
struct Priced {
    std::int64_t price;
    std::vector<Values> best;  // of each group the worth of the k best items, their weight beyond the base paid for
    std::int64_t free;         // the worth of the free items that are worth their weight
};

Priced priced(const knapsack::Groups& groups, std::int64_t price);
/// What counts weigh at least beyond the bases, as if it were their worth.
Priced lightest(const knapsack::Groups& groups);

/// Values of sums, a column a price.
struct Table {
    std::int64_t columns = 0;
    Values values;

    std::int64_t* row(std::int64_t k) { return values.data() + k * columns; }
    const std::int64_t* row(std::int64_t k) const { return values.data() + k * columns; }
};

/// The sums that matter, group after group.
class GroupSums {
  public:
    /// Only choices worth more than `value` are of interest; sums are multiples of `grid`. `within`, only those near
    /// some sums on a coarser grid matter.
    GroupSums(const knapsack::Groups& groups, std::int64_t value, std::int64_t grid,
              const knapsack::GroupLimits& limits, Look look, const GroupSums* within = nullptr);

    /// The same sums on a finer grid.
    GroupSums finer(std::int64_t divisor) const { return {groups, value, grid / divisor, limits, ask, this}; }
    /// Only those sums through which counts may be worth so much at every price.
    GroupSums narrowed(const std::vector<Priced>& prices, const Values& least) const;
    /// What each count of a group adds.
    Table gains(std::int64_t group, const std::vector<Priced>& prices) const;
    /// The most that counts behind each sum are worth.
    std::vector<Table> tables(const std::vector<Priced>& prices) const;
    /// What the free items and the room left add to each last sum.
    Table ends(const std::vector<Priced>& prices) const;
    std::int64_t size() const;
    std::int64_t count() const { return static_cast<std::int64_t>(shift.size()); }

    const knapsack::Groups& groups;
    std::int64_t value, grid;
    std::vector<Values> levels;  // after each group the sums, ascending, divided by the grid
    std::vector<Values> shift;   // by how much each count of a group raises a sum

  private:
    Values reached(const Values& before, const Values& shifts, std::int64_t highest) const;
    Values near(const GroupSums& within, std::int64_t group) const;
    Table over_counts(const Values& shifts, const Table& gain, const Values& before, const Table& table,
                      const Values& after, std::int64_t sign) const;
    void check() const {
        if (ask()) throw GroupsStopped{};
    }

    std::vector<Values> over;  // what rounding takes from each count's share
    knapsack::GroupLimits limits;
    Look ask;
};

}  // namespace prunus::PRUNUS_SET
