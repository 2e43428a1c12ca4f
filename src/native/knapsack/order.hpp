// Orders that sort by a key; equal keys stay as they are.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace prunus::PRUNUS_SET {

struct Keyed {
    std::uint64_t key;
    std::int64_t item;
};

/// Sorts by ascending key, digit by digit from the lowest; a digit that all share costs no pass.
template <int bits>
void radix_sort(std::vector<Keyed>& keyed, std::vector<Keyed>& scratch) {
    constexpr int digits = (64 + bits - 1) / bits, values = 1 << bits;
    std::vector<std::array<std::uint32_t, values>> count(digits);
    for (const Keyed& x : keyed)
        for (int d = 0; d < digits; d++) count[d][(x.key >> (d * bits)) & (values - 1)]++;
    for (int d = 0; d < digits; d++) {
        if (count[d][(keyed[0].key >> (d * bits)) & (values - 1)] == keyed.size()) continue;
        std::uint32_t before = 0;
        for (auto& n : count[d]) before += std::exchange(n, before);
        for (const Keyed& x : keyed) scratch[count[d][(x.key >> (d * bits)) & (values - 1)]++] = x;
        keyed.swap(scratch);
    }
}

/// The items 0, 1, ... by ascending key, with their keys.
inline std::vector<Keyed> sorted(std::vector<Keyed> keyed) {
    if (keyed.size() <= 100) {
        for (std::size_t k = 1; k < keyed.size(); k++) {
            const Keyed x = keyed[k];
            std::size_t at = k;
            for (; at > 0 && keyed[at - 1].key > x.key; at--) keyed[at] = keyed[at - 1];
            keyed[at] = x;
        }
        return keyed;
    }
    std::vector<Keyed> scratch(keyed.size());
    if (keyed.size() < 4000)
        radix_sort<8>(keyed, scratch);
    else
        radix_sort<11>(keyed, scratch);
    return keyed;
}

/// A key that ascends as numbers that are not negative descend.
inline std::uint64_t falling(double value) { return ~std::bit_cast<std::uint64_t>(value); }

}  // namespace prunus::PRUNUS_SET
