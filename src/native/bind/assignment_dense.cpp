#define PRUNUS_IMPORTS_NUMPY
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "arrays.hpp"
#include "assignment/in_order.hpp"
#include "assignment/matrix.hpp"
#include "assignment_parts.hpp"
#include "numpy.hpp"
#include "wide.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using assignment::Answer;
using assignment::DenseKernels;
using assignment::Matrix;
using assignment::Status;
using assignment::Type;

/// Up to so many entries the interpreter's lock is kept: to let go of it takes as long as they do.
constexpr std::int64_t entries_with_lock = 4096;

std::optional<Type> type_of(PyArrayObject* array) {
    const int size = static_cast<int>(PyArray_ITEMSIZE(array));
    switch (PyArray_TYPE(array)) {
        case NPY_BOOL:
            return Type::boolean;
        case NPY_FLOAT:
            return Type::float32;
        case NPY_DOUBLE:
            return Type::float64;
        case NPY_BYTE:
        case NPY_SHORT:
        case NPY_INT:
        case NPY_LONG:
        case NPY_LONGLONG:
            return size == 8 ? Type::int64 : size == 4 ? Type::int32 : size == 2 ? Type::int16 : Type::int8;
        case NPY_UBYTE:
        case NPY_USHORT:
        case NPY_UINT:
        case NPY_ULONG:
        case NPY_ULONGLONG:
            return size == 8 ? Type::uint64 : size == 4 ? Type::uint32 : size == 2 ? Type::uint16 : Type::uint8;
        default:
            return std::nullopt;
    }
}

/// The matrix that an array is, rows and columns changed for each other if there are more rows; nothing if it is
/// none, empty, or of values that kernels do not read where they lie.
std::optional<Matrix> matrix_of(nb::handle given) {
    if (!PyArray_CheckExact(given.ptr())) return std::nullopt;
    auto* array = reinterpret_cast<PyArrayObject*>(given.ptr());
    if (PyArray_NDIM(array) != 2 || !PyArray_ISBEHAVED_RO(array)) return std::nullopt;
    const std::optional<Type> type = type_of(array);
    const npy_intp *shape = PyArray_DIMS(array), *steps = PyArray_STRIDES(array), size = PyArray_ITEMSIZE(array);
    if (!type || shape[0] == 0 || shape[1] == 0 || steps[0] % size != 0 || steps[1] % size != 0) return std::nullopt;
    if (shape[0] > INT32_MAX / 2 || shape[1] > INT32_MAX / 2) return std::nullopt;
    const int rows = shape[0] > shape[1] ? 1 : 0, columns = 1 - rows;
    return Matrix{PyArray_DATA(array), *type, shape[rows], shape[columns], steps[rows] / size, steps[columns] / size};
}

Status solved(const Matrix& matrix, bool maximise, bool wide, Limits& limits, const Answer& answer) {
    const auto& solve = kernels<DenseKernels>().solve;
    if (matrix.rows * matrix.columns <= entries_with_lock) return solve(matrix, maximise, wide, limits, answer);
    nb::gil_scoped_release released;
    return solve(matrix, maximise, wide, limits, answer);
}

/// The pairs of an optimal assignment, sorted by the rows of the array; None for whatever is no plain matrix of at
/// most so many entries, or has no answer.
nb::object plain_pairs(nb::handle given, nb::handle maximise, std::int64_t most_entries) {
    const bool is_true = maximise.ptr() == Py_True;
    if (!is_true && maximise.ptr() != Py_False) return nb::none();
    const std::optional<Matrix> matrix = matrix_of(given);
    if (!matrix || matrix->rows * matrix->columns > most_entries) return nb::none();
    const std::int64_t n = matrix->rows;
    nb::object rows = new_array(NPY_INT64, n), columns = new_array(NPY_INT64, n);
    auto *row = data_of<std::int64_t>(rows), *column = data_of<std::int64_t>(columns);
    Limits limits{.budget = INT64_MAX};
    if (solved(*matrix, is_true, false, limits, {.column = column}) != Status::solved) return nb::none();
    for (std::int64_t i = 0; i < n; i++) row[i] = i;
    if (PyArray_DIMS(reinterpret_cast<PyArrayObject*>(given.ptr()))[0] > n) {
        std::sort(row, row + n, [&](std::int64_t a, std::int64_t b) { return column[a] < column[b]; });
        std::sort(column, column + n);
        std::swap(rows, columns);
    }
    return nb::steal(PyTuple_Pack(2, rows.ptr(), columns.ptr()));
}

/// Whole numbers of 128 bits as Python's.
nb::object python_integers(const std::vector<Wide>& numbers) {
    nb::list found;
    const nb::int_ high_bits(64);
    for (const Wide x : numbers) {
        const nb::int_ high(static_cast<std::int64_t>(x >> 64)), low(static_cast<std::uint64_t>(x));
        found.append((high << high_bits) | low);
    }
    return found;
}

