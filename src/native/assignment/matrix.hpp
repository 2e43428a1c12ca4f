// Matrices and answers as they cross the border between the bindings and the kernels of dense matrices.
#pragma once

#include <cstdint>

#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::assignment {

/// The types in which a matrix may be given.
enum class Type { boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };

/// A matrix of at most as many rows as columns, neither 0, in any memory order.
struct Matrix {
    const void* data;
    Type type;
    std::int64_t rows, columns;
    std::int64_t row_step, column_step;  // in elements

    bool whole() const { return type < Type::float32; }
};

enum class Status {
    solved,      // the pairs are optimal
    impossible,  // no assignment avoids the forbidden pairs
    not_finite,  // there is a NaN, or an infinity of the better sign
    too_large,   // sums may leave the numbers in which it is to be solved
    given_up,    // the budget is spent, or the stop flag set
};

/// What is found of a matrix. Prices and best net values are those of benefits: values, or values times -1 where the
/// least sum is sought. They are doubles for floats, int64 for whole numbers, `Wide` where sums leave these.
struct Answer {
    std::int64_t* column;    // of each row
    void* prices = nullptr;  // of the columns
    void* best = nullptr;    // net value of each row
};

struct DenseKernels {
    /// Solves a matrix; its budget is entries read in searches for paths.
    Status (*solve)(const Matrix&, bool maximise, bool wide, Limits&, const Answer&);
};

}  // namespace prunus::assignment

PRUNUS_KERNELS(assignment::DenseKernels)
