// Some assignment where pairs are forbidden: a matching of all rows with allowed columns.
#pragma once

#include <cstdint>

#include "assignment/benefits.hpp"
#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::assignment {

enum class Feasible { done, more_to_do, impossible };

/// The allowed columns of row i, from start[i] to start[i + 1].
struct AllowedColumns {
    const std::int64_t* start;
    const std::int32_t* columns;
};

/// A matching of the rows before `next`; the column of each row and the row of each column, or -1.
struct PartialMatching {
    std::int64_t rows, columns, next;
    std::int64_t* column;
    std::int64_t* owner;
};

struct FeasibleKernels {
    /// Go on until all rows are matched, one cannot be, or the budget of pairs is spent.
    Feasible (*from_values)(const Benefits&, PartialMatching&, Limits&);
    Feasible (*from_lists)(const AllowedColumns&, PartialMatching&, Limits&);
};

}  // namespace prunus::assignment

PRUNUS_KERNELS(assignment::FeasibleKernels)
