// Generation: adding an item doubles a sorted list x; the new one is the merge of x and x + w. Any
// range of the output can be made independently, from where a diagonal cuts the merge path (Akl and
// Santoro 1987; Odeh et al. 2012), so that cores share one merge.
//
// Search: from the smallest of a and the largest of b, take a step in a while the sum is below the
// target and a step back in b otherwise. Every pair with the target as its sum, and for every a its
// best partner, lie on these at most n + m steps. Where a diagonal of the matrix of pairs meets the
// staircase is found by bisection, so that cutting it into k pieces of equal length leaves k of the k²
// pairs of blocks: the pruning of Li, Li and Li (2004) leaves up to 2k - 1 of uneven work.
//
// Within a core several ranges are gone through in step: each is a chain of loads that depend on one
// another, and they hide one another's waiting. There is no branch but the loop's.
#include "subsetsum/two_lists.hpp"

#include <algorithm>
#include <type_traits>

#include "subsetsum/wide.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using subsetsum::Best;
using subsetsum::Found;
using subsetsum::ListKernels;
using subsetsum::ListPair;
using subsetsum::Places;
using Place = std::uint64_t;

constexpr std::int64_t merge_tile = 8192;
constexpr std::int64_t search_tile = 16380;  // of 2 to 6 equal parts

