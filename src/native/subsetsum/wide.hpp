// Arithmetic of sums of three words, modulo 2^192, without branches; and the same of one word.
#pragma once

#include "subsetsum/two_lists.hpp"

namespace prunus::PRUNUS_SET {

using subsetsum::Wide;
__extension__ using Double = unsigned __int128;

inline Double lower(const Wide& a) { return Double{a.middle} << 64 | a.low; }

inline Wide wide(Double lower, std::uint64_t high) {
    return {static_cast<std::uint64_t>(lower), static_cast<std::uint64_t>(lower >> 64), high};
}

inline Wide operator+(const Wide& a, const Wide& b) {
    const Double sum = lower(a) + lower(b);
    return wide(sum, a.high + b.high + (sum < lower(a)));
}

inline Wide operator-(const Wide& a, const Wide& b) {
    return wide(lower(a) - lower(b), a.high - b.high - (lower(a) < lower(b)));
}

inline bool operator<(const Wide& a, const Wide& b) {
    return (a.high < b.high) | ((a.high == b.high) & (lower(a) < lower(b)));
}

inline bool operator==(const Wide& a, const Wide& b) {
    return ((a.low ^ b.low) | (a.middle ^ b.middle) | (a.high ^ b.high)) == 0;
}

/// The first or the second, without a branch.
inline std::uint64_t select(bool first, std::uint64_t a, std::uint64_t b) { return first ? a : b; }
inline Wide select(bool first, const Wide& a, const Wide& b) {
    const std::uint64_t mask = -static_cast<std::uint64_t>(first);
    return {b.low ^ ((a.low ^ b.low) & mask), b.middle ^ ((a.middle ^ b.middle) & mask),
            b.high ^ ((a.high ^ b.high) & mask)};
}

/// More than any sum, and less than what a sum less a greater one wraps round to.
template <class Sum>
inline Sum beyond() {
    constexpr std::uint64_t highest = std::uint64_t{1} << 63;
    if constexpr (sizeof(Sum) == sizeof highest)
        return highest;
    else
        return {0, 0, highest};
}

}  // namespace prunus::PRUNUS_SET
