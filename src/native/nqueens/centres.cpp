// Which centres there are, and which of its symmetric images each is replaced by.
//
// The images of a centre have the same completions, but trees of different sizes. The rows are
// filled from the top, so the queens that are already placed had better attack the upper rows. The expected
// number of partial placements of k rows is estimated as the product of the expected numbers of free
// cells of these rows, and the sum over k is the expected size of the tree. The choice costs 1 to 3 %
// more nodes than the best image of every centre would (n = 12 to 15); the first image, 30 %.
#include "nqueens/centres.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

namespace prunus::PRUNUS_SET {
namespace {

using nqueens::Centre;
using nqueens::CentreRows;
using Word = std::uint32_t;

constexpr int most_rows = 32;
constexpr int lines = 4;           // whose queens are placed first
constexpr double scale = 1 << 16;  // whole units of one expected cell

/// The central lines of a board are those with the indices `low` and `high`.
struct Board {
    int n, low, high;

    explicit Board(int size) : n(size), low(size / 2 - 1), high(size - size / 2) {}
};

Centre mirrored(Centre x, const Board& board) {
    return {board.n - 1 - x.upper, board.n - 1 - x.lower, x.right, x.left};
}

Centre upside_down(Centre x, const Board& board) {
    return {x.lower, x.upper, board.n - 1 - x.left, board.n - 1 - x.right};
}

Centre transposed(Centre x) { return {x.left, x.right, x.upper, x.lower}; }

/// Whether the queens of two crossing lines, x and y cells from the crossing, can be: where the lines
/// cross they must be one queen; at the same distance they attack each other.
bool agree(std::int64_t x, std::int64_t y) { return (std::abs(x) == std::abs(y)) == (x == 0 || y == 0); }

/// Whether no two of the queens attack each other, and each line has but one.
bool is_centre(const Centre& x, const Board& board) {
    const auto [n, low, high] = board;
    return x.upper != x.lower && x.left != x.right && std::abs(x.upper - x.lower) != high - low &&
           std::abs(x.left - x.right) != high - low && agree(x.upper - low, x.left - low) &&
           agree(x.upper - high, x.right - low) && agree(x.lower - low, x.left - high) &&
           agree(x.lower - high, x.right - high);
}

/// The size of a centre's orbit if it is the least member; 0 if it is not.
int orbit_of_least(const Centre& centre, const Board& board) {
    int same = 0;
    for (int which = 0; which < 8; which++) {
        Centre image = centre;
        if (which & 1) image = mirrored(image, board);
        if (which & 2) image = upside_down(image, board);
        if (which & 4) image = transposed(image);
        if (image < centre) return 0;
        same += image == centre;
    }
    return 8 / same;
}

std::int64_t find(int n, Centre* centres, std::int64_t* members) {
    const Board board(n);
    std::int64_t orbits = 0;
    // The images bring each of the four to the first place, and mirror it: none is below the first
    // of the least, nor as near to the other border.
    for (int a = 0; a < (n + 1) / 2; a++)
        for (int b = a; b < n - a; b++)
            for (int c = a; c < n - a; c++)
                for (int d = a; d < n - a; d++) {
                    const Centre centre{a, b, c, d};
                    if (!is_centre(centre, board)) continue;
                    const int size = orbit_of_least(centre, board);
                    if (size == 0) continue;
                    centres[orbits] = centre;
                    members[orbits++] = size;
                }
    return orbits;
}

/// How many cells of some are expected to be free of the queens filled in above.
///
/// A cell is free if no queen of the centre attacks it and none of the k queens above does; these are
/// taken to stand anywhere in the m columns that are left, so k of m columns are blocked, and a
/// diagonal that meets the cell is blocked with chance 1/m a row. Whole numbers, as their sums are
/// the same in any order.
class ExpectedFree {
  public:
    explicit ExpectedFree(int n) : n_(n), parts_((n + 3) / 4), units_((lines + 1) * n * parts_ * 16) {
        const int columns = std::max(n - lines, 1);
        for (int skipped = 0; skipped <= lines; skipped++)
            for (int row = 0; row < n; row++)
                for (int column = 0; column < n; column++) {
                    const int filled = std::max(row - skipped, 0);
                    const int met = std::min({row, column, filled}) + std::min({row, n - 1 - column, filled});
                    double chance = 1;
                    for (int i = 0; i < met; i++) chance *= 1 - 1.0 / columns;
                    chance *= std::max(1 - static_cast<double>(filled) / columns, 0.0);
                    const int units = static_cast<int>(std::nearbyint(scale * chance));
                    std::int32_t* const sums = &units_[(index(skipped, row) + column / 4) * 16];
                    for (int bits = 0; bits < 16; bits++) sums[bits] += bits >> column % 4 & 1 ? units : 0;
                }
    }

