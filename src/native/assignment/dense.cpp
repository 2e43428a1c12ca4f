// One dense matrix: checks, the smallest type that holds its sums, its solution.
#include "assignment/dense.hpp"

#include <memory>

#include "assignment/costs.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using assignment::Answer;

constexpr double largest_float = 0x1p1000;  // sums of so large ones, and their differences, are finite

/// On the stack for small matrices: to allocate takes as long as to solve.
constexpr std::size_t bytes_on_stack = 1 << 14;

struct Memory {
    alignas(64) std::byte small[bytes_on_stack];
    std::unique_ptr<std::byte[]> large;

    void* of(std::size_t bytes) {
        if (bytes <= bytes_on_stack) return small;
        large.reset(new std::byte[bytes]);
        return large.get();
    }
};

/// Writes an answer; what costs are above or below benefits is `shift`, in the type of the answer.
template <class T, class Out>
void write(const Rows<T>& rows, const DenseMemory<T>& at, bool maximise, Out shift, const Answer& answer) {
    const int n = rows.rows, m = rows.columns;
    for (int i = 0; i < n; i++) answer.column[i] = at.column[i];
    if (answer.prices == nullptr) return;
    auto* prices = static_cast<Out*>(answer.prices);
    auto* best = static_cast<Out*>(answer.best);
    for (int j = 0; j < m; j++) prices[j] = Out{0} - static_cast<Out>(at.price[j]);
    for (int i = 0; i < n; i++) {
        if constexpr (std::is_same_v<T, double>) {  // the very best, which rounding may have moved from the row's own
            auto net = Values<T>::splat(infinity<T>);
            rows.walk(rows.row(i),
                      [&](int j, Values<T> x) PRUNUS_INLINE { net = min(x - Values<T>::load(at.price + j), net); });
            best[i] = 0.0 - least(net);
        } else {
            const int j = at.column[i];
            const Out net = static_cast<Out>(rows.cost(i, j)) - static_cast<Out>(at.price[j]);
            best[i] = maximise ? shift - net : -(shift + net);
        }
    }
}

/// Solves costs that a matrix is copied to, or read as where it lies.
template <class T, class Out, class V>
Status solve_as(const Matrix& a, bool maximise, Range range, Limits& limits, const Answer& answer) {
    const std::int64_t n = a.rows, m = a.columns, end = (m + block<T> - 1) / block<T> * block<T>;
    const std::size_t working = DenseMemory<T>::size(n, end);
    const std::size_t copied = static_cast<std::size_t>(n * end) * sizeof(T);
    const bool in_place = std::is_same_v<T, V> && std::is_same_v<T, double> && a.column_step == 1 && a.row_step == m &&
                          working + copied > bytes_on_stack;
    Rows<T> rows{.data = nullptr,
                 .stride = end,
                 .last = nullptr,
                 .rows = static_cast<int>(n),
                 .columns = static_cast<int>(m),
                 .whole = static_cast<int>(end),
                 .sign = 1,
                 .beyond = {}};
    Memory memory;
    T* const costs =
        static_cast<T*>(memory.of((in_place ? static_cast<std::size_t>(end) * sizeof(T) : copied) + working));
    T* after = costs + (in_place ? end : n * end);
    if constexpr (std::is_same_v<T, V>) {
        if (in_place) {
            rows.data = static_cast<const T*>(a.data);
            rows.stride = m;
            rows.whole = static_cast<int>(m / block<T> * block<T>);
            if constexpr (std::is_same_v<T, double>) rows.sign = maximise ? -1 : 1;
            std::copy_n(rows.data + (n - 1) * m, m, costs);
            std::fill(costs + m, costs + end, infinity<T>);
            rows.last = costs;
            for (int k = 0; k < block<T>; k++)
                rows.beyond[k] = m % block<T> != 0 && k >= m % block<T> ? infinity<T> : -infinity<T>;
        }
    }
    if (!in_place) {
        copy_costs<T, V>(a, maximise, range, end, costs);
        rows.data = costs;
        rows.last = costs + (n - 1) * end;
    }
    const DenseMemory<T> at(after, n, end);
    const Status status = DensePaths<T>(rows, at, limits).solve();
    if (status == Status::solved)
        write(rows, at, maximise, static_cast<Out>(maximise ? range.high : range.low), answer);
    return status;
}

Status solve(const Matrix& a, bool maximise, bool wide, Limits& limits, const Answer& answer) {
    return with_type(a.type, [&]<class V>(const V*) -> Status {
        if constexpr (std::is_floating_point_v<V>) {
            const auto [bad, largest] = check_floats<V>(a, maximise);
            if (bad) return Status::not_finite;
            if (largest > largest_float / static_cast<double>(a.rows + 2)) return Status::too_large;
            return solve_as<double, double, V>(a, maximise, {0, 0}, limits, answer);
        } else {
            const Range range = range_of<V>(a);
            const Wide spread = range.high - range.low, far = std::max(range.high, -range.low);
            const auto fits = [&]<class T>(T) { return 32 * spread < infinity<T>; };
            if constexpr (sizeof(V) == 8) {
                if (wide) return solve_as<Wide, Wide, V>(a, maximise, range, limits, answer);
                // Dual prices of rows, which hold the values themselves, are to fit as well.
                if (answer.prices != nullptr && far + 32 * spread >= infinity<std::int64_t>) return Status::too_large;
            }
            if (fits(std::int16_t{}) && a.columns < 32000)
                return solve_as<std::int16_t, std::int64_t, V>(a, maximise, range, limits, answer);
            if (fits(std::int32_t{}))
                return solve_as<std::int32_t, std::int64_t, V>(a, maximise, range, limits, answer);
            if constexpr (sizeof(V) >= 4)
                if (fits(std::int64_t{}))
                    return solve_as<std::int64_t, std::int64_t, V>(a, maximise, range, limits, answer);
            return Status::too_large;
        }
    });
}

}  // namespace

const assignment::DenseKernels& kernels(const assignment::DenseKernels*) {
    static constexpr assignment::DenseKernels table{.solve = solve};
    return table;
}

}  // namespace prunus::PRUNUS_SET
