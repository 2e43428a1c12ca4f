// Sparse problems: the exact method over lists of all allowed pairs.
#pragma once

#include <cstdint>
#include <memory>

#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::assignment {

/// The allowed pairs of row i, from start[i] to start[i + 1], with their benefits, of double or int64.
struct Pairs {
    std::int64_t rows, columns;
    const std::int64_t* start;
    const std::int32_t* column;
    const void* benefits;
    bool whole;
};

enum class Matched { all, more_to_do, impossible };

/// One exact solve; work is counted in pairs.
struct PairSolve {
    virtual ~PairSolve() = default;
    virtual Matched match(Limits&) = 0;
    virtual bool reducing() const = 0;  // whether row reduction still goes on
    virtual const void* prices() const = 0;
    virtual const std::int32_t* column() const = 0;

    std::int64_t bids = 0, searches = 0, second_looks = 0;
};

struct PairKernels {
    std::unique_ptr<PairSolve> (*solve)(const Pairs&);
    void (*best_net_values)(const Pairs&, const void* prices, std::int64_t first, std::int64_t last, void* out);
};

}  // namespace prunus::assignment

PRUNUS_KERNELS(assignment::PairKernels)
