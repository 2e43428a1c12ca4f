// Centres: the queens of the two rows and the two columns next to the middle of the board.
#pragma once

#include <compare>
#include <cstdint>

#include "dispatch.hpp"

namespace prunus::nqueens {

/// The queen of the upper line stands in column `upper`, that of the lower line in column `lower`,
/// that of the left line in row `left`, that of the right line in row `right`, counted from 0. A
/// queen where two lines cross is named twice.
struct Centre {
    std::int64_t upper, lower, left, right;

    auto operator<=>(const Centre&) const = default;
};

/// What is written of each centre: the tables of its rows (n + 2 numbers each, see `Tasks`), its
/// columns, and the free cells of the first row to fill.
struct CentreRows {
    std::uint32_t* masks;
    std::uint8_t* shifts;
    std::uint32_t* columns;
    std::uint32_t* free;
};

/// The number of orbits of centres does not exceed this.
inline std::int64_t most_centres(std::int64_t n) { return n * n * n * n / 8 + n * n * n; }

struct CentreKernels {
    /// Writes the least centre of each orbit under the symmetries of the square, and the size of
    /// the orbit; returns the number of orbits. `n` is at least 4.
    std::int64_t (*find)(int n, Centre* centres, std::int64_t* members);
    /// Writes the rows of every centre, after replacing it by its image with the smallest expected
    /// tree. Masks are zero and shifts one beforehand.
    void (*write_rows)(int n, const Centre* centres, std::int64_t count, const CentreRows&);
};

}  // namespace prunus::nqueens

PRUNUS_KERNELS(nqueens::CentreKernels)
