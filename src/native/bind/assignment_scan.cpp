#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>

#include "assignment/scan.hpp"
#include "assignment_parts.hpp"
#include "benefits.hpp"
#include "numpy.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using assignment::ScanKernels;
using assignment::Type;

using Floats = std::variant<Array<const float, 2>, Array<const double, 2>>;
using Integers = std::variant<Array<const std::int32_t, 2>, Array<const std::int64_t, 2>>;
using Numbers = std::variant<Array<const float, 2>, Array<const double, 2>, Array<const std::int32_t, 2>,
                             Array<const std::int64_t, 2>>;
using Shifted = std::variant<Array<float, 2>, Array<double, 2>, Array<std::int64_t, 2>>;
using Order = Array<const std::int64_t>;

/// Some rows of an array, whose alternatives are of two types.
template <class Arrays>
assignment::Matrix rows_of(const Arrays& arrays, std::int64_t first, std::int64_t last, Type narrow, Type wide) {
    return std::visit(
        [&](const auto& array) {
            const auto rows = static_cast<std::int64_t>(array.shape(0)),
                       columns = static_cast<std::int64_t>(array.shape(1));
            if (first < 0 || last > rows || first >= last || columns == 0) throw std::invalid_argument("no such rows");
            return assignment::Matrix{
                array.data() + first * columns, arrays.index() == 0 ? narrow : wide, last - first, columns, columns, 1};
        },
        arrays);
}

nb::tuple scan_floats(const Floats& floats, std::int64_t first, std::int64_t last,
                      std::optional<Array<float, 2>> narrow) {
    const auto matrix = rows_of(floats, first, last, Type::float32, Type::float64);
    float* to = nullptr;
    if (narrow) {
        if (static_cast<std::int64_t>(narrow->shape(0)) < last ||
            static_cast<std::int64_t>(narrow->shape(1)) != matrix.columns)
            throw std::invalid_argument("no room for a copy");
        to = narrow->data() + first * matrix.columns;
    }
    assignment::FloatScan found;
    {
        nb::gil_scoped_release released;
        found = kernels<ScanKernels>().floats(matrix, to);
    }
    return nb::make_tuple(found.low, found.high, found.missing, found.plus, found.minus, found.fractional,
                          found.narrow);
}

nb::tuple scan_integers(const Integers& integers, std::int64_t first, std::int64_t last) {
    const auto matrix = rows_of(integers, first, last, Type::int32, Type::int64);
    assignment::IntegerScan found;
    {
        nb::gil_scoped_release released;
        found = kernels<ScanKernels>().integers(matrix);
    }
    return nb::make_tuple(found.low, found.high);
}

void shift_integers(const Integers& integers, std::int64_t least, const Shifted& to, std::int64_t first,
                    std::int64_t last) {
    const auto matrix = rows_of(integers, first, last, Type::int32, Type::int64);
    constexpr Type types[] = {Type::float32, Type::float64, Type::int64};
    void* out = std::visit(
        [&](const auto& array) -> void* {
            if (static_cast<std::int64_t>(array.shape(0)) < last ||
                static_cast<std::int64_t>(array.shape(1)) != matrix.columns)
                throw std::invalid_argument("no room for a copy");
            return array.data() + first * matrix.columns;
        },
        to);
    nb::gil_scoped_release released;
    kernels<ScanKernels>().shift(matrix, least, types[to.index()], out);
}

void write_distances(const BenefitsTuple& values, std::int64_t first, std::int64_t last, const Array<double, 2>& to) {
    const assignment::Benefits benefits = view(values);
    if (benefits.kind != assignment::ValueKind::distances || first < 0 || last > benefits.rows ||
        static_cast<std::int64_t>(to.shape(0)) != benefits.rows ||
        static_cast<std::int64_t>(to.shape(1)) != benefits.columns)
        throw std::invalid_argument("not an array for all distances");
    nb::gil_scoped_release released;
    kernels<ScanKernels>().distances(benefits, first, last, to.data());
}

bool is_inverse_monge(const Numbers& numbers, bool maximise, const Order& rows, const Order& columns,
                      std::int64_t first, std::int64_t last) {
    const auto all = std::visit([](const auto& array) { return static_cast<std::int64_t>(array.shape(0)); }, numbers);
    auto matrix = rows_of(numbers, 0, all, Type::float32, Type::float64);
    if (numbers.index() > 1) matrix.type = numbers.index() == 2 ? Type::int32 : Type::int64;
    bool wrong = static_cast<std::int64_t>(rows.size()) != all || first < 0 || last >= all ||
                 static_cast<std::int64_t>(columns.size()) != matrix.columns;
    for (std::size_t k = 0; k < rows.size() && !wrong; k++) wrong = rows(k) < 0 || rows(k) >= all;
    for (std::size_t k = 0; k < columns.size() && !wrong; k++) wrong = columns(k) < 0 || columns(k) >= matrix.columns;
    if (wrong) throw std::invalid_argument("not orders of all rows and columns");
    nb::gil_scoped_release released;
    return kernels<ScanKernels>().is_inverse_monge(matrix, maximise ? 1 : -1, rows.data(), columns.data(), first, last);
}

}  // namespace

void bind_scan(nb::module_& m) {
    m.def("scan_floats", scan_floats, nb::arg("matrix"), nb::arg("first"), nb::arg("last"), nb::arg("narrow").none(),
          nb::sig("def scan_floats(matrix: " PRUNUS_ANY_ARRAY ", first: int, last: int, narrow: " PRUNUS_ARRAY(
              "float32") " | None) -> tuple[float, float, bool, bool, bool, bool, bool]"),
          "Look at some rows, and copy them to float32 as long as that changes nothing.\n\n"
          "Returns the least and the largest finite value; whether there is a NaN, an infinity of either sign, a\n"
          "fraction; and whether float32 holds all values.");
    m.def("scan_integers", scan_integers, nb::arg("matrix"), nb::arg("first"), nb::arg("last"),
          nb::sig("def scan_integers(matrix: " PRUNUS_ANY_ARRAY ", first: int, last: int) -> tuple[int, int]"),
          "Find the least and the largest of some rows of int32 or int64.");
    m.def("shift_integers", shift_integers, nb::arg("matrix"), nb::arg("least"), nb::arg("to"), nb::arg("first"),
          nb::arg("last"),
          nb::sig("def shift_integers(matrix: " PRUNUS_ANY_ARRAY ", least: int, to: " PRUNUS_ANY_ARRAY
                  ", first: int, last: int) -> None"),
          "Write some rows less a number into an array of float32, float64 or int64 that holds the differences.");
    m.def(
        "write_distances", write_distances, nb::arg("values"), nb::arg("first"), nb::arg("last"), nb::arg("to"),
        nb::sig("def write_distances(values: object, first: int, last: int, to: " PRUNUS_ARRAY("float64") ") -> None"),
        "Write the distances of some rows of points into an array for all.");
    m.def("is_inverse_monge", is_inverse_monge, nb::arg("matrix"), nb::arg("maximise"), nb::arg("rows"),
          nb::arg("columns"), nb::arg("first"), nb::arg("last"),
          nb::sig("def is_inverse_monge(matrix: " PRUNUS_ANY_ARRAY ", maximise: bool, rows: " PRUNUS_ARRAY(
              "int64") ", columns: " PRUNUS_ARRAY("int64") ", first: int, last: int) -> bool"),
          "Tell whether benefits are inverse Monge from row first to row last in these orders.");
}

}  // namespace prunus
