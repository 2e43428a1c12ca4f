// Four lists joined residue by residue: which residues may have a key that both sides share.
#pragma once

#include <cstdint>

#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::subsetsum {

/// One side: all sums of an entry of its outer list and one of its inner list, as keys.
struct Side {
    const std::uint64_t* outer;
    const std::int64_t* residues;  // of the outer keys, modulo q
    std::int64_t outer_count;
    const std::uint64_t* inner;  // in the order of their residues
    const std::uint64_t* start;  // where each residue begins among them; q + 1 places
};

/// Both sides; all keys of the far one are moved by an offset.
struct Join {
    Side near, far;
    std::uint64_t moved;         // key of the offset
    std::int64_t moved_residue;  // the offset modulo q
    std::int64_t q;
    std::uint64_t modulus;  // of the keys; 0: 2^64
    int key_bits;           // 64, or 63 with a modulus
};

/// A bit map, and places for the keys of either side that survive it.
struct JoinMemory {
    std::uint64_t* map;
    std::int64_t map_bits;  // a power of two
    std::uint64_t* near;
    std::uint64_t* far;
    std::int64_t places;
};

struct JoinResult {
    std::int64_t reached;  // the first residue that was not ruled out
    bool suspicious;       // it may have a common key; otherwise others have asked to stop, or all is done
};

struct JoinKernels {
    /// Runs through residues `first` to `last - 1` until one may have a common key, also where there
    /// are too many survivors for their places.
    JoinResult (*join)(const Join&, std::int64_t first, std::int64_t last, const JoinMemory&, Limits&);
};

}  // namespace prunus::subsetsum

PRUNUS_KERNELS(subsetsum::JoinKernels)
