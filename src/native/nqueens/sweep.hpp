// Counting the placements below a range of N-Queens tasks.
#pragma once

#include <cstdint>

#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::nqueens {

/// A list of tasks and the tables of their groups; see `prunus.nqueens.tasks.task_list`.
struct Tasks {
    int n;  // the size of the board
    const std::uint32_t* columns;
    const std::uint32_t* left;
    const std::uint32_t* right;
    const std::uint32_t* free;
    const std::int32_t* group;
    const std::uint32_t* masks;  // n + 2 a group
    const std::uint8_t* shifts;  // n + 2 a group
    const std::int64_t* solutions_weight;
    const std::int64_t* nodes_weight;
};

/// Weighted numbers of the tasks that were finished.
struct Counts {
    std::int64_t solutions = 0;
    std::int64_t nodes = 0;
};

struct Kernels {
    /// Counts tasks `first` to `last - 1`; returns the first one that was not finished.
    std::int64_t (*sweep)(const Tasks&, std::int64_t first, std::int64_t last, Limits&, Counts&);
};

}  // namespace prunus::nqueens

PRUNUS_KERNELS(nqueens::Kernels)
