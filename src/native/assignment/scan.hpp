// What is looked up in a matrix before it is solved by lists: a pass over all values, and copies in a smaller type.
#pragma once

#include <cstdint>

#include "assignment/benefits.hpp"
#include "assignment/matrix.hpp"
#include "dispatch.hpp"

namespace prunus::assignment {

/// What floats hold; `low` and `high` are those of the finite values, infinite if there is none.
struct FloatScan {
    double low, high;
    bool missing;      // a NaN
    bool plus, minus;  // an infinity of this sign
    bool fractional;   // a finite value that is not whole
    bool narrow;       // float32 holds every value
};

struct IntegerScan {
    std::int64_t low, high;
};

struct ScanKernels {
    /// Looks at floats, and copies them row by row to float32 as long as that changes nothing; null: no copy.
    FloatScan (*floats)(const Matrix&, float* copy);
    IntegerScan (*integers)(const Matrix&);
    /// Writes whole numbers less one of them, row by row, as float32, float64 or int64, which hold the differences.
    void (*shift)(const Matrix&, std::int64_t least, Type type, void* to);
    /// Writes the distances of some rows of points from all columns.
    void (*distances)(const Benefits&, std::int64_t first, std::int64_t last, double* to);
    /// Whether a matrix whose differences doubles hold is inverse Monge between each two rows `first` to `last`, in
    /// these orders of rows and columns: what a row gains from one column to the next grows with the row.
    bool (*is_inverse_monge)(const Matrix&, double sign, const std::int64_t* rows, const std::int64_t* columns,
                             std::int64_t first, std::int64_t last);
};

}  // namespace prunus::assignment

PRUNUS_KERNELS(assignment::ScanKernels)