    /// The cells of a row in which `skipped` of the rows above hold a queen of the centre.
    std::int64_t of(Word cells, int skipped, int row) const {
        const std::int32_t* const sums = &units_[index(skipped, row) * 16];
        std::int64_t total = 0;
        for (int part = 0; part < parts_; part++) total += sums[part * 16 + (cells >> 4 * part & 15)];
        return total;
    }

  private:
    int index(int skipped, int row) const { return (skipped * n_ + row) * parts_; }

    int n_, parts_;
    std::vector<std::int32_t> units_;  // for any four columns, every set of them
};

/// The columns that a centre leaves free, row by row, and what it uses itself.
struct Cells {
    Word free[most_rows];
    Word columns, rows;

    Cells(const Centre& x, const Board& board) {
        const auto [n, low, high] = board;
        columns = 1u << x.upper | 1u << x.lower | 1u << low | 1u << high;
        rows = 1u << low | 1u << high | 1u << x.left | 1u << x.right;
        const Word all = n == 32 ? ~0u : (1u << n) - 1;
        for (int row = 0; row < n; row++) {
            const auto diagonals = [&](std::int64_t column, std::int64_t of_row) {
                const std::uint64_t queen = std::uint64_t{1} << column;
                const auto distance = std::abs(row - of_row);
                return static_cast<Word>(queen << distance | queen >> distance);
            };
            free[row] = all & ~(columns | diagonals(x.upper, low) | diagonals(x.lower, high) | diagonals(low, x.left) |
                                diagonals(high, x.right));
        }
    }

    /// The expected number of nodes below a centre, or `limit` if that is exceeded. Filling `upwards`
    /// from the bottom is the same as for the centre upside down.
    double expected_size(int n, const ExpectedFree& expected, bool upwards, double limit) const {
        double size = 0, product = 1;
        int skipped = 0;
        for (int k = 0; k < n && size < limit; k++) {
            const int row = upwards ? n - 1 - k : k;
            if (rows >> row & 1) {
                skipped++;
                continue;
            }
            product *= static_cast<double>(expected.of(free[row], skipped, k)) * (1 / scale);
            size += product;
        }
        return std::min(size, limit);
    }
};

/// The image with the smallest expected tree. Mirroring left-right changes nothing, so four are
/// compared: as it is or transposed, upside down or not.
Centre best_image(const Centre& centre, const Board& board, const ExpectedFree& expected) {
    Centre best = centre;
    double least = std::numeric_limits<double>::infinity();
    for (const Centre& image : {centre, transposed(centre)}) {
        const Cells cells(image, board);
        for (const bool upwards : {false, true}) {
            const double size = cells.expected_size(board.n, expected, upwards, least);
            if (size >= least) continue;
            least = size;
            best = upwards ? upside_down(image, board) : image;
        }
    }
    return best;
}

void write_rows(int n, const Centre* centres, std::int64_t count, const CentreRows& rows) {
    const Board board(n);
    const ExpectedFree expected(n);
    for (std::int64_t i = 0; i < count; i++) {
        const Cells cells(best_image(centres[i], board, expected), board);
        rows.columns[i] = cells.columns;
        int depth = std::popcount(cells.columns), previous = -1;
        for (int row = 0; row < n; row++) {
            if (cells.rows >> row & 1) continue;
            if (previous < 0)
                rows.free[i] = cells.free[row];
            else
                rows.shifts[i * (n + 2) + depth] = static_cast<std::uint8_t>(row - previous);
            rows.masks[i * (n + 2) + depth++] = cells.free[row];
            previous = row;
        }
    }
}

}  // namespace

const nqueens::CentreKernels& kernels(const nqueens::CentreKernels*) {
    static constexpr nqueens::CentreKernels table{.find = find, .write_rows = write_rows};
    return table;
}

}  // namespace prunus::PRUNUS_SET
