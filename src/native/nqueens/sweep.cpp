// Depth first, with one row of look-ahead.
//
// Bit masks as in Somers' and Richards' programs. A child whose *next but one* row has no cell left
// is not entered: none of its own children could go on, so they are counted and left alone. Only
// nodes with a candidate left are put on the stack.
//
// The step of gpu/sweep.cu is another one: words hold ones outside the board and a row's shift, so that
// a population count replaces the depth, and a lane goes on the same way whether its child is dead or
// not. On a core, where a branch is cheap, that takes longer.
#include "nqueens/sweep.hpp"

#include <bit>

namespace prunus::PRUNUS_SET {
namespace {

using nqueens::Counts;
using nqueens::Tasks;
using Word = std::uint64_t;

constexpr int most_rows = 32;
constexpr int nodes_between_polls = 1 << 16;  // less than a millisecond

/// A row to fill: the cells that the queens of the group leave free, and how many rows below the
/// previous one it lies.
struct Row {
    Word mask;
    Word shift;
};

struct Node {
    Word columns, left, right, free;
    const Row* row;  // the next but one to fill, which a child looks at
};

std::int64_t sweep(const Tasks& tasks, std::int64_t first, std::int64_t last, Limits& limits, Counts& counts) {
    const int n = tasks.n;
    Row rows[most_rows + 2];
    Node stack[most_rows];
    for (std::int64_t task = first; task < last; task++) {
        const int group = tasks.group[task];
        for (int d = 0; d < n + 2; d++) rows[d] = {tasks.masks[group * (n + 2) + d], tasks.shifts[group * (n + 2) + d]};
        Node at{tasks.columns[task], tasks.left[task], tasks.right[task], tasks.free[task], nullptr};
        at.row = &rows[std::popcount(at.columns) + 1];
        const Row* const last_row = &rows[n - 1];
        std::int64_t solutions = 0, nodes = 0;
        Node* top = stack;
        for (bool open = true; open;) {
            if (limits.stopped()) return task;
            for (int i = 0; i < nodes_between_polls; i++) {
                const Row* const row = at.row;
                const Word queen = at.free & (~at.free + 1);
                at.free &= at.free - 1;
                const Word columns = at.columns | queen;
                const Word left = (at.left | queen) << row[0].shift;
                const Word right = (at.right | queen) >> row[0].shift;
                const Word free = row[0].mask & ~(columns | left | right);
                nodes++;
                // in the last row the next mask is 0, so a placement about to be complete ends here
                const Word further = row[1].mask & ~(columns | (left << row[1].shift) | (right >> row[1].shift));
                if (free != 0 && further != 0) {
                    if (at.free != 0) *top++ = at;
                    at = {columns, left, right, free, row + 1};
                    continue;
                }
                nodes += std::popcount(free);
                if (row == last_row && free != 0) solutions++;
                if (at.free == 0) {
                    if (top == stack) {
                        open = false;
                        break;
                    }
                    at = *--top;
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
