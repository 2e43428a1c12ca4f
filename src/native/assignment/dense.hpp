// Column and row reduction, then shortest augmenting paths, over whole rows.
//
// R. Jonker and A. Volgenant, A shortest augmenting path algorithm for dense and sparse linear assignment problems,
// Computing 38 (1987) 325-340. Column reduction comes first where there are as many columns as rows: free columns
// must not have a price. Where values are alike a free column is always preferred, which leaves few rows to the paths.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "assignment/matrix.hpp"
#include "assignment/numbers.hpp"

// A call for each block would take longer than the block.
#define PRUNUS_INLINE __attribute__((always_inline))

namespace prunus::PRUNUS_SET {

using assignment::Status;

/// Rows of costs. If they are not filled up to whole blocks, the last one is a copy that is; the others may be read
/// beyond their end.
template <class T>
struct Rows {
    const T* data;
    std::int64_t stride;
    const T* last;  // the last row
    int rows, columns;
    int whole;  // what whole blocks are read up to: all if rows are filled up
    T sign;     // what costs are multiplied with; 1 for all but floats

    int blocks_end() const { return (columns + block<T> - 1) / block<T> * block<T>; }

    const T* row(int i) const { return i == rows - 1 ? last : data + i * stride; }

    T cost(int i, int j) const {
        if constexpr (std::is_same_v<T, double>) return sign * data[i * stride + j];
        return data[i * stride + j];
    }

    Values<T> load(const T* from) const {
        auto x = Values<T>::load(from);
        if constexpr (std::is_same_v<T, double>)
            for (auto& part : x.part) part *= sign;
        return x;
    }

    /// Calls a function with each block of a row and its first column; infinity stands beyond the columns.
    template <class F>
    void walk(const T* row, F&& body) const {
        int j = 0;
        for (; j < whole; j += block<T>) body(j, load(row + j));
        if (j < columns) body(j, max(load(row + j), Values<T>::load(beyond)));
    }

    /// Infinity where a lane of the last block is beyond the columns, its opposite elsewhere.
    T beyond[block<T>];
};

/// What is known of the columns and the rows; arrays of whole blocks.
template <class T>
struct DenseMemory {
    T* price;
    T* length;         // of the shortest way to each column; minus infinity once it is final
    T* taken;          // infinity for a column that has a row, minus infinity for a free one
    T* final_length;   // of the columns of the tree in their order; before that, prices to begin with
    Index<T>* parent;  // the number of the row of the tree that each column was reached from
    int* owner;        // the row of each column, -1 for none
    int* closed;       // the columns of the tree in their order
    int* column;       // of each row, -1 for none
    int* waiting;      // a stack of the rows without one

    /// The bytes for so many rows and columns, of whole blocks.
    static std::size_t size(std::int64_t rows, std::int64_t columns) {
        return columns * (4 * sizeof(T) + sizeof(Index<T>) + 2 * sizeof(int)) + (2 * rows + 2) * sizeof(int);
    }

    DenseMemory(void* memory, std::int64_t rows, std::int64_t columns) {
        const auto cut = [&]<class U>(U*& array, std::int64_t count) {
            array = static_cast<U*>(memory);
            memory = array + count;
        };
        cut(price, columns), cut(length, columns), cut(taken, columns), cut(final_length, columns);
        cut(parent, columns), cut(owner, columns), cut(closed, columns), cut(column, rows), cut(waiting, rows);
    }
};

template <class T>
class DensePaths {
  public:
    DensePaths(const Rows<T>& rows, DenseMemory<T> memory, Limits& limits)
        : a(rows), end(rows.blocks_end()), at(memory), limits(limits) {}

    /// Matches every row; `at` then has prices of columns, by which no assignment costs less.
    Status solve() {
        const int n = a.rows;
        const bool square = n == a.columns;
        std::fill_n(at.price, end, T{0});
        std::fill_n(at.final_length, end, T{0});
        double bound = -infinity<double>;
        for (bool softened = !square;; softened = true) {
            if (square) {
                const double found = reduce_columns();
                if (bound < found && found < infinity<double>) {
                    bound = found;
                    std::copy_n(at.length, end, at.price);
                } else if (softened) {
                    break;
                }
            }
            if (limits.stopped()) return Status::given_up;
            if (!reduce_rows()) return Status::impossible;
            if (softened || left <= n / 2) break;
            soften_prices();
        }
        alike = alike && n > rows_alike;
        while (left > 0)
            if (const Status status = augment(waiting_row()); status != Status::solved) return status;
        return Status::solved;
    }

