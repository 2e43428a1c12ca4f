// Shortest augmenting paths over whole rows as published, with SciPy's order of columns.
//
// D. F. Crouse, On implementing 2D rectangular assignment algorithms, IEEE Transactions on Aerospace and Electronic
// Systems 52 (2016) 1679-1696. The order tells SciPy's choice among ties; and the prices of rows matched so far are a
// bound, whenever it is stopped.
#pragma once

#include <cstdint>

#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::assignment {

/// A matrix of at most as many rows as columns, row by row, and what is found of it.
template <class T>
struct InOrder {
    const T* matrix;
    std::int64_t rows, columns;
    bool maximise;
    T forbidden;           // nothing larger in size is a value
    std::int64_t* column;  // of each row, -1 for none
    T* price;              // of each column, for benefits
};

struct InOrderKernels {
    /// Match every row; false if that cannot be, or the stop flag was set between two rows.
    bool (*floats)(const InOrder<double>&, Limits&);
    bool (*integers)(const InOrder<std::int64_t>&, Limits&);
};

}  // namespace prunus::assignment

PRUNUS_KERNELS(assignment::InOrderKernels)
