// One vector of counts: the price of weight that makes its bound least, and which items then.
//
// At the best price the k best of each group are chosen, and the free items worth their weight. A better choice
// deviates from that in few items, each of which costs something; only those that cost no more than the bound allows
// are looked at. States, sorted lists of weight and profit, one for each balance of items added and dropped within a
// group, are expanded by one such item after another, dominated ones and those whose bound falls below the threshold
// dropped.
#pragma once

#include "knapsack/group_sums.hpp"

namespace prunus::PRUNUS_SET {

/// The bound of some counts at a price, times the scale, and by how much it grows with the price.
struct CountsBound {
    std::int64_t price, bound, slope;
};

CountsBound counts_bound(const knapsack::Groups& groups, const knapsack::Counts& counts, std::int64_t price);
/// The price with the least bound; starts from a hint, and stops at a bound below `enough`.
knapsack::PricedCounts least_bound(const knapsack::Groups& groups, const knapsack::Counts& counts, std::int64_t hint,
                                   std::int64_t enough);
/// The best choice with some counts if it is worth at least so much; else no items.
knapsack::Choice fill(const knapsack::Groups& groups, const knapsack::Counts& counts,
                      const knapsack::PricedCounts& priced_counts, std::int64_t least, Look look);

}  // namespace prunus::PRUNUS_SET
