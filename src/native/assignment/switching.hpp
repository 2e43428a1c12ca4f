// Deep greedy switching: exchange jobs between two agents for as long as that gains anything.
//
// With the column t(i) of row i, the row s(j) of column j and c_i = a[i, t(i)], row i gains
// a[i, j] + a[s(j), t(i)] - c_i - c_s(j) if it swaps columns with the row of j; with a free column,
// whose row one may think of as worth nothing anywhere, a[i, j] - c_i. The agent difference
// evaluation is the best of these over j. The job difference evaluation, the best over i for a
// given j, is the same number for the row of j and its column: so rows are evaluated alone.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "assignment/benefits.hpp"
#include "dispatch.hpp"

namespace prunus::assignment {

/// An assignment of every row that is improved in place, in steps.
///
/// A block of rows is taken, evaluated, perhaps by several threads, and the exchanges that were
/// found are made. Arrays of gains and of prices, whose type depends on that of the values, are
/// passed as `void*`.
struct Switching {
    virtual ~Switching() = default;

    /// Takes the instance by columns, which evaluations need.
    virtual void transpose(const Benefits& by_columns) = 0;
    /// Starts from a column for every row.
    virtual void assign(const std::int64_t* columns) = 0;
    /// Lets rows take the best free column in turn; none is assigned before the first one.
    virtual void assign_greedily(const std::int64_t* rows, std::int64_t first, std::int64_t last) = 0;
    /// Evaluates rows `first` to `last - 1` of the block; several threads may do so at once.
    virtual void evaluate(std::int64_t first, std::int64_t last) = 0;
    /// Makes the exchanges of the block that still gain more than `tiny`; queues their rows.
    virtual void exchange_block(double tiny) = 0;
    /// What row i gains by swapping columns with the row that has column j, as the type of prices.
    virtual std::variant<std::int64_t, double> gain(std::int64_t i, std::int64_t j) const = 0;
    /// Does so; returns the other row, -1 if the column was free.
    virtual std::int64_t exchange(std::int64_t i, std::int64_t j) = 0;
    /// Lowers the price of each row's column, of rows `first` to `last - 1`, until the row would
    /// not rather have another one.
    virtual void sweep(void* prices, std::int64_t first, std::int64_t last) const = 0;
    /// The best gain of each row of the block.
    virtual void* gains() = 0;

    /// Queues all rows in an order.
    virtual void queue(const std::int64_t* order) = 0;
    /// Takes the next rows from the queue as a block; returns how many, 0 at the end.
    virtual std::int64_t take_block() = 0;
    /// Takes rows as a block.
    virtual void take(const std::int64_t* some, std::int64_t count) = 0;

    std::int64_t rows, columns;
    std::vector<std::int64_t> column, owner;  // of each row and of each column, -1 for none
    std::vector<std::int64_t> block;          // the rows that are evaluated
    std::vector<std::int64_t> target;         // with which column each gains most
    std::int64_t evaluations = 0, switches = 0;
};

struct SwitchingKernels {
    std::unique_ptr<Switching> (*make)(const Benefits&);
};

}  // namespace prunus::assignment

PRUNUS_KERNELS(assignment::SwitchingKernels)
