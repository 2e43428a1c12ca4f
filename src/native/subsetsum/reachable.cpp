#include "subsetsum/reachable.hpp"

#include <algorithm>

namespace prunus::PRUNUS_SET {
namespace {

using Word = std::uint64_t;

void add(const Word* __restrict from, Word* __restrict to, std::int64_t weight, std::int64_t low, std::int64_t high) {
    const std::int64_t words = weight >> 6;
    const int up = static_cast<int>(weight & 63);
    std::int64_t k = std::min(std::max(words, low), high);
    std::copy(from + low, from + k, to + low);
    if (k == high) return;
    const Word* const moved = from - words;
    if (up == 0) {
        for (; k < high; k++) to[k] = from[k] | moved[k];
        return;
    }
    if (k == words) {
        to[k] = from[k] | moved[k] << up;
        k++;
    }
    for (; k < high; k++) to[k] = from[k] | moved[k] << up | moved[k - 1] >> (64 - up);
}

}  // namespace

const subsetsum::ReachableKernels& kernels(const subsetsum::ReachableKernels*) {
    static constexpr subsetsum::ReachableKernels table{.add = add};
    return table;
}

}  // namespace prunus::PRUNUS_SET
