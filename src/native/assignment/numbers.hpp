// The numbers in which an assignment is solved: what stands for a forbidden pair, and how many go into lanes.
//
// Floats are solved in double. Whole numbers are solved exactly in the smallest type in which 32 times their spread
// stays below infinity: while a column is free, no price is farther from that of a free one than the spread, and no
// path to it is longer than its direct way, so that nothing that is computed is larger than some 20 times the spread.
#pragma once

#include <cstdint>
#include <limits>

#include "lanes.hpp"

namespace prunus::PRUNUS_SET {

template <class T>
struct Number;

template <>
struct Number<double> {
    using Index = std::int64_t;
    static constexpr double infinity = std::numeric_limits<double>::infinity();
};

template <>
struct Number<std::int16_t> {
    using Index = std::int16_t;
    static constexpr std::int16_t infinity = 1 << 14;
};

template <>
struct Number<std::int32_t> {
    using Index = std::int32_t;
    static constexpr std::int32_t infinity = 1 << 30;
};

template <>
struct Number<std::int64_t> {
    using Index = std::int64_t;
    static constexpr std::int64_t infinity = std::int64_t{1} << 62;
};

template <>
struct Number<Wide> {
    using Index = Wide;
    static constexpr Wide infinity = Wide{1} << 126;
};

/// No finite cost of a forbidden pair, and no path: above all others.
template <class T>
constexpr T infinity = Number<T>::infinity;

/// A place of a column, as wide as a number, so that both fill the same lanes.
template <class T>
using Index = typename Number<T>::Index;

/// Lanes of one block of columns: 64 bytes on every instruction set.
template <class T>
constexpr int block = 64 / static_cast<int>(sizeof(T));

template <class T>
using Values = Lanes<T, block<T>>;

template <class T>
using Places = Lanes<Index<T>, block<T>>;

/// The least value so far in each lane, and the first column of the block in which it stood.
template <class T>
struct Least {
    Values<T> value = Values<T>::splat(infinity<T>);
    Places<T> at = Places<T>::splat(0);

    /// Takes the values of the block that begins at a column; returns the larger ones of both.
    Values<T> take(Values<T> x, Places<T> here) {
        const Values<T> more = max(value, x);
        at = Places<T>::where_less(x, value, here, at);
        value = min(x, value);
        return more;
    }

    T smallest() const { return least(value); }

    /// The first column with the least value.
    int column(T least) const {
        Index<T> places[block<T>];
        at.store(places);
        std::uint64_t bits = equal(value, Values<T>::splat(least));
        int found = std::numeric_limits<int>::max();
        for (; bits != 0; bits &= bits - 1) {
            const int lane = __builtin_ctzll(bits);
            const int j = static_cast<int>(places[lane]) + lane;
            if (j < found) found = j;
        }
        return found;
    }
};

}  // namespace prunus::PRUNUS_SET
