#include "points/solve.hpp"

#include <limits>

#include "assignment/list_matching.hpp"
#include "points/tree.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using points::Sets;
using points::Solve;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

template <class Space>
struct SolveIn final : Solve {
    explicit SolveIn(const Sets& sets)
        : count(sets.count),
          dimensions(sets.dimensions),
          at(sets.rows, sets.rows + sets.count * sets.dimensions),
          tree(sets.columns, sets.count, sets.dimensions),
          search{tree, Space{sets.dimensions}},
          matching(count, count, read_beyond),
          matcher(matching),
          age(count),
          more(count),
          known(count, unknown) {
        best.resize(count);
        checked.resize(count + read_beyond);
    }

    void begin_lists(int most) override {
        listed = static_cast<int>(std::min<std::int64_t>(most, count));
        columns.resize(count * listed);
        benefits.resize(count * listed);
        start.resize(count + 1);
        threshold.resize(count);
        to_list.resize(count);
        for (std::int64_t i = 0; i <= count; i++) start[i] = i * listed;
        for (std::int64_t i = 0; i < count; i++) to_list[i] = static_cast<std::int32_t>(i);
    }

    void list(std::int64_t first, std::int64_t last) override {
        Nearest nearest(listed);
        for (std::int64_t q = first; q < last; q++) list_row(to_list[q], matching.column[to_list[q]], nearest);
    }

    double nearest_distance() const override {
        double total = 0;
        for (std::int64_t i = 0; i < count; i++) total -= benefits[i * listed];
        return total / static_cast<double>(count);
    }

    void open() override { matching.open(); }

    void bid(double epsilon, int patience, Limits& limits) override {
        Nearest nearest(listed);
        double* price = matching.price.data();
        while (!matching.waiting.empty() && !limits.spend(0)) {
            const std::int32_t i = matching.next();
            Bid found = best_two(i);
            age[i]++;
            if (found.first < threshold[i] && age[i] > patience) {
                age[i] = 0;
                list_row(i, -1, nearest);
                lists_renewed++;
                limits.work += 15;
                found = best_two(i);
            }
            // What is not in the list is worth no more than the threshold, which stands for the
            // second best where that is less.
            const double second = std::max(found.second, std::min(found.first, threshold[i]));
            limits.work++;
            bids++;
            price[found.column] += (second > -infinite ? found.first - second : 0.0) + epsilon;
            matching.give(i, found.column);
        }
        know_prices();
    }

    void know_prices() override { tree.know(matching.price.data()); }

    void begin_matching() override { matcher.begin({columns.data(), benefits.data(), start.data()}, false); }

    bool match(Limits& limits) override {
        const Match answer = matcher.match(limits);
        searches = matcher.searches;
        return answer != Match::more_to_do;
    }

    void begin_check(bool cheaper, bool again) override {
        std::copy(matching.price.begin(), matching.price.end(), checked.begin());
        if (cheaper)
            for (std::int64_t i = 0; i < count; i++)
                if (matching.column[i] >= 0) checked[matching.column[i]] -= more[i];
        if (!again) std::fill(known.begin(), known.end(), unknown);
        tree.know(checked.data());
    }

    void check(std::int64_t first, std::int64_t last) override {
        Nearest nearest(1);
        for (std::int64_t i = first; i < last; i++) {
            const std::int32_t j = matching.column[i];
            const double own = j < 0 ? infinite : search.distance(row(i), j) + checked[j];
            if (own == known[i]) {
                more[i] = 0;  // nothing has changed, as prices only rise
                continue;
            }
            search.find(row(i), checked.data(), own, nearest);
            best[i] = nearest.found > 0 ? -nearest.costs[0] : -own;
            more[i] = best[i] + own;
            known[i] = own;
        }
    }

    std::int64_t collect(double tolerance) override {
        double largest = 0;
        for (const double price : matching.price) largest = std::max(largest, std::fabs(price));
        to_list.clear();
        for (std::int64_t i = 0; i < count; i++)
            if (more[i] > tolerance * largest) to_list.push_back(static_cast<std::int32_t>(i)), known[i] = unknown;
        return static_cast<std::int64_t>(to_list.size());
    }

    void release() override {
        for (const std::int32_t i : to_list)
            if (matching.column[i] >= 0) matching.owner[std::exchange(matching.column[i], -1)] = -1;
        matching.waiting = to_list;
    }

    const std::int32_t* column() const override { return matching.column.data(); }
    const std::int32_t* owner() const override { return matching.owner.data(); }
    std::int64_t waiting() const override { return static_cast<std::int64_t>(matching.waiting.size()); }

  private:
    struct Bid {
        double first, second;
        std::int32_t column;
    };

    const double* row(std::int64_t i) const { return at.data() + i * dimensions; }

