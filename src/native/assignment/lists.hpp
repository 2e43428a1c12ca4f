// The exact method for large matrices: an auction and shortest augmenting paths over candidate lists.
//
// The auction's first phases bring nearly all of the work and never the optimum; the paths, started from its prices,
// bring the optimum, exactly, in few steps.
#pragma once

#include <cstdint>
#include <memory>

#include "assignment/benefits.hpp"
#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::assignment {

enum class Paths { all_matched, more_to_do, row_unmatchable, prices_too_large };

/// One solve. Its budgets are in entries of rows that are looked at. Whatever number of threads help, and whenever it
/// pauses, it ends in the same way.
struct ListSolve {
    virtual ~ListSolve() = default;

    /// Makes the lists of some rows; several threads may do so at once, each for other rows.
    virtual void fill(std::int64_t first, std::int64_t last) = 0;
    /// The best benefit of a row as listed; `lowest` if it has none. Doubles or int64, as prices are.
    virtual void best_listed(void* out) const = 0;
    /// Unassigns all rows; prices stay.
    virtual void open() = 0;
    /// Lets waiting rows bid until none waits, the budget is spent, or there have been `most_bids` bids in all. A row
    /// bids for its best column as much as it could pay and still be no more than epsilon worse off than with its
    /// second best (D. P. Bertsekas, The auction algorithm, Annals of Operations Research 14 (1988) 105-123).
    virtual void bid(double epsilon, std::int64_t most_bids, Limits&) = 0;
    /// Lets other threads look at rows for `bid`, until they are closed; `stalled` says that one was waited for too
    /// long, and it would have been faster without.
    virtual void open_help() = 0;
    virtual void help() = 0;
    virtual void close_help() = 0;
    virtual bool stalled() const = 0;
    /// Makes a copy in float32, which must hold all values: for rows that are to be looked at often. First room for it,
    /// then rows, by several threads at once; it is read from `use_narrow` on.
    virtual void make_room() = 0;
    virtual void copy_narrow(std::int64_t first, std::int64_t last) = 0;
    virtual void use_narrow() = 0;
    /// Rounds prices up to whole ones, which keeps thresholds true.
    virtual void round_prices() = 0;
    /// Jonker and Volgenant's augmenting row reduction, `bids` of them at most; whether that is done.
    virtual bool reduce_rows(std::int64_t bids, Limits&) = 0;
    /// Matches waiting rows along shortest paths.
    virtual Paths augment(Limits&) = 0;

    virtual void* prices() = 0;
    virtual const std::int32_t* column() const = 0;
    virtual std::int64_t waiting() const = 0;

    std::int64_t bids = 0, row_scans = 0, searches = 0;
};

struct ListKernels {
    std::unique_ptr<ListSolve> (*make)(const Benefits&, int listed);
    /// Finds the best net values of rows `first` to `last - 1` at prices; `lowest` of a row without any.
    void (*best_net_values)(const Benefits&, const void* prices, std::int64_t first, std::int64_t last, void* out);
};

}  // namespace prunus::assignment

PRUNUS_KERNELS(assignment::ListKernels)