  private:
    static constexpr T inf = infinity<T>;
    static constexpr int few_rows = 200, reduction_scans = 2;
    // In so many rows, of which most wait because of ties, so many columns of one length one after the other are a
    // sign of many more: the search then goes on from the last one found.
    static constexpr int rows_alike = 400, many_alike = 32;

    const Rows<T>& a;
    const int end;
    DenseMemory<T> at;
    Limits& limits;
    int left = 0;  // rows that wait
    bool alike = false;

    int waiting_row() { return at.waiting[--left]; }

    /// Sets lengths to the least of every column, of cost less what its row is worth; returns the bound that they
    /// are as prices. A row is worth the least of cost less `final_length` in it.
    double reduce_columns() {
        double bound = 0;
        std::fill_n(at.length, end, inf);
        for (int i = 0; i < a.rows; i++) {
            const T* row = a.row(i);
            auto worth = Values<T>::splat(inf);
            a.walk(row, [&](int j, Values<T> x)
                            PRUNUS_INLINE { worth = min(x - Values<T>::load(at.final_length + j), worth); });
            const T least_net = least(worth);
            bound += static_cast<double>(least_net);
            const auto above = Values<T>::splat(least_net);
            a.walk(row, [&](int j, Values<T> x)
                            PRUNUS_INLINE { min(x - above, Values<T>::load(at.length + j)).store(at.length + j); });
        }
        std::fill(at.length + a.columns, at.length + end, T{0});
        for (int j = 0; j < a.columns; j++) bound += static_cast<double>(at.length[j]);
        return bound;
    }

    /// Sets `final_length` to prices to start with where all rows want the same columns: soft minima.
    ///
    /// At a temperature t the price that an assignment spread by exp(-cost / t) gives a column is about mean - variance
    /// / 2t of the costs in it, each less the mean of its row: the first two cumulants (R. Sinkhorn's scaling; M.
    /// Cuturi, Sinkhorn distances, NIPS 2013). With t the root of the mean variance these are the very prices of an
    /// optimum if costs are products of evenly spread numbers.
    void soften_prices() {
        constexpr int together = 8;  // sums of a row, in an order that is the same for all registers
        const int m = a.columns;
        auto* const sum = new double[2 * static_cast<std::size_t>(m)]();
        double* const square = sum + m;
        double means = 0, most = 0;
        for (int i = 0; i < a.rows; i++) {
            const T* row = a.row(i);
            double part[together] = {};
            int j = 0;
            for (; j + together <= m; j += together)
                for (int k = 0; k < together; k++) part[k] += static_cast<double>(row[j + k]);
            for (; j < m; j++) part[0] += static_cast<double>(row[j]);
            double mean = 0;
            for (double p : part) mean += p;
            mean *= static_cast<double>(a.sign) / m;
            means += mean;
            for (j = 0; j < m; j++) {
                const double above = static_cast<double>(a.sign) * static_cast<double>(row[j]) - mean;
                sum[j] += above;
                square[j] += above * above;
            }
            most = std::max(most, std::fabs(mean));
        }
        double temperature = 0;
        for (int j = 0; j < m; j++) {
            sum[j] /= m;
            square[j] = square[j] / m - sum[j] * sum[j];
            temperature += square[j] / m;
        }
        temperature = std::sqrt(temperature) + 1e-300;
        if constexpr (std::is_same_v<T, double>) {
            // Multiples of some 2^-12 of the temperature and 2^-36 of the mean, so that sums with them are exact.
            const double rounding = temperature * 0x1p40 + std::fabs(means / m) * 0x1p16;
            for (int j = 0; j < m; j++)
                at.final_length[j] = (sum[j] - square[j] / (2 * temperature) + rounding) - rounding;
        } else {
            // No farther from 0 than any mean of costs, so that all that follows fits into the type.
            for (int j = 0; j < m; j++)
                at.final_length[j] =
                    static_cast<T>(std::clamp(sum[j] - square[j] / (2 * temperature), -2 * most, 2 * most));
        }
        delete[] sum;
    }

