#include "assignment/in_order.hpp"

#include <numeric>
#include <vector>

namespace prunus::PRUNUS_SET {
namespace {

using assignment::InOrder;

template <class T>
bool match_in_order(const InOrder<T>& a, Limits& limits) {
    const auto n = static_cast<int>(a.rows), m = static_cast<int>(a.columns);
    const T sign = a.maximise ? T{1} : T{-1}, infinite = a.forbidden;
    std::vector<T> length(m), worth(n, T{0});
    std::vector<int> owner(m, -1), parent(m), open(m), closed(n);
    std::fill_n(a.price, m, T{0});
    std::fill_n(a.column, n, -1);
    for (int root = 0; root < n; root++) {
        if (limits.spend(m)) return false;
        std::fill(length.begin(), length.end(), infinite);
        for (int j = 0; j < m; j++) open[j] = m - 1 - j;
        int left = m, rows = 0, i = root, found = -1;
        T far = 0;
        while (found < 0) {
            closed[rows++] = i;
            T best = infinite;
            int at = -1;
            const T* row = a.matrix + static_cast<std::int64_t>(i) * m;
            for (int q = 0; q < left; q++) {
                const int j = open[q];
                if (row[j] != infinite && row[j] != -infinite) {
                    const T way = far - sign * row[j] - worth[i] + a.price[j];
                    if (way < length[j]) {
                        length[j] = way;
                        parent[j] = i;
                    }
                }
                if (length[j] < best || (length[j] == best && owner[j] < 0)) {
                    best = length[j];
                    at = q;
                }
            }
            if (at < 0 || best == infinite) return false;
            far = best;
            const int j = open[at];
            left--;
            std::swap(open[at], open[left]);
            if (owner[j] < 0)
                found = j;
            else
                i = owner[j];
        }
        worth[root] += far;
        for (int t = 1; t < rows; t++) worth[closed[t]] += far - length[a.column[closed[t]]];
        for (int q = left; q < m; q++) a.price[open[q]] += far - length[open[q]];
        for (int j = found;;) {
            const int row = parent[j];
            const auto before = static_cast<int>(a.column[row]);
            owner[j] = row;
            a.column[row] = j;
            if (row == root) break;
            j = before;
        }
    }
    return true;
}

}  // namespace

const assignment::InOrderKernels& kernels(const assignment::InOrderKernels*) {
    static constexpr assignment::InOrderKernels table{.floats = match_in_order<double>,
                                                      .integers = match_in_order<std::int64_t>};
    return table;
}

}  // namespace prunus::PRUNUS_SET
