// The numbers in which prices and net values are kept: double, or int64 where whole numbers outgrow it.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace prunus::PRUNUS_SET {

/// Below every net value; stands for a forbidden pair.
template <class P>
constexpr P lowest =
    std::is_same_v<P, double> ? -std::numeric_limits<P>::infinity() : static_cast<P>(-(std::int64_t{1} << 62));

/// Above the length of every path.
template <class P>
constexpr P highest = -lowest<P>;

}  // namespace prunus::PRUNUS_SET