    void list_row(std::int32_t i, std::int32_t own, Nearest& nearest) {
        std::int32_t* column = columns.data() + i * std::int64_t{listed};
        double* benefit = benefits.data() + i * std::int64_t{listed};
        search.find(row(i), matching.price.data(), infinite, nearest);
        threshold[i] = listed < count ? -nearest.costs[listed - 1] : -infinite;
        std::copy(nearest.columns.begin(), nearest.columns.end(), column);
        if (own >= 0 && std::find(column, column + listed, own) == column + listed) column[listed - 1] = own;
        for (int q = 0; q < listed; q++) benefit[q] = -search.distance(row(i), column[q]);
    }

    /// The best two net values in the list of a row, and the first column with the best.
    Bid best_two(std::int32_t i) const {
        const std::int32_t* column = columns.data() + i * std::int64_t{listed};
        const double* benefit = benefits.data() + i * std::int64_t{listed};
        const double* price = matching.price.data();
        constexpr int lanes = register_bytes / sizeof(double);
        Register<double> first = -infinite - Register<double>{}, second = first;
        const auto take = [](auto x, auto& most, auto& next) {
            const auto less = x < most ? x : most;
            next = less > next ? less : next;
            most = x > most ? x : most;
        };
        int q = 0;
        for (; q + lanes <= listed; q += lanes) {
            Register<double> x;
            std::memcpy(&x, benefit + q, sizeof x);
            Register<double> of{};
            for (int e = 0; e < lanes; e++) of[e] = price[column[q + e]];
            take(x - of, first, second);
        }
        Bid found{-infinite, -infinite, column[0]};
        for (int e = 0; e < lanes; e++) {
            take(second[e], found.first, found.second);
            take(first[e], found.first, found.second);
        }
        for (; q < listed; q++) take(benefit[q] - price[column[q]], found.first, found.second);
        int k = 0;
        while (benefit[k] - price[column[k]] != found.first) k++;
        found.column = column[k];
        return found;
    }

    std::int64_t count;
    int dimensions, listed = 0;
    std::vector<double> at;  // the points of the rows
    Tree tree;
    TreeSearch<Space> search;
    Matching<double> matching;
    ListMatcher<double> matcher;
    std::vector<std::int32_t> columns;  // of the lists
    std::vector<double> benefits;
    std::vector<std::int64_t> start;
    std::vector<double> threshold;  // no column that is not listed has a larger net value
    std::vector<std::int32_t> age;  // how often each row has bid from a list that may lack the best
    std::vector<double> more;       // how much more than they have rows would get, at the last check
    std::vector<double> known;      // what their columns cost them then
};

/// Puts those with the smaller coordinates into the first half (C. A. R. Hoare, Algorithm 65: Find,
/// Communications of the ACM 4 (1961) 321-322).
void halve_node(const double* points, int dimensions, int d, std::int32_t* order, std::int64_t begin,
                std::int64_t end) {
    const auto less = [=](std::int32_t a, std::int32_t b) {
        const double x = points[a * std::int64_t{dimensions} + d], y = points[b * std::int64_t{dimensions} + d];
        return x < y || (x == y && a < b);
    };
    std::nth_element(order + begin, order + begin + (end - begin) / 2, order + end, less);
}

void halve(const Sets& sets, int level, std::int32_t* rows, std::int32_t* columns) {
    const std::vector<std::int64_t> ends = level_ends(sets.count, 1 << level);
    for (std::size_t node = 0; node + 1 < ends.size(); node++) {
        const std::int64_t begin = ends[node], end = ends[node + 1];
        double most = -1;
        int widest = 0;
        for (int d = 0; d < sets.dimensions; d++) {
            double low = infinite, high = -infinite;
            for (std::int64_t q = begin; q < end; q++) {
                const double x = sets.rows[rows[q] * std::int64_t{sets.dimensions} + d];
                low = std::min(low, x), high = std::max(high, x);
            }
            if (high - low > most) most = high - low, widest = d;
        }
        halve_node(sets.rows, sets.dimensions, widest, rows, begin, end);
        halve_node(sets.columns, sets.dimensions, widest, columns, begin, end);
    }
}

template <Metric metric>
std::unique_ptr<Solve> make_in(const Sets& sets) {
    switch (sets.dimensions) {
        case 2:
            return std::make_unique<SolveIn<Space<metric, 2>>>(sets);
        case 3:
            return std::make_unique<SolveIn<Space<metric, 3>>>(sets);
        default:
            return std::make_unique<SolveIn<Space<metric, 0>>>(sets);
    }
}

std::unique_ptr<Solve> make(const Sets& sets) {
    switch (sets.metric) {
        case Metric::euclidean:
            return make_in<Metric::euclidean>(sets);
        case Metric::sqeuclidean:
            return make_in<Metric::sqeuclidean>(sets);
        case Metric::cityblock:
            return make_in<Metric::cityblock>(sets);
        default:
            return make_in<Metric::chebyshev>(sets);
    }
}

int levels(std::int64_t count) { return std::countr_zero(static_cast<unsigned>(leaves_for(count))); }

}  // namespace

const points::Kernels& kernels(const points::Kernels*) {
    static constexpr points::Kernels table{.make = make, .halve = halve, .levels = levels};
    return table;
}

}  // namespace prunus::PRUNUS_SET