/// The least k in [low, high] for which `below(k)` no longer holds.
template <class Below>
std::int64_t bisect(std::int64_t low, std::int64_t high, Below below) {
    while (low < high) {
        const std::int64_t middle = (low + high) >> 1;
        if (below(middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <class Sum>
void merge_tile_of(const Sum* x, std::int64_t n, Sum weight, Sum* out, std::int64_t first, std::int64_t last) {
    constexpr int chains = 6;
    const std::int64_t part = (last - first) / chains;
    Place i[chains], k[chains];
    for (int c = 0; c < chains; c++) {
        const std::int64_t at = first + c * part;
        k[c] = static_cast<Place>(at);
        // How many of the outputs before this one come from x itself, ties from x first.
        i[c] = static_cast<Place>(bisect(std::max<std::int64_t>(at - n, 0), std::min(at, n),
                                         [&](std::int64_t j) { return !(x[at - 1 - j] + weight < x[j]); }));
    }
    const auto step = [&](int c) {
        const Sum a = x[i[c]], b = x[k[c] - i[c]] + weight;
        const bool from_b = b < a;
        out[k[c]++] = select(from_b, b, a);
        i[c] += !from_b;
    };
    for (std::int64_t s = 0; s < part; s++) {
#pragma GCC unroll 8
        for (int c = 0; c < chains; c++) step(c);
    }
    while (k[chains - 1] < static_cast<Place>(last)) step(chains - 1);
}

template <class Sum>
void merge(const Sum* x, std::int64_t n, Sum weight, Sum* out, std::int64_t first, std::int64_t last) {
    for (std::int64_t at = first; at < last; at += merge_tile)
        merge_tile_of(x, n, weight, out, at, std::min(at + merge_tile, last));
    if (last == 2 * n) out[last] = x[n];
}

/// How many of the first steps are taken in a.
template <class Sum>
std::int64_t cut(const ListPair<Sum>& lists, Sum target, std::int64_t steps) {
    const auto [a, n, b, m] = lists;
    return bisect(std::max<std::int64_t>(steps - m, 0), std::min(steps, n),
                  [&, a = a, b = b, m = m](std::int64_t i) { return a[i] + b[m - steps + i] < target; });
}

template <class Sum>
std::int64_t steps(const ListPair<Sum>& lists, Sum target) {
    return bisect(0, lists.n + lists.m, [&](std::int64_t middle) {
        const std::int64_t i = cut(lists, target, middle);
        return i < lists.n && middle - i < lists.m;
    });
}

/// Goes some steps in several chains of `part` steps each, the last one longer if need be;
/// `look(chain, sum)` sees the sum at each.
template <int chains, class Sum, class Part, class Look>
void walk_parts(const ListPair<Sum>& lists, Sum target, std::int64_t first, std::int64_t last, Part part, Look look) {
    const Sum* const a = lists.a;
    const Sum* const b = lists.b + (lists.m - 1 - first);
    Place i[chains];
    for (int c = 0; c < chains; c++) i[c] = static_cast<Place>(cut(lists, target, first + c * part));
    const auto step = [&](int c, std::int64_t s) {
        const Sum sum = a[i[c]] + b[static_cast<std::int64_t>(i[c]) - s - c * part];
        look(c, sum);
        i[c] += sum < target;
    };
    for (std::int64_t s = 0; s < part; s++) {
#pragma GCC unroll 8
        for (int c = 0; c < chains; c++) step(c, s);
    }
    for (std::int64_t s = part; s < last - first - (chains - 1) * part; s++) step(chains - 1, s);
}

/// The same; of most tiles the compiler knows how long a part is.
template <int chains, class Sum, class Look>
void walk(const ListPair<Sum>& lists, Sum target, std::int64_t first, std::int64_t last, Look look) {
    if (last - first == search_tile)
        walk_parts<chains>(lists, target, first, last, std::integral_constant<std::int64_t, search_tile / chains>(),
                           look);
    else
        walk_parts<chains>(lists, target, first, last, (last - first) / chains, look);
}

template <class Sum>
Best<Sum> best_below(const ListPair<Sum>& lists, Sum target, std::int64_t first, std::int64_t last, Limits& limits) {
    constexpr int chains = 5;  // with six, registers are short and long lists slower by a third
    Best<Sum> best{Found::none, Sum{}, 0};
    for (std::int64_t at = first; at < last; at += search_tile) {
        if (limits.stopped()) return {Found::stopped, Sum{}, at};
        // Below the target by least: a distance above it wraps round to a large number.
        Sum near[chains];
        std::fill_n(near, chains, beyond<Sum>());
        walk<chains>(lists, target, at, std::min(at + search_tile, last), [&](int c, Sum sum) {
            const Sum distance = target - sum;
            if (distance < near[c]) [[unlikely]]
                near[c] = distance;
        });
        const Sum nearest = *std::min_element(near, near + chains, [](Sum a, Sum b) { return a < b; });
        if (target < nearest) continue;
        const Sum sum = target - nearest;
        if (best.found == Found::none || best.sum < sum) best = {Found::some, sum, at};
        if (sum == target) break;
    }
    return best;
}

template <class Sum>
Places pair(const ListPair<Sum>& lists, Sum target) {
    Limits limits{.budget = INT64_MAX};
    const Best<Sum> best = best_below(lists, target, 0, steps(lists, target), limits);
    if (best.found != Found::some || !(best.sum == target)) return {-1, -1};
    std::int64_t i = cut(lists, target, best.step), j = lists.m - 1 - best.step + i;
    for (;;) {
        const Sum sum = lists.a[i] + lists.b[j];
        if (sum == target) return {i, j};
        if (sum < target)
            i++;
        else
            j--;
    }
}

template <class Sum>
std::int64_t count(const ListPair<Sum>& lists, Sum target, std::int64_t first, std::int64_t last, Limits& limits) {
    const auto [a, n, b, m] = lists;
    std::int64_t total = 0, run = 0;
    std::int64_t j = bisect(0, m, [&, a = a, b = b](std::int64_t k) { return !(target < a[first] + b[k]); }) - 1;
    for (std::int64_t i = first; i < last; i++) {
        if ((i & 0xffff) == 0 && limits.stopped()) return -2;
        if (i == first || !(a[i] == a[i - 1])) {
            while (j >= 0 && target < a[i] + b[j]) j--;
            for (run = 0; j >= 0 && a[i] + b[j] == target; j--) run++;
        }
        total += run;
    }
    return total;
}

template <class Sum>
constexpr ListKernels<Sum> table{merge<Sum>, steps<Sum>, best_below<Sum>, pair<Sum>, count<Sum>};

}  // namespace

const ListKernels<std::uint64_t>& kernels(const ListKernels<std::uint64_t>*) { return table<std::uint64_t>; }
const ListKernels<subsetsum::Wide>& kernels(const ListKernels<subsetsum::Wide>*) { return table<subsetsum::Wide>; }

}  // namespace prunus::PRUNUS_SET
