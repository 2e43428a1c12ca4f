// An instance as kernels see it: benefits to be maximised, row by row, and nothing else.
//
// A matrix is read where it lies, with a sign that turns costs into benefits. Points with a metric
// have no matrix: a row is computed when it is looked at.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "assignment/prices.hpp"
#include "lanes.hpp"

namespace prunus::assignment {

/// Whole numbers of which doubles hold all sums are `integers`, of 64 or 32 bits; `int64` are others.
enum class ValueKind { float32, float64, int64, integers, integers32, distances };

/// The metrics in the order of `prunus.assignment.distances.METRICS`.
enum class Metric { euclidean, sqeuclidean, cityblock, chebyshev };

/// The benefit of row i and column j is `sign` times the value of a matrix, or a distance.
struct Benefits {
    ValueKind kind;
    std::int64_t rows, columns;
    int sign;                       // 1 to maximise, -1 to minimise
    const void* matrix = nullptr;   // null for points
    const double* left = nullptr;   // points: coordinates of row i from i * dimensions
    const double* right = nullptr;  // points: coordinate d of column j at d * columns + j
    int dimensions = 0;
    Metric metric = Metric::euclidean;
};

/// A column of a row, and what it is worth there.
template <class P>
struct Best {
    P net;
    std::int64_t column;
};

}  // namespace prunus::assignment

namespace prunus::PRUNUS_SET {

using assignment::Benefits;
using assignment::Best;
using assignment::Metric;

/// What prices are kept in for values of a type.
template <class V>
using PriceOf = std::conditional_t<std::is_same_v<V, std::int64_t>, std::int64_t, double>;

template <class V, class P = PriceOf<V>>
struct MatrixRows {
    using Value = V;
    using Price = P;

    explicit MatrixRows(const Benefits& benefits)
        : matrix(static_cast<const V*>(benefits.matrix)), columns(benefits.columns), sign(benefits.sign) {}

    const V* row(std::int64_t i) const { return matrix + i * columns; }
    Price benefit(std::int64_t i, std::int64_t j) const { return sign * static_cast<Price>(matrix[i * columns + j]); }

    const V* matrix;
    std::int64_t columns;
    Price sign;
};

/// Rows of distances; a copy for each thread, as it holds the row that was computed last.
struct PointRows {
    using Value = double;
    using Price = double;

    explicit PointRows(const Benefits& benefits)
        : at(benefits), columns(benefits.columns), sign(benefits.sign), computed(benefits.columns) {}

    const double* row(std::int64_t i) {
        double* out = computed.data();
        std::fill_n(out, columns, 0.0);
        for (int d = 0; d < at.dimensions; d++) {
            const double x = at.left[i * at.dimensions + d];
            const double* y = at.right + d * columns;
            if (at.metric == Metric::chebyshev) {
                for (std::int64_t j = 0; j < columns; j++) out[j] = std::max(out[j], std::fabs(x - y[j]));
            } else if (at.metric == Metric::cityblock) {
                for (std::int64_t j = 0; j < columns; j++) out[j] += std::fabs(x - y[j]);
            } else {
                for (std::int64_t j = 0; j < columns; j++) out[j] += (x - y[j]) * (x - y[j]);
            }
        }
        if (at.metric == Metric::euclidean)
            for (std::int64_t j = 0; j < columns; j++) out[j] = std::sqrt(out[j]);
        return out;
    }

    double benefit(std::int64_t i, std::int64_t j) const {
        double total = 0;
        for (int d = 0; d < at.dimensions; d++) {
            const double apart = std::fabs(at.left[i * at.dimensions + d] - at.right[d * columns + j]);
            if (at.metric == Metric::chebyshev)
                total = std::max(total, apart);
            else
                total += at.metric == Metric::cityblock ? apart : apart * apart;
        }
        return sign * (at.metric == Metric::euclidean ? std::sqrt(total) : total);
    }

    Benefits at;
    std::int64_t columns;
    double sign;
    std::vector<double> computed;
};

/// Calls `use` with the rows of an instance, of whatever kind they are.
template <class Use>
decltype(auto) with_rows(const Benefits& benefits, Use&& use) {
    switch (benefits.kind) {
        case assignment::ValueKind::float32:
            return use(MatrixRows<float>(benefits));
        case assignment::ValueKind::float64:
            return use(MatrixRows<double>(benefits));
        case assignment::ValueKind::int64:
            return use(MatrixRows<std::int64_t>(benefits));
        case assignment::ValueKind::integers:
            return use(MatrixRows<std::int64_t, double>(benefits));
        case assignment::ValueKind::integers32:
            return use(MatrixRows<std::int32_t, double>(benefits));
        default:
            return use(PointRows(benefits));
    }
}

/// Prices that stand in an array.
template <class P>
struct Prices {
    const P* price;
    P operator[](std::int64_t j) const { return price[j]; }
    Register<P> load(std::int64_t j) const {
        Register<P> lanes;
        std::memcpy(&lanes, price + j, sizeof lanes);
        return lanes;
    }
};

/// As many values as a register holds prices, as prices.
template <class P, class V>
Register<P> load_values(const V* from) {
    typedef V Narrow [[gnu::vector_size(register_bytes / sizeof(P) * sizeof(V))]];
    Narrow values;
    std::memcpy(&values, from, sizeof values);
    return __builtin_convertvector(values, Register<P>);
}

/// The column with the largest benefit less price, the first of equal ones; column 0 if none is
/// worth anything.
///
/// Only the largest value is kept of each part of the row; the column is looked for at the end.
template <class V, class P, class Array>
Best<P> best_column(const V* row, P sign, std::int64_t columns, const Array& prices) {
    constexpr int lanes = register_bytes / sizeof(P), registers = 4, step = lanes * registers, part = 16 * step;
    const auto net = [&](std::int64_t j) { return sign * static_cast<P>(row[j]) - prices[j]; };
    P best = lowest<P>;
    std::int64_t where = 0;
    for (std::int64_t begin = 0; begin < columns; begin += part) {
        const std::int64_t end = std::min(columns, begin + part);
        P most = lowest<P>;
        std::int64_t j = begin;
        if (j + step <= end) {
            Register<P> lane[registers];
            for (auto& l : lane) l = lowest<P> - Register<P>{};
            for (; j + step <= end; j += step)
                for (int k = 0; k < registers; k++) {
                    const std::int64_t at = j + k * lanes;
                    const Register<P> x = sign * load_values<P>(row + at) - prices.load(at);
                    lane[k] = x > lane[k] ? x : lane[k];
                }
            for (int k = 1; k < registers; k++) lane[0] = lane[k] > lane[0] ? lane[k] : lane[0];
            for (int e = 0; e < lanes; e++) most = std::max(most, lane[0][e]);
        }
        for (; j < end; j++) most = std::max(most, net(j));
        if (most > best) best = most, where = begin;
    }
    if (best > lowest<P>)
        while (net(where) != best) where++;
    return {best, where};
}

}  // namespace prunus::PRUNUS_SET
