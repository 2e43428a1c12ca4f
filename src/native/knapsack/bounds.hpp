// What the kernels of the relaxation and of its bounds share.
#pragma once

#include "knapsack/relaxation.hpp"

namespace prunus::PRUNUS_SET {

/// Items to be relaxed; without numbers each is called what its place is.
struct ItemView {
    const std::int64_t* w;
    const std::int64_t* p;
    const std::int64_t* count;
    const std::int64_t* number;
    std::int64_t n;
};

/// The items by falling efficiency, none of which is below 0; their keys are those of `falling`.
std::vector<std::uint32_t> by_efficiency(const ItemView& items, double multiplier, std::vector<std::uint64_t>& keys);

knapsack::Relaxation relaxed(const ItemView& items, std::int64_t capacity, double multiplier, std::int64_t side);

knapsack::FreeItems free_items(const knapsack::Relaxation& r, std::int64_t value);

std::optional<knapsack::Cardinality> cardinality(const knapsack::Relaxation& root, std::int64_t capacity,
                                                 std::int64_t value);
std::optional<knapsack::Relaxation> tighten(const knapsack::Relaxation& root, std::int64_t capacity,
                                            const knapsack::Cardinality& constraint, Look look);
knapsack::Lattice lattice_of(const knapsack::Items& items);
std::int64_t lattice_floor(const knapsack::Lattice& lattice, double bound, double price, std::int64_t capacity,
                           std::int64_t value);

}  // namespace prunus::PRUNUS_SET