nb::tuple solve(nb::handle given, bool maximise, bool wide, std::int64_t budget, std::optional<StopFlag> stop) {
    const std::optional<Matrix> matrix = matrix_of(given);
    if (!matrix) throw nb::type_error("not a matrix of numbers of at most 64 bits");
    Limits limits{.budget = budget, .stop = stop ? stop->data() : nullptr};
    const auto n = static_cast<std::size_t>(matrix->rows), m = static_cast<std::size_t>(matrix->columns);
    nb::object columns = new_array(NPY_INT64, matrix->rows);
    Answer answer{.column = data_of<std::int64_t>(columns)};
    if (wide) {
        std::vector<Wide> prices(m), best(n);
        answer.prices = prices.data();
        answer.best = best.data();
        const Status status = solved(*matrix, maximise, true, limits, answer);
        return nb::make_tuple(status, columns, python_integers(prices), python_integers(best));
    }
    const int type = matrix->whole() ? NPY_INT64 : NPY_DOUBLE;
    nb::object prices = new_array(type, matrix->columns), best = new_array(type, matrix->rows);
    answer.prices = data_of<void>(prices);
    answer.best = data_of<void>(best);
    const Status status = solved(*matrix, maximise, false, limits, answer);
    return nb::make_tuple(status, columns, prices, best);
}

/// Solves matrices `begin` to `end - 1` of a stack; returns what is said of the last one: it ends at one that is not
/// solved.
Status solve_stack(nb::handle given, bool maximise, std::int64_t begin, std::int64_t end,
                   Array<std::int64_t, 2> columns, nb::handle prices, nb::handle best) {
    auto* array = reinterpret_cast<PyArrayObject*>(given.ptr());
    const bool usable = PyArray_Check(given.ptr()) && PyArray_NDIM(array) == 3 && PyArray_ISCARRAY_RO(array);
    const std::optional<Type> type = usable ? type_of(array) : std::nullopt;
    if (!type) throw nb::type_error("not a contiguous stack of matrices of numbers");
    const npy_intp* shape = PyArray_DIMS(array);
    const std::int64_t n = shape[1], m = shape[2];
    if (n > m || n == 0 || begin < 0 || end > shape[0] || columns.shape(0) != static_cast<std::size_t>(shape[0]) ||
        columns.shape(1) != static_cast<std::size_t>(n))
        throw std::invalid_argument("a stack and answers of different sizes");
    Matrix matrix{nullptr, *type, n, m, m, 1};
    const int kind = matrix.whole() ? NPY_INT64 : NPY_DOUBLE;
    const bool proof = !prices.is_none() && !best.is_none();
    for (const auto& [part, width] : {std::pair{prices, m}, std::pair{best, n}}) {
        if (!proof) break;
        auto* answer = reinterpret_cast<PyArrayObject*>(part.ptr());
        if (!PyArray_Check(part.ptr()) || PyArray_NDIM(answer) != 2 || PyArray_TYPE(answer) != kind ||
            !PyArray_ISCARRAY(answer) || PyArray_DIMS(answer)[0] != shape[0] || PyArray_DIMS(answer)[1] != width)
            throw std::invalid_argument("a stack and answers of different sizes");
    }
    const char* data = static_cast<const char*>(PyArray_DATA(array));
    auto* const price = proof ? data_of<std::int64_t>(prices) : nullptr;
    auto* const worth = proof ? data_of<std::int64_t>(best) : nullptr;
    const std::int64_t size = n * m * PyArray_ITEMSIZE(array);
    const auto& solve = kernels<DenseKernels>().solve;
    nb::gil_scoped_release released;
    Limits limits{.budget = INT64_MAX};
    Status status = Status::solved;
    for (std::int64_t k = begin; k < end && status == Status::solved; k++) {
        matrix.data = data + k * size;
        Answer answer{.column = columns.data() + k * n};
        if (proof) answer.prices = price + k * m, answer.best = worth + k * n;
        status = solve(matrix, maximise, false, limits, answer);
    }
    return status;
}

