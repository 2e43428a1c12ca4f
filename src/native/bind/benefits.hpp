// The NamedTuple `prunus.assignment.instance.benefits.Benefits` as kernels take it.
#pragma once

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include <cmath>
#include <stdexcept>
#include <tuple>
#include <variant>

#include "arrays.hpp"
#include "assignment/benefits.hpp"

namespace prunus {

using Matrix = std::variant<Array<const float, 2>, Array<const double, 2>, Array<const std::int64_t, 2>,
                            Array<const std::int32_t, 2>>;
using Coordinates = Array<const double, 2>;

/// The matrix, the sign, what is below every net value, the points of either side, and the number
/// of the metric, -1 for a matrix.
using BenefitsTuple = std::tuple<Matrix, double, double, Coordinates, Coordinates, int>;

inline assignment::Benefits view(const BenefitsTuple& tuple) {
    using assignment::ValueKind;
    const auto& [matrix, sign, lowest, left, right, metric] = tuple;
    assignment::Benefits view{};
    view.sign = sign > 0 ? 1 : -1;
    if (metric < 0) {
        constexpr ValueKind kinds[] = {ValueKind::float32, ValueKind::float64, ValueKind::integers,
                                       ValueKind::integers32};
        view.kind = kinds[matrix.index()];
        if (view.kind == ValueKind::integers && std::isfinite(lowest)) view.kind = ValueKind::int64;
        std::visit(
            [&](const auto& array) {
                view.rows = static_cast<std::int64_t>(array.shape(0));
                view.columns = static_cast<std::int64_t>(array.shape(1));
                view.matrix = array.data();
            },
            matrix);
    } else {
        if (left.shape(1) != right.shape(0) || metric > 3) throw std::invalid_argument("points of different spaces");
        view.kind = ValueKind::distances;
        view.rows = static_cast<std::int64_t>(left.shape(0));
        view.columns = static_cast<std::int64_t>(right.shape(1));
        view.left = left.data();
        view.right = right.data();
        view.dimensions = static_cast<int>(left.shape(1));
        view.metric = static_cast<assignment::Metric>(metric);
    }
    return view;
}

/// An array of prices, in the type that belongs to the values.
using PriceArray = std::variant<Array<std::int64_t>, Array<double>>;

inline bool are_whole(const assignment::Benefits& benefits) { return benefits.kind == assignment::ValueKind::int64; }

/// The prices of all columns; refused if they are of another type, or not as many.
inline void* prices_of(const PriceArray& prices, const assignment::Benefits& benefits) {
    if (are_whole(benefits) != (prices.index() == 0)) throw std::invalid_argument("prices of another type");
    return std::visit(
        [&](const auto& array) -> void* {
            if (static_cast<std::int64_t>(array.size()) != benefits.columns)
                throw std::invalid_argument("not one price a column");
            return array.data();
        },
        prices);
}

}  // namespace prunus
