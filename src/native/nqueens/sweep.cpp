// Depth first, with one row of look-ahead.
//
// Bit masks as in Somers' and Richards' programs. A child whose *next but one* row has no cell left
// is not entered: none of its own children could go on, so they are counted and left alone. Only
// nodes with a candidate left are put on the stack.
#include "nqueens/sweep.hpp"

#include <bit>

namespace prunus::PRUNUS_SET {
namespace {

using nqueens::Counts;
using nqueens::Tasks;
using Word = std::uint64_t;

constexpr int most_rows = 32;
constexpr int nodes_between_polls = 1 << 16;  // less than a millisecond

struct Node {
    Word columns, left, right, free;
    int depth;  // queens placed
};

std::int64_t sweep(const Tasks& tasks, std::int64_t first, std::int64_t last, Limits& limits, Counts& counts) {
    const int n = tasks.n;
    Word mask[most_rows + 2], shift[most_rows + 2];
    Node stack[most_rows];
    for (std::int64_t task = first; task < last; task++) {
        const int group = tasks.group[task];
        for (int d = 0; d < n + 2; d++) {
            mask[d] = tasks.masks[group * (n + 2) + d];
            shift[d] = tasks.shifts[group * (n + 2) + d];
        }
        Node at{tasks.columns[task], tasks.left[task], tasks.right[task], tasks.free[task], 0};
        at.depth = std::popcount(at.columns) + 1;
        std::int64_t solutions = 0, nodes = 0;
        int top = 0;
        for (bool open = true; open;) {
            if (limits.stopped()) return task;
            for (int i = 0; i < nodes_between_polls; i++) {
                const int d = at.depth;
                const Word queen = at.free & (~at.free + 1);
                at.free ^= queen;
                const Word columns = at.columns | queen;
                const Word left = (at.left | queen) << shift[d];
                const Word right = (at.right | queen) >> shift[d];
                const Word free = mask[d] & ~(columns | left | right);
                nodes++;
                // in the last row the next mask is 0, so a placement about to be complete ends here
                const Word further = mask[d + 1] & ~(columns | (left << shift[d + 1]) | (right >> shift[d + 1]));
                if (free != 0 && further != 0) {
                    if (at.free != 0) stack[top++] = at;
                    at = {columns, left, right, free, d + 1};
                    continue;
                }
                nodes += std::popcount(free);
                if (d == n - 1 && free != 0) solutions++;
                if (at.free == 0) {
                    if (top == 0) {
                        open = false;
                        break;
                    }
                    at = stack[--top];
                }
            }
        }
        counts.solutions += solutions * tasks.solutions_weight[group];
        counts.nodes += nodes * tasks.nodes_weight[group];
    }
    return last;
}

}  // namespace

const nqueens::Kernels& kernels(const nqueens::Kernels*) {
    static constexpr nqueens::Kernels table{.sweep = sweep};
    return table;
}

}  // namespace prunus::PRUNUS_SET
