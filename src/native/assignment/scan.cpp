#include "assignment/scan.hpp"

#include <algorithm>
#include <cmath>

#include "assignment/costs.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using assignment::FloatScan;
using assignment::IntegerScan;

constexpr int lanes = 16;  // of sums and extremes, so that loops become vector code

template <class V>
struct RowScan {
    V low[lanes], high[lanes];
    std::int32_t missing[lanes] = {}, infinite[lanes] = {}, fractional[lanes] = {};

    RowScan() {
        std::fill_n(low, lanes, std::numeric_limits<V>::infinity());
        std::fill_n(high, lanes, -std::numeric_limits<V>::infinity());
    }

    void take(const V* row, std::int64_t columns) {
        std::int64_t j = 0;
        for (; j + lanes <= columns; j += lanes)
            for (int q = 0; q < lanes; q++) take_one(row[j + q], q);
        for (; j < columns; j++) take_one(row[j], 0);
    }

    void take_one(V x, int q) {
        const V size = std::fabs(x);
        const bool finite = size <= std::numeric_limits<V>::max();
        missing[q] |= x != x;
        infinite[q] |= !finite;
        fractional[q] |= std::floor(x) != x;
        low[q] = x < low[q] ? x : low[q];
        high[q] = x > high[q] ? x : high[q];
    }
};

template <class V>
bool is_narrow(const V* row, std::int64_t columns) {
    std::int32_t lost = 0;
    for (std::int64_t j = 0; j < columns; j++) lost |= static_cast<V>(static_cast<float>(row[j])) != row[j];
    return lost == 0;
}

FloatScan floats(const Matrix& a, float* copy) {
    FloatScan found{infinity<double>, -infinity<double>, false, false, false, false, true};
    with_type(a.type, [&]<class V>(const V*) {
        if constexpr (std::is_floating_point_v<V>)
            for (std::int64_t i = 0; i < a.rows; i++) {
                const V* row = static_cast<const V*>(a.data) + i * a.row_step;
                RowScan<V> scan;
                scan.take(row, a.columns);
                bool infinite = false;
                double low = infinity<double>, high = -infinity<double>;
                for (int q = 0; q < lanes; q++) {
                    found.missing |= scan.missing[q] != 0;
                    found.fractional |= scan.fractional[q] != 0;
                    infinite |= scan.infinite[q] != 0;
                    low = std::min(low, static_cast<double>(scan.low[q]));
                    high = std::max(high, static_cast<double>(scan.high[q]));
                }
                if (infinite) {
                    low = infinity<double>, high = -infinity<double>;
                    for (std::int64_t j = 0; j < a.columns; j++) {
                        const double x = row[j];
                        found.plus |= x == infinity<double>;
                        found.minus |= x == -infinity<double>;
                        if (std::fabs(x) < infinity<double>) low = std::min(low, x), high = std::max(high, x);
                    }
                }
                found.low = std::min(found.low, low);
                found.high = std::max(found.high, high);
                found.narrow = found.narrow && is_narrow(row, a.columns);
                if (found.narrow && copy != nullptr)
                    for (std::int64_t j = 0; j < a.columns; j++) copy[i * a.columns + j] = static_cast<float>(row[j]);
            }
    });
    return found;
}

IntegerScan integers(const Matrix& a) {
    return with_type(a.type, [&]<class V>(const V*) -> IntegerScan {
        if constexpr (std::is_floating_point_v<V>) {
            return {0, 0};
        } else {
            const Range range = range_of<V>(a);
            return {static_cast<std::int64_t>(range.low), static_cast<std::int64_t>(range.high)};
        }
    });
}

void shift(const Matrix& a, std::int64_t least, Type type, void* to) {
    with_type(a.type, [&]<class V>(const V*) {
        if constexpr (std::is_same_v<V, std::int32_t> || std::is_same_v<V, std::int64_t>)
            for (std::int64_t i = 0; i < a.rows; i++) {
                const V* row = static_cast<const V*>(a.data) + i * a.row_step;
                const auto above = [&](std::int64_t j) {  // the difference fits, though int64 may not hold the steps
                    return static_cast<std::int64_t>(static_cast<std::uint64_t>(row[j]) -
                                                     static_cast<std::uint64_t>(least));
                };
                const std::int64_t begin = i * a.columns;
                if (type == Type::float32)  // differences below 2^24, which 32 bits hold
                    for (std::int64_t j = 0; j < a.columns; j++)
                        static_cast<float*>(to)[begin + j] = static_cast<float>(static_cast<std::int32_t>(above(j)));
                else if (type == Type::float64)
                    for (std::int64_t j = 0; j < a.columns; j++)
                        static_cast<double*>(to)[begin + j] = static_cast<double>(above(j));
                else
                    for (std::int64_t j = 0; j < a.columns; j++) static_cast<std::int64_t*>(to)[begin + j] = above(j);
            }
    });
}

void distances(const Benefits& benefits, std::int64_t first, std::int64_t last, double* to) {
    PointRows rows(benefits);
    for (std::int64_t i = first; i < last; i++) std::copy_n(rows.row(i), benefits.columns, to + i * benefits.columns);
}

bool is_inverse_monge(const Matrix& a, double sign, const std::int64_t* rows, const std::int64_t* columns,
                      std::int64_t first, std::int64_t last) {
    return with_type(a.type, [&]<class V>(const V*) {
        const V* data = static_cast<const V*>(a.data);
        for (std::int64_t q = first; q < last; q++) {
            const V *row = data + rows[q] * a.row_step, *below = data + rows[q + 1] * a.row_step;
            double before = -infinity<double>;
            for (std::int64_t k = 0; k < a.columns; k++) {
                const std::int64_t j = columns[k];
                const double rise = sign * (static_cast<double>(below[j]) - static_cast<double>(row[j]));
                if (rise < before) return false;
                before = rise;
            }
        }
        return true;
    });
}

}  // namespace

const assignment::ScanKernels& kernels(const assignment::ScanKernels*) {
    static constexpr assignment::ScanKernels table{.floats = floats,
                                                   .integers = integers,
                                                   .shift = shift,
                                                   .distances = distances,
                                                   .is_inverse_monge = is_inverse_monge};
    return table;
}

}  // namespace prunus::PRUNUS_SET
