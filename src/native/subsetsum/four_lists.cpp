// Bit maps marked by one side and read by the other.
//
// In one residue class modulo q, an outer key goes with the inner keys of the complementary class,
// which lie beside each other. A key that both sides have survives every map; a key that only one
// side has survives a map with a chance of an eighth or less, so that a few maps, each marked by the
// survivors of the last, leave nothing but common keys. Nothing is sorted, and all that is touched at
// random fits a core's own cache.
#include "subsetsum/four_lists.hpp"

#include <algorithm>
#include <bit>

namespace prunus::PRUNUS_SET {
namespace {

using subsetsum::Join;
using subsetsum::JoinMemory;
using subsetsum::JoinResult;
using subsetsum::Side;
using Key = std::uint64_t;

constexpr Key golden = 0x9E3779B97F4A7C15;  // hashes keys (Knuth); its powers give other hashes
constexpr int most_rounds = 12;             // maps that survivors go through before they count as common

/// The keys of one side in one residue class.
template <bool wide>
struct Class {
    const Side& side;
    std::int64_t q, residue;
    Key moved, modulus;

    Key add(Key a, Key b) const { return wide ? std::min(a + b, a + b - modulus) : a + b; }

    /// Calls `run(key, first, last)` for each outer key and its inner keys, until one returns false.
    template <class Run>
    bool all(Run run) const {
        for (std::int64_t i = 0; i < side.outer_count; i++) {
            std::int64_t c = residue - side.residues[i];
            if (c < 0) c += q;
            if (!run(add(side.outer[i], moved), side.start[c], side.start[c + 1])) return false;
        }
        return true;
    }
};

struct Map {
    Key* words;

    void mark(Key place) const { words[place >> 6] |= Key{1} << (place & 63); }
    Key at(Key place) const { return words[place >> 6] >> (place & 63) & 1; }

    /// Marks some keys in no more of the map than they need; returns the shift to their places.
    int mark_few(const Key* keys, std::int64_t count, Key factor, std::int64_t map_bits) const {
        std::int64_t bits = 1024;
        while (bits < 16 * count && bits < map_bits) bits *= 2;
        std::fill_n(words, bits / 64, Key{0});
        const int shift = 64 - std::countr_zero(static_cast<Key>(bits));
        for (std::int64_t j = 0; j < count; j++) mark(keys[j] * factor >> shift);
        return shift;
    }
};

/// Collects the keys of a class whose bit is set; returns their number, or -1 if they are too many.
template <bool wide>
std::int64_t probe(const Class<wide>& keys, Key factor, int shift, Map map, Key* found, Key places) {
    const Key* const inner = keys.side.inner;
    Key n = 0;
    const bool fit = keys.all([&](Key p, Key first, Key last) {
        if (n + (last - first) >= places) return false;
#pragma GCC unroll 8
        for (Key j = first; j < last; j++) {
            const Key x = keys.add(p, inner[j]);
            found[n] = x;
            n += map.at(x * factor >> shift);
        }
        return true;
    });
    return fit ? static_cast<std::int64_t>(n) : -1;
}

/// Keeps, in place, those of some keys that one of the others may equal; returns their number.
std::int64_t filter(Key* keys, std::int64_t count, const Key* others, std::int64_t other_count, Key factor, Map map,
                    std::int64_t map_bits) {
    const int shift = map.mark_few(others, other_count, factor, map_bits);
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < count; i++) {
        const Key x = keys[i];
        keys[kept] = x;
        kept += static_cast<std::int64_t>(map.at(x * factor >> shift));
    }
    return kept;
}

template <bool wide>
bool may_join(const Join& join, std::int64_t residue, const JoinMemory& memory) {
    const Map map{memory.map};
    const auto places = static_cast<Key>(memory.places);
    const int shift = join.key_bits - std::countr_zero(static_cast<Key>(memory.map_bits));
    const Class<wide> near{join.near, join.q, residue, 0, join.modulus};
    const std::int64_t other = residue - join.moved_residue;
    const Class<wide> far{join.far, join.q, other < 0 ? other + join.q : other, join.moved, join.modulus};
    std::fill_n(map.words, memory.map_bits / 64, Key{0});
    const Key* const inner = join.near.inner;
    near.all([&](Key p, Key first, Key last) {
#pragma GCC unroll 8
        for (Key j = first; j < last; j++) map.mark(near.add(p, inner[j]) >> shift);
        return true;
    });
    std::int64_t m = probe(far, 1, shift, map, memory.far, places);
    if (m <= 0) return m < 0;
    Key factor = golden;
    const int second = map.mark_few(memory.far, m, factor, memory.map_bits);
    std::int64_t n = probe(near, factor, second, map, memory.near, places);
    if (n < 0) return true;
    for (int round = 0; round < most_rounds && n > 0 && m > 0; round++) {
        factor *= golden;
        m = filter(memory.far, m, memory.near, n, factor, map, memory.map_bits);
        factor *= golden;
        n = filter(memory.near, n, memory.far, m, factor, map, memory.map_bits);
    }
    return n > 0 && m > 0;
}

JoinResult join(const Join& given, std::int64_t first, std::int64_t last, const JoinMemory& memory, Limits& limits) {
    for (std::int64_t residue = first; residue < last; residue++) {
        if (limits.stopped()) return {residue, false};
        const bool found =
            given.modulus != 0 ? may_join<true>(given, residue, memory) : may_join<false>(given, residue, memory);
        if (found) return {residue, true};
    }
    return {last, false};
}

}  // namespace

const subsetsum::JoinKernels& kernels(const subsetsum::JoinKernels*) {
    static constexpr subsetsum::JoinKernels table{.join = join};
    return table;
}

}  // namespace prunus::PRUNUS_SET
