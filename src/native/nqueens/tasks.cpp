#include "nqueens/tasks.hpp"

#include <algorithm>
#include <bit>

namespace prunus::PRUNUS_SET {
namespace {

using nqueens::Children;
using nqueens::Counts;
using nqueens::Tasks;
using Word = std::uint64_t;

std::int64_t count_children(const std::uint32_t* free, std::int64_t count) {
    std::int64_t total = 0;
    for (std::int64_t i = 0; i < count; i++) total += std::popcount(free[i]);
    return total;
}

int least_queens(const std::uint32_t* columns, std::int64_t count) {
    int least = 32;
    for (std::int64_t i = 0; i < count; i++) least = std::min(least, std::popcount(columns[i]));
    return least;
}

std::int64_t expand(const Tasks& tasks, std::int64_t count, const Children& children, Counts& counts) {
    const int n = tasks.n;
    std::int64_t kept = 0;
    for (std::int64_t task = 0; task < count; task++) {
        const std::int32_t group = tasks.group[task];
        const int depth = std::popcount(tasks.columns[task]) + 1;  // queens of a child
        const Word mask = tasks.masks[group * (n + 2) + depth];
        const int shift = tasks.shifts[group * (n + 2) + depth];
        for (Word open = tasks.free[task]; open != 0; open &= open - 1) {
            const Word queen = open & (~open + 1);
            const Word columns = tasks.columns[task] | queen;
            const Word left = ((tasks.left[task] | queen) << shift) & 0xffffffff;
            const Word right = (tasks.right[task] | queen) >> shift;
            const Word free = mask & ~(columns | left | right);
            counts.nodes += tasks.nodes_weight[group];
            if (depth == n || (depth == n - 1 && free != 0)) {
                counts.solutions += tasks.solutions_weight[group];
                counts.nodes += tasks.nodes_weight[group] * (n - depth);
            } else if (free != 0) {
                children.columns[kept] = static_cast<std::uint32_t>(columns);
                children.left[kept] = static_cast<std::uint32_t>(left);
                children.right[kept] = static_cast<std::uint32_t>(right);
                children.free[kept] = static_cast<std::uint32_t>(free);
                children.group[kept] = group;
                kept++;
            }
        }
    }
    return kept;
}

}  // namespace

const nqueens::TaskKernels& kernels(const nqueens::TaskKernels*) {
    static constexpr nqueens::TaskKernels table{
        .count_children = count_children, .least_queens = least_queens, .expand = expand};
    return table;
}

}  // namespace prunus::PRUNUS_SET
