// Points whose distances are minimised, as many on either side: what a solve does without looking
// at all pairs.
//
// Rows bid in an auction from lists of the columns that cost them least, as a tree finds them; then
// shortest augmenting paths in the lists match what is left. What lists leave out is checked against
// the tree: rows to which a column outside their list would be worth more look for one anew.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "assignment/benefits.hpp"
#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::points {

using assignment::Metric;

/// Two sets of points in the order of their trees, `count` times `dimensions` coordinates each.
struct Sets {
    std::int64_t count;
    int dimensions;
    const double* rows;
    const double* columns;
    Metric metric;
};

/// One solve. What is said of rows `first` to `last - 1` of some may be done by several threads at
/// once, each for other rows.
struct Solve {
    virtual ~Solve() = default;

    /// Makes room for lists of so many columns; those of all rows are to be made.
    virtual void begin_lists(int listed) = 0;
    /// Lists the cheapest columns of rows that are to be listed, its own one among them.
    virtual void list(std::int64_t first, std::int64_t last) = 0;
    /// The mean distance of the nearest listed column.
    virtual double nearest_distance() const = 0;
    /// Unassigns all rows; prices stay.
    virtual void open() = 0;
    /// Lets waiting rows bid until none waits, or the budget of bids is spent; a list that may lack
    /// the best column is made anew after `patience` bids from it, which counts as sixteen bids.
    virtual void bid(double epsilon, int patience, Limits& limits) = 0;
    /// Lets the tree know the prices there are.
    virtual void know_prices() = 0;
    /// Begins to match waiting rows in their lists.
    virtual void begin_matching() = 0;
    /// Goes on with that; returns whether none waits. There is an assignment in the lists.
    virtual bool match(Limits& limits) = 0;
    /// Begins a check at the prices there are; or where columns are cheaper by what their rows
    /// would rather have others for, as the last check found. `again`: prices have only risen since
    /// the last check, and rows that it collected have been matched anew.
    virtual void begin_check(bool cheaper, bool again) = 0;
    /// Finds the best net values of rows, and how much more that is than they have.
    virtual void check(std::int64_t first, std::int64_t last) = 0;
    /// Collects rows that would rather have another column by more than `tolerance` times the
    /// largest price: they are to be listed. Returns how many.
    virtual std::int64_t collect(double tolerance) = 0;
    /// Takes their columns from these rows, which wait.
    virtual void release() = 0;
    /// The column of each row, -1 for none.
    virtual const std::int32_t* column() const = 0;
    virtual const std::int32_t* owner() const = 0;
    virtual std::int64_t waiting() const = 0;

    std::vector<std::int32_t> to_list;  // rows that are to be listed
    std::vector<double> checked;        // the prices of the last check
    std::vector<double> best;           // the best net values of the rows at these
    std::int64_t bids = 0, lists_renewed = 0, searches = 0;
};

struct Kernels {
    std::unique_ptr<Solve> (*make)(const Sets&);
    /// Halves all nodes of one level of the trees over both sets, along the same coordinates: those
    /// in which the first set is widest. The orders are those of the level before.
    void (*halve)(const Sets&, int level, std::int32_t* rows, std::int32_t* columns);
    int (*levels)(std::int64_t count);
};

}  // namespace prunus::points

PRUNUS_KERNELS(points::Kernels)
