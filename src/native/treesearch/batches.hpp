// Batches of intervals: packed as they are sent, unpacked, checked, measured; entries of a GPU read.
#pragma once

#include <cstdint>

#include "dispatch.hpp"

namespace prunus::treesearch {

/// The arrays of `Intervals`.
struct Batch {
    std::int64_t count;
    int levels;
    std::uint32_t* digits;     // count x levels
    std::uint8_t* directions;  // count x levels
    std::int32_t *depth, *end_level, *end_digit;
};

/// Paths one after another, without what follows them, in numbers of 1, 2, 4 or 8 bytes; directions as
/// bits, whole bytes an interval.
struct PackedPaths {
    void* digits;
    int digit_bytes;
    std::uint8_t* directions;
};

/// Entries of the pools of a GPU: heads of 1 + 2 `words` words and the bits of directions, and the
/// items of their paths, from both ends, in numbers of `item_bytes`.
struct Entries {
    int words, head_words, item_bytes;
    const std::uint32_t* heads;
    const void* paths;  // a row of `levels` items each
};

struct BatchKernels {
    void (*pack)(const Batch& batch, PackedPaths packed);
    /// The depths of the batch are given.
    void (*unpack)(PackedPaths packed, const Batch& batch);
    /// Adds up, level by level, how many children's leaves the intervals have; whole trees last.
    void (*measure)(const Batch& batch, std::int64_t* counts);
    /// The same of paths, whose digits must be there in full; returns the first record that is no
    /// interval of the tree with so many children a level, or -1.
    std::int64_t (*audit)(PackedPaths packed, std::int64_t count, int levels, const std::int64_t* depth,
                          const std::int64_t* end_level, const std::int64_t* end_digit, const std::int64_t* radix,
                          std::int64_t* counts);
    /// Writes the interval of every entry, each of which has a waiting child.
    void (*decode)(const Entries& entries, const Batch& batch);
};

}  // namespace prunus::treesearch

PRUNUS_KERNELS(treesearch::BatchKernels)
