// The exact end of a solve whose lists a GPU makes: row reduction and shortest augmenting paths.
//
// A ranked list has the best columns of a row from the best down, as they were when it was made.
// Prices only rise: what a column was worth to a row then is the most that it will ever be. So a
// search looks at a few at the top of a list, and stops where none of the rest can be better. One
// that comes to the end of a list waits until there are more candidates.
//
// Where there are more columns than rows, those that stay free must end with the least price of all.
// Think of one more row for each of them, to which all columns are worth nothing: it is content with
// the cheapest. Levelling matches these rows, all from one root that reaches every column at its
// price.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "assignment/benefits.hpp"
#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::assignment {

/// The lists of all rows, one record each. A record has the threshold of the row, which no other
/// column exceeds, its number of candidates, and its candidates in portions: the largest net value
/// in the portion, its columns, and their values as they stand in the matrix.
struct RankedRecords {
    static constexpr int portion = 16, head = 16, key = 8, width = 4 * portion;

    const char* memory;
    std::int64_t size;  // bytes of a record
    int step;           // bytes of a portion
};

/// What a search ends with.
enum class Ended {
    all_matched,
    out_of_budget,
    list_exhausted,  // the row that is `stuck` needs more candidates
    extended_done,   // a search whose lists were given more candidates has ended
    no_path,         // from the root to a free column
};

/// One instance as the host goes on with it. Arrays of prices are passed as `void*`.
struct Ranked {
    static constexpr std::int64_t left_free = -2;  // the owner of a column that stays free

    virtual ~Ranked() = default;

    /// Takes prices, and gives columns to rows to which no other is worth more: its own one to a row
    /// whose benefit there is as much as its best net value, less rounding; else its best one, if
    /// nobody keeps it. The other rows wait.
    virtual void keep(const void* prices, const std::int32_t* own, const void* benefit, const std::int32_t* best,
                      const void* most, double rounding) = 0;
    /// Lets waiting rows bid with an epsilon of 0, so often at most; the rest waits for paths.
    virtual void reduce(std::int64_t bids) = 0;
    /// Lets columns that stay free wait where they are dearer than the cheapest.
    virtual void begin_levelling() = 0;
    /// Begins to search, of rows or of columns that wait.
    virtual void begin() = 0;
    /// Searches until none waits, or so many rows were in trees.
    virtual Ended search(Limits& limits) = 0;
    /// Ends levelling: what stays free has the price 0, and nothing less.
    virtual void end_levelling() = 0;
    /// Lets columns that stay free have the price of the others that do.
    virtual void price_left_free() = 0;
    /// Goes from the stuck row to all columns, which have these benefits.
    virtual void reach_all(const void* benefits) = 0;
    /// The row whose list is at its end, the root if there is no tree yet.
    virtual std::int64_t stuck() const = 0;
    /// Chooses rows of the tree whose lists end nearest, the stuck one and so many others, to be
    /// listed anew; `ceilings` are what their next candidates are worth at most.
    virtual void choose_extended(std::int64_t together) = 0;
    /// The threshold of a row.
    virtual std::variant<std::int64_t, double> threshold(std::int64_t row) const = 0;
    virtual void* prices() = 0;
    virtual void* ceilings() = 0;

    std::vector<std::int64_t> column, owner;  // of each row, of each column; -1 for none
    std::vector<std::int64_t> waiting;        // rows without a column, or columns to be matched
    std::vector<std::int64_t> extended;       // rows to be listed anew
    bool levelling = false;
    bool lists_extended = false;  // lists are no longer those of the best candidates
    std::int64_t root = -1;       // of the search that was interrupted
    std::int64_t tree_rows = 0;   // of its tree
};

struct RankedKernels {
    /// For values of a kind; `whole`: prices are int64.
    std::unique_ptr<Ranked> (*make)(RankedRecords, int kind, bool whole, int sign, std::int64_t rows,
                                    std::int64_t columns);
};

}  // namespace prunus::assignment

PRUNUS_KERNELS(assignment::RankedKernels)
