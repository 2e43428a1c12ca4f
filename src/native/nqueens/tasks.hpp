// Lists of N-Queens tasks: filling one more row of every task.
#pragma once

#include "nqueens/sweep.hpp"

namespace prunus::nqueens {

/// Where the children of tasks are written.
struct Children {
    std::uint32_t* columns;
    std::uint32_t* left;
    std::uint32_t* right;
    std::uint32_t* free;
    std::int32_t* group;
};

struct TaskKernels {
    /// How many children all tasks have together: the size of what `expand` writes to, at most.
    std::int64_t (*count_children)(const std::uint32_t* free, std::int64_t count);
    /// The least number of columns in use in any task; 32 if there is none.
    int (*least_queens)(const std::uint32_t* columns, std::int64_t count);
    /// Writes the children that can be extended further, in order, and returns their number. Adds
    /// the weighted solutions and nodes met. A child with one row left is settled: it has one cell
    /// for it, or none.
    std::int64_t (*expand)(const Tasks&, std::int64_t count, const Children&, Counts&);
};

}  // namespace prunus::nqueens

PRUNUS_KERNELS(nqueens::TaskKernels)
