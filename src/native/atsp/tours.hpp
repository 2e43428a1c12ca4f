// Tours that are given by each city's next one.
#pragma once

#include <cstdint>
#include <vector>

namespace prunus::PRUNUS_SET {

/// Writes a tour's length, and its cities from city 0 on, as a best-first search reads it.
inline void record_tour(const std::vector<std::int32_t>& following, std::int64_t length, std::int64_t* found) {
    *found++ = length;
    std::int32_t city = 0;
    for (std::size_t k = 0; k < following.size(); k++, city = following[city]) *found++ = city;
}

}  // namespace prunus::PRUNUS_SET
