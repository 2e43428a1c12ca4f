// A row takes the first free column that it may have; where all are taken, rows change columns along
// a path that a breadth-first search finds.
#include "assignment/feasible.hpp"

#include <vector>

namespace prunus::PRUNUS_SET {
namespace {

using assignment::AllowedColumns;
using assignment::Feasible;
using assignment::PartialMatching;

/// `pair(i, k)` is the k-th column of row i, -1 if it is forbidden; each begins elsewhere.
template <class Count, class Pair>
Feasible match(PartialMatching& state, Limits& limits, const Count& count, const Pair& pair) {
    std::vector<std::int64_t> parent(state.columns), reached(state.columns, -1), queue(state.rows);
    for (; state.next < state.rows; state.next++) {
        if (limits.spend(0)) return Feasible::more_to_do;
        const std::int64_t root = state.next;
        std::int64_t head = 0, tail = 0, found = -1;
        queue[tail++] = root;
        while (head < tail && found < 0) {
            const std::int64_t i = queue[head++], pairs = count(i);
            // A free column first: most rows find one here.
            for (std::int64_t k = 0; k < pairs && found < 0; k++, limits.work++) {
                const std::int64_t j = pair(i, k);
                if (j >= 0 && state.owner[j] < 0) parent[found = j] = i;
            }
            for (std::int64_t k = 0; k < pairs && found < 0; k++, limits.work++) {
                const std::int64_t j = pair(i, k);
                if (j < 0 || reached[j] == root) continue;
                reached[j] = root;
                parent[j] = i;
                queue[tail++] = state.owner[j];
            }
        }
        if (found < 0) return Feasible::impossible;
        for (std::int64_t j = found, i = -1; i != root;) {
            i = parent[j];
            const std::int64_t before = state.column[i];
            state.owner[j] = i;
            state.column[i] = j;
            j = before;
        }
    }
    return Feasible::done;
}

Feasible from_values(const Benefits& benefits, PartialMatching& state, Limits& limits) {
    return with_rows(benefits, [&]<class Rows>(const Rows& rows) {
        return match(
            state, limits, [&](std::int64_t) { return benefits.columns; },
            [&](std::int64_t i, std::int64_t k) {
                const std::int64_t j = i + k < benefits.columns ? i + k : i + k - benefits.columns;
                return rows.benefit(i, j) > lowest<typename Rows::Price> ? j : -1;
            });
    });
}

Feasible from_lists(const AllowedColumns& lists, PartialMatching& state, Limits& limits) {
    return match(
        state, limits, [&](std::int64_t i) { return lists.start[i + 1] - lists.start[i]; },
        [&](std::int64_t i, std::int64_t k) -> std::int64_t { return lists.columns[lists.start[i] + k]; });
}

}  // namespace

const assignment::FeasibleKernels& kernels(const assignment::FeasibleKernels*) {
    static constexpr assignment::FeasibleKernels table{.from_values = from_values, .from_lists = from_lists};
    return table;
}

}  // namespace prunus::PRUNUS_SET
