#include "atsp/first_tours.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace prunus::PRUNUS_SET {
namespace {

std::int64_t nearest_neighbour(int n, const std::int64_t* distances, int start, std::int64_t* tour) {
    std::vector<int> left(n);
    for (int c = 0; c < n; c++) left[c] = c;
    std::int64_t length = 0;
    int city = start;
    for (int k = 0; k < n; k++) {
        tour[k] = city;
        left.erase(std::ranges::find(left, city));
        const std::int64_t* away = distances + static_cast<std::size_t>(city) * n;
        int next = start;
        std::int64_t least = left.empty() ? away[start] : INT64_MAX;
        for (const int c : left)
            if (away[c] < least) least = away[c], next = c;
        length += least;
        city = next;
    }
    return length;
}

void least_columns(int n, const std::int64_t* values, int count, std::int64_t* columns) {
    struct Entry {
        std::int64_t value;
        int column;
    };
    std::vector<Entry> least(count + 1);
    for (int i = 0; i < n; i++, values += n, columns += count) {
        int size = 0;
        for (int j = 0; j < n; j++) {
            if (j == i || (size == count && values[j] >= least[count - 1].value)) continue;
            int k = size;
            for (; k > 0 && values[j] < least[k - 1].value; k--) least[k] = least[k - 1];
            least[k] = {values[j], j};
            if (size < count) size++;
        }
        for (int k = 0; k < count; k++) columns[k] = least[k].column;
        std::sort(columns, columns + count);
    }
}

void patch_cycles(int n, const std::int64_t* distances, std::int64_t* following, const Limits& limits) {
    const auto distance = [&](std::int64_t from, std::int64_t to) {
        return distances[static_cast<std::size_t>(from) * n + static_cast<std::size_t>(to)];
    };
    // A cycle is known by a city of it.
    std::vector<std::int64_t> cycle(n, -1), arc(n);
    std::vector<int> size(n, 0);
    int count = 0;
    for (int start = 0; start < n; start++) {
        arc[start] = distance(start, following[start]);
        if (cycle[start] >= 0) continue;
        count++;
        for (std::int64_t city = start; cycle[city] < 0; city = following[city]) {
            cycle[city] = start;
            size[start]++;
        }
    }
    for (; count > 1 && !limits.stopped(); count--) {
        int smallest = -1;
        for (int c = 0; c < n; c++)
            if (size[c] > 0 && (smallest < 0 || size[c] < size[smallest])) smallest = c;
        std::int64_t best = INT64_MAX, one = -1, other = -1;
        for (int a = 0; a < n; a++) {
            if (cycle[a] != smallest) continue;
            for (int b = 0; b < n; b++) {
                if (cycle[b] == smallest) continue;
                const std::int64_t change = distance(a, following[b]) - arc[a] + distance(b, following[a]) - arc[b];
                if (change < best) best = change, one = a, other = b;
            }
        }
        std::swap(following[one], following[other]);
        for (const std::int64_t city : {one, other}) arc[city] = distance(city, following[city]);
        const std::int64_t into = cycle[other];
        for (auto& c : cycle)
            if (c == smallest) c = into;
        size[into] += std::exchange(size[smallest], 0);
    }
    // One city of each cycle that is left goes on to where that of the one before went.
    std::int64_t last = -1;
    for (int c = 0; count > 1 && c < n; c++) {
        if (size[c] == 0) continue;
        const auto city = std::ranges::find(cycle, c) - cycle.begin();
        if (last >= 0) std::swap(following[last], following[city]);
        last = city;
    }
}

}  // namespace

const atsp::FirstTourKernels& kernels(const atsp::FirstTourKernels*) {
    static constexpr atsp::FirstTourKernels table{
        .nearest_neighbour = nearest_neighbour, .least_columns = least_columns, .patch_cycles = patch_cycles};
    return table;
}

}  // namespace prunus::PRUNUS_SET
