// The bound over all vectors of counts, and the vectors whose bound reaches a threshold.
//
// The bound is taken at a few prices. Then only the sums are kept through which it comes near its greatest value, and
// prices are added where the greatest bound is least.
#pragma once

#include "knapsack/group_sums.hpp"

namespace prunus::PRUNUS_SET {

constexpr int group_lanes = 8;  // prices at which the walk over counts looks

class GroupCounts {
  public:
    GroupCounts(GroupSums reached, const std::vector<std::int64_t>& first_prices, Look look);

    static std::vector<std::int64_t> usual_prices();
    /// Looks closer at the counts that are worth at least so much, times the scale.
    GroupCounts narrowed(std::int64_t at_least) const;
    /// Looks closer still, on a finer grid; none if there is none.
    std::optional<GroupCounts> finer() const;
    /// All vectors of counts whose bound is at least so much, times the scale; one more than `most` if there are more.
    knapsack::CountsFound near(std::int64_t at_least, std::int64_t most) const;

    std::int64_t bound = nothing;  // no counts are worth more, times the scale
    std::int64_t least = nothing;  // those worth less were not looked at

  private:
    std::vector<Priced> winners(std::size_t most) const;
    void take(const std::vector<std::int64_t>& new_prices);
    std::vector<std::int64_t> between() const;
    std::int64_t bound_of(std::int64_t k) const;
    std::int64_t top() const;

    GroupSums sums;
    Priced weight;                   // weight and profit trade at some price; but what is too heavy is so at any
    std::vector<std::int64_t> fits;  // last sums that fit
    std::vector<Priced> prices;      // ascending
    std::vector<Values> last;        // of each price the bound of each sum that fits
    Look ask;
};

}  // namespace prunus::PRUNUS_SET