/// Matches every row of a matrix as SciPy does: the columns of the rows, -1 for none, and prices of the columns.
template <class T>
nb::tuple match_in_order(Array<const T, 2> matrix, bool maximise, std::optional<StopFlag> stop) {
    nb::object columns = new_array(NPY_INT64, static_cast<std::int64_t>(matrix.shape(0)));
    nb::object prices =
        new_array(std::is_same_v<T, double> ? NPY_DOUBLE : NPY_INT64, static_cast<std::int64_t>(matrix.shape(1)));
    if (matrix.shape(0) > matrix.shape(1)) throw std::invalid_argument("more rows than columns");
    const T forbidden = std::is_same_v<T, double> ? static_cast<T>(HUGE_VAL) : static_cast<T>(std::int64_t{1} << 62);
    const assignment::InOrder<T> problem{.matrix = matrix.data(),
                                         .rows = static_cast<std::int64_t>(matrix.shape(0)),
                                         .columns = static_cast<std::int64_t>(matrix.shape(1)),
                                         .maximise = maximise,
                                         .forbidden = forbidden,
                                         .column = data_of<std::int64_t>(columns),
                                         .price = data_of<T>(prices)};
    Limits limits{.budget = INT64_MAX, .stop = stop ? stop->data() : nullptr};
    const auto& table = kernels<assignment::InOrderKernels>();
    bool all;
    {
        nb::gil_scoped_release released;
        if constexpr (std::is_same_v<T, double>)
            all = table.floats(problem, limits);
        else
            all = table.integers(problem, limits);
    }
    return nb::make_tuple(all, columns, prices);
}

}  // namespace

void bind_dense(nb::module_& m) {
    if (_import_array() < 0) throw nb::python_error();
    nb::enum_<Status>(m, "Status", nb::is_arithmetic())
        .value("SOLVED", Status::solved)
        .value("IMPOSSIBLE", Status::impossible)
        .value("NOT_FINITE", Status::not_finite)
        .value("TOO_LARGE", Status::too_large)
        .value("GIVEN_UP", Status::given_up);
    m.def("plain_pairs", plain_pairs, nb::arg("matrix").none(), nb::arg("maximise").none(), nb::arg("most_entries"),
          nb::sig("def plain_pairs(matrix: object, maximise: object, most_entries: int) -> tuple[" PRUNUS_ARRAY(
              "int64") ", " PRUNUS_ARRAY("int64") "] | None"),
          "Solve a plain matrix of at most so many entries: its rows and their columns.\n\n"
          "None for whatever else is given, and where there is no answer.");
    m.def("solve_stack", solve_stack, nb::arg("stack"), nb::arg("maximise"), nb::arg("begin"), nb::arg("end"),
          nb::arg("columns"), nb::arg("prices").none(), nb::arg("best").none(),
          nb::sig("def solve_stack(stack: object, maximise: bool, begin: int, end: int, columns: " PRUNUS_ARRAY(
              "int64") ", prices: object, best: object) -> Status"),
          "Solve matrices begin to end - 1 of a C-contiguous stack, of no more rows than columns.\n\n"
          "Writes what `solve_dense` returns, columns alone where prices are None; ends at the first that is not "
          "solved, and says how that went.");
    const char* const in_order =
        "Match every row of a matrix of no more rows than columns, in SciPy's order and arithmetic.\n\n"
        "Returns whether all were; the column of each row, -1 for none; prices of the columns, of benefits. Integers "
        "of\n"
        "2**62 and infinities are forbidden pairs. A stop flag ends it between two rows.";
    m.def("match_in_order", match_in_order<double>, nb::arg("matrix"), nb::arg("maximise"),
          nb::arg("stop") = nb::none(),
          nb::sig("def match_in_order(matrix: " PRUNUS_ARRAY("float64") ", maximise: bool, stop: " PRUNUS_ARRAY(
              "int64") " | None = None) -> tuple[bool, " PRUNUS_ARRAY("int64") ", " PRUNUS_ARRAY("float64") "]"),
          in_order);
    m.def("match_in_order", match_in_order<std::int64_t>, nb::arg("matrix"), nb::arg("maximise"),
          nb::arg("stop") = nb::none(),
          nb::sig("def match_in_order(matrix: " PRUNUS_ARRAY("int64") ", maximise: bool, stop: " PRUNUS_ARRAY(
              "int64") " | None = None) -> tuple[bool, " PRUNUS_ARRAY("int64") ", " PRUNUS_ARRAY("int64") "]"),
          in_order);
    m.def(
        "solve_dense", solve, nb::arg("matrix").none(), nb::arg("maximise"), nb::arg("wide") = false,
        nb::arg("budget") = INT64_MAX, nb::arg("stop") = nb::none(),
        nb::sig("def solve_dense(matrix: object, maximise: bool, wide: bool = False, budget: int = "
                "9223372036854775807, stop: " PRUNUS_ARRAY("int64") " | None = None) -> tuple[Status, " PRUNUS_ARRAY(
                    "int64") ", typing.Any, typing.Any]"),
        "Solve a matrix of numbers of at most 64 bits, neither side of it 0.\n\n"
        "Its rows are the shorter side. Returns how it went; the column of each row; the prices of columns and the\n"
        "best net values of rows, of benefits, which prove it: float64 for floats, int64 for whole numbers, lists of\n"
        "integers if `wide`, for sums beyond int64. The budget is entries read in searches for paths; a stop flag\n"
        "ends it as well.");
}

}  // namespace prunus