    /// Lets every row take its best column; returns whether all have one. A column gets dearer until the second best
    /// is as good for its row; the row that had it looks again. What only ties could decide is left to the paths.
    bool reduce_rows() {
        const int n = a.rows;
        std::fill_n(at.taken, end, -inf);
        std::fill_n(at.owner, end, -1);
        std::fill_n(at.column, n, -1);
        for (left = 0; left < n; left++) at.waiting[left] = left;
        const std::int64_t most = n == a.columns && n <= few_rows ? n : reduction_scans * static_cast<std::int64_t>(n);
        int later = 0;
        for (std::int64_t scans = 0; left > 0 && scans < most; scans++) {
            const int i = waiting_row();
            Least<T> near, free;
            auto more = Values<T>::splat(inf);  // the second best of each lane
            a.walk(a.row(i), [&](int j, Values<T> x) PRUNUS_INLINE {
                const auto here = Places<T>::splat(static_cast<Index<T>>(j));
                const auto net = x - Values<T>::load(at.price + j);
                more = min(near.take(net, here), more);
                free.take(max(net, Values<T>::load(at.taken + j)), here);
            });
            const T best = near.smallest();
            if (!(best < beyond_all)) return false;
            int j = near.column(best);
            const T second = second_best(near, more, best);
            if (free.smallest() == best) j = free.column(best);
            const int before = at.owner[j];
            if (best < second && second < beyond_all) {
                at.price[j] -= second - best;
            } else if (before >= 0) {
                at.closed[later++] = i;
                continue;
            }
            at.owner[j] = i;
            at.column[i] = j;
            at.taken[j] = inf;
            if (before >= 0) {
                at.column[before] = -1;
                at.waiting[left++] = before;
            }
        }
        alike = later > left;
        for (int q = 0; q < later; q++) at.waiting[left++] = at.closed[q];
        return true;
    }

    /// Infinite net values: infinity less a price.
    static constexpr T beyond_all = std::is_same_v<T, double> ? inf : inf / 2;

    /// The second best of all lanes: the best of the others, or that of the lane with the best.
    static T second_best(const Least<T>& near, Values<T> more, T best) {
        T values[block<T>], others[block<T>];
        near.value.store(values);
        more.store(others);
        const int lane = __builtin_ctzll(equal(near.value, Values<T>::splat(best)));
        values[lane] = others[lane];
        return least(Values<T>::load(values));
    }

    /// Matches a row along a shortest path.
    Status augment(int root) {
        std::fill_n(at.length, end, inf);
        T offset = 0, best, free_best;
        int i = root, j = -1, found;
        int count = 0;
        for (;;) {
            if (limits.spend(a.columns)) return Status::given_up;
            const auto step = Places<T>::splat(static_cast<Index<T>>(count));
            const auto far = Values<T>::splat(offset);
            const auto infinite = Values<T>::splat(inf), closed = Values<T>::splat(-inf);
            if (j >= 0) at.length[j] = -inf;
            Least<T> near, free;
            a.walk(a.row(i), [&](int q, Values<T> x) PRUNUS_INLINE {
                const auto here = Places<T>::splat(static_cast<Index<T>>(q));
                auto way = far + (x - Values<T>::load(at.price + q));
                const auto known = Values<T>::load(at.length + q);
                Places<T>::where_less(way, known, step, Places<T>::load(at.parent + q)).store(at.parent + q);
                way = min(way, known);
                way.store(at.length + q);
                way = Values<T>::where_less(closed, way, way, infinite);
                near.take(way, here);
                free.take(max(way, Values<T>::load(at.taken + q)), here);
            });
            best = near.smallest();
            free_best = free.smallest();
            if (free_best <= best) {
                if (free_best == inf) return Status::impossible;
                found = free.column(free_best);
                break;
            }
            j = alike && count >= many_alike && best == at.final_length[count - many_alike] ? found_last(best)
                                                                                            : near.column(best);
            at.closed[count] = j;
            at.final_length[count] = best;
            count++;
            i = at.owner[j];
            offset = best - (a.cost(i, j) - at.price[j]);
        }
        for (int q = 0; q < count; q++) at.price[at.closed[q]] += at.final_length[q] - free_best;
        at.taken[found] = inf;
        int k = found;
        while (at.parent[k] > 0) {
            const int before = at.closed[static_cast<int>(at.parent[k]) - 1], row = at.owner[before];
            at.owner[k] = row;
            at.column[row] = k;
            k = before;
        }
        at.owner[k] = root;
        at.column[root] = k;
        return Status::solved;
    }

    /// The column of this length that was found last: where many are equal, a search goes on from where it has come
    /// to, not in all directions.
    int found_last(T length) const {
        Least<T> latest;
        const auto sought = Values<T>::splat(length), infinite = Values<T>::splat(inf);
        for (int j = 0; j < end; j += block<T>) {
            const auto known = Values<T>::load(at.length + j);
            auto key = negative_parents(j);
            key = Values<T>::where_less(known, sought, infinite, key);  // final already
            key = Values<T>::where_less(sought, known, infinite, key);
            latest.take(key, Places<T>::splat(static_cast<Index<T>>(j)));
        }
        return latest.column(latest.smallest());
    }

    Values<T> negative_parents(int j) const {
        T numbers[block<T>];
        for (int k = 0; k < block<T>; k++) numbers[k] = static_cast<T>(-at.parent[j + k]);
        return Values<T>::load(numbers);
    }
};

}  // namespace prunus::PRUNUS_SET
