// From a matrix as it is given to costs in the numbers in which it is solved.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "assignment/matrix.hpp"
#include "assignment/numbers.hpp"

namespace prunus::PRUNUS_SET {

using assignment::Matrix;
using assignment::Type;

/// Calls a function with a null pointer to the type of a matrix's values.
template <class F>
auto with_type(Type type, F&& call) {
    switch (type) {
        case Type::boolean:
            return call(static_cast<const std::uint8_t*>(nullptr));
        case Type::int8:
            return call(static_cast<const std::int8_t*>(nullptr));
        case Type::int16:
            return call(static_cast<const std::int16_t*>(nullptr));
        case Type::int32:
            return call(static_cast<const std::int32_t*>(nullptr));
        case Type::int64:
            return call(static_cast<const std::int64_t*>(nullptr));
        case Type::uint8:
            return call(static_cast<const std::uint8_t*>(nullptr));
        case Type::uint16:
            return call(static_cast<const std::uint16_t*>(nullptr));
        case Type::uint32:
            return call(static_cast<const std::uint32_t*>(nullptr));
        case Type::uint64:
            return call(static_cast<const std::uint64_t*>(nullptr));
        case Type::float32:
            return call(static_cast<const float*>(nullptr));
        case Type::float64:
            return call(static_cast<const double*>(nullptr));
    }
    __builtin_unreachable();
}

/// Calls a function with runs of values that lie one after the other, all of the matrix, in any order.
template <class V, class F>
void for_each_run(const Matrix& a, F&& call) {
    const auto* data = static_cast<const V*>(a.data);
    if (a.column_step == 1 && a.row_step == a.columns) return call(data, a.rows * a.columns);
    if (a.column_step == 1) {
        for (std::int64_t i = 0; i < a.rows; i++) call(data + i * a.row_step, a.columns);
    } else if (a.row_step == 1) {
        for (std::int64_t j = 0; j < a.columns; j++) call(data + j * a.column_step, a.rows);
    } else {
        for (std::int64_t i = 0; i < a.rows; i++)
            for (std::int64_t j = 0; j < a.columns; j++)
                call(data + i * a.row_step + j * a.column_step, std::int64_t{1});
    }
}

/// The least and the largest of whole numbers.
struct Range {
    Wide low, high;
};

template <class V>
Range range_of(const Matrix& a) {
    V low = *static_cast<const V*>(a.data), high = low;
    for_each_run<V>(a, [&](const V* run, std::int64_t count) {
        V least = low, most = high;
        for (std::int64_t k = 0; k < count; k++) {
            least = run[k] < least ? run[k] : least;
            most = run[k] > most ? run[k] : most;
        }
        low = least, high = most;
    });
    return {low, high};
}

/// Whether floats hold a NaN or a cost of minus infinity, and the largest finite size.
struct FloatCheck {
    bool bad;
    double largest;
};

template <class V>
FloatCheck check_floats(const Matrix& a, bool maximise) {
    constexpr int lanes = 16;
    const double sign = maximise ? -1 : 1;
    double most[lanes] = {};
    std::int64_t bad[lanes] = {};
    for_each_run<V>(a, [&](const V* run, std::int64_t count) {
        std::int64_t k = 0;
        for (; k + lanes <= count; k += lanes)
            for (int q = 0; q < lanes; q++) {
                const double x = run[k + q], size = std::fabs(x);
                bad[q] |= !(sign * x > -infinity<double>);
                const double finite = size < infinity<double> ? size : 0.0;
                most[q] = finite > most[q] ? finite : most[q];
            }
        for (; k < count; k++) {
            const double x = run[k], size = std::fabs(x);
            bad[0] |= !(sign * x > -infinity<double>);
            if (size < infinity<double> && size > most[0]) most[0] = size;
        }
    });
    FloatCheck found{false, 0};
    for (int q = 0; q < lanes; q++) {
        found.bad |= bad[q] != 0;
        found.largest = std::max(found.largest, most[q]);
    }
    return found;
}

/// Writes costs row by row, each filled up with infinities to `stride`: for whole numbers what they are above the best.
template <class T, class V>
void copy_costs(const Matrix& a, bool maximise, Range range, std::int64_t stride, T* to) {
    const auto* data = static_cast<const V*>(a.data);
    const auto cost = [=](V x) -> T {
        if constexpr (std::is_floating_point_v<V>)
            return maximise ? -static_cast<T>(x) : static_cast<T>(x);
        else if constexpr (std::is_same_v<T, Wide>)
            return maximise ? range.high - x : x - range.low;
        else  // the difference fits, though neither number may
            return static_cast<T>(maximise ? static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(x)
                                           : static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(range.low));
    };
    const std::int64_t n = a.rows, m = a.columns;
    if (a.column_step == 1) {
        for (std::int64_t i = 0; i < n; i++) {
            const V* row = data + i * a.row_step;
            for (std::int64_t j = 0; j < m; j++) to[i * stride + j] = cost(row[j]);
        }
    } else {
        constexpr std::int64_t tile = 32;  // so that neither matrix is read or written far apart
        for (std::int64_t top = 0; top < n; top += tile)
            for (std::int64_t left = 0; left < m; left += tile)
                for (std::int64_t i = top; i < std::min(n, top + tile); i++)
                    for (std::int64_t j = left; j < std::min(m, left + tile); j++)
                        to[i * stride + j] = cost(data[i * a.row_step + j * a.column_step]);
    }
    if (stride > m)
        for (std::int64_t i = 0; i < n; i++) std::fill(to + i * stride + m, to + (i + 1) * stride, infinity<T>);
}

}  // namespace prunus::PRUNUS_SET
