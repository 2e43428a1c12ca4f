// Orders that sort by a key; equal keys stay as they are.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace prunus::PRUNUS_SET {

/// Sorts numbers of keys, fast where they are few or nearly in order.
inline void sort_few(const std::vector<std::uint64_t>& keys, std::uint32_t* begin, std::uint32_t* end) {
    constexpr std::ptrdiff_t few = 100;
    const auto smaller = [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; };
    if (end - begin > few) {
        if (!std::is_sorted(begin, end, smaller)) std::stable_sort(begin, end, smaller);
        return;
    }
    for (std::uint32_t* next = begin; next < end; next++) {
        const std::uint32_t item = *next;
        std::uint32_t* at = next;
        for (; at > begin && keys[at[-1]] > keys[item]; at--) *at = at[-1];
        *at = item;
    }
}

/// Numbers of keys in the order of the 32 bits of their keys from bit `shift` on; equal ones stay as they are.
template <int bits>
std::vector<std::uint32_t> by_digits(const std::vector<std::uint64_t>& keys, const std::vector<std::uint32_t>& order,
                                     int shift) {
    struct Digits {
        std::uint32_t key, item;
    };
    constexpr int digits = (32 + bits - 1) / bits, values = 1 << bits;
    const std::size_t n = keys.size();
    std::unique_ptr<Digits[]> from(new Digits[n]), to(new Digits[n]);
    std::array<std::array<std::uint32_t, values>, digits> count{};
    const auto digit = [](std::uint32_t key, int d) { return key >> (d * bits) & (values - 1); };
    for (std::size_t i = 0; i < n; i++) {
        from[i] = {static_cast<std::uint32_t>(keys[order[i]] >> shift), order[i]};
        for (int d = 0; d < digits; d++) count[d][digit(from[i].key, d)]++;
    }
    for (int d = 0; d < digits; d++) {
        if (count[d][digit(from[0].key, d)] == n) continue;
        std::uint32_t before = 0;
        for (auto& many : count[d]) before += std::exchange(many, before);
        for (std::size_t i = 0; i < n; i++) to[count[d][digit(from[i].key, d)]++] = from[i];
        std::swap(from, to);
    }
    std::vector<std::uint32_t> found(n);
    for (std::size_t i = 0; i < n; i++) found[i] = from[i].item;
    return found;
}

/// The numbers of fewer than 2^32 keys by ascending key: by the highest 32 bits in which keys differ, and by the lower
/// ones, first where that leaves many out of order, else afterwards.
template <int bits>
std::vector<std::uint32_t> radix_order(const std::vector<std::uint64_t>& keys) {
    const std::size_t n = keys.size();
    std::uint64_t any = 0, all = ~any;
    for (const std::uint64_t key : keys) any |= key, all &= key;
    const int shift = std::max(0, static_cast<int>(std::bit_width(any ^ all)) - 32);
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::uint32_t> found = by_digits<bits>(keys, order, shift);
    std::size_t wrong = 0;
    for (std::size_t i = 1; i < n; i++) wrong += keys[found[i]] < keys[found[i - 1]];
    if (wrong > n / 16) return by_digits<bits>(keys, by_digits<bits>(keys, order, 0), shift);
    for (std::size_t i = 0, end; wrong > 0 && i < n; i = end) {
        for (end = i + 1; end < n && keys[found[end]] >> shift == keys[found[i]] >> shift; end++) {
        }
        sort_few(keys, found.data() + i, found.data() + end);
    }
    return found;
}

inline std::vector<std::uint32_t> order_of(const std::vector<std::uint64_t>& keys) {
    if (keys.size() > 4000) return radix_order<11>(keys);
    if (keys.size() > 100) return radix_order<8>(keys);
    std::vector<std::uint32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    sort_few(keys, order.data(), order.data() + order.size());
    return order;
}

/// A key that ascends as numbers that are not negative descend.
inline std::uint64_t falling(double value) { return ~std::bit_cast<std::uint64_t>(value); }

/// The common divisor with one more number, which mostly is a multiple already.
inline std::int64_t divisor_with(std::int64_t divisor, std::int64_t value) {
    if (divisor == 0) return std::gcd(divisor, value);
    const std::int64_t rest = value % divisor;
    return rest == 0 ? divisor : std::gcd(divisor, rest);
}

}  // namespace prunus::PRUNUS_SET
