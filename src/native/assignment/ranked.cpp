#include "assignment/ranked.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "assignment/path_heap.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using assignment::Ended;
using assignment::Ranked;
using assignment::RankedRecords;

constexpr int whole_row = -2;  // the looks of a row of the tree from which every column was reached
constexpr int prefetched = 4;  // the list of the row that waits so many places behind is fetched

/// As in the search over whole lists, but a row of the tree looks only at as much of its list as it
/// has to: beside the columns that it has reached, the heap holds the row itself, at the least
/// distance that the rest of its list can be at. Many a column is no farther away than the row it is
/// reached from: it is final at once, and does without the heap.
template <class V, class P>
struct RankedOf final : Ranked {
    // What a GPU takes for more than any number.
    static constexpr P most = std::is_same_v<P, double> ? P(std::is_same_v<P, double> ? 1e300 : 0) : -lowest<P>;
    static constexpr P least = -most;

    RankedOf(RankedRecords given, int given_sign, std::int64_t n, std::int64_t m)
        : lists(given),
          sign(static_cast<P>(given_sign)),
          rows(n),
          columns(m),
          price(m),
          worth(n + 1),
          distance(n + m + 2),
          offset(n + 2),
          row(n + 2),
          looks(n + 2),
          mark(m),
          parent(m),
          heap(n + m + 2, distance.data()) {
        column.assign(n, -1);
        owner.assign(m, -1);
    }

    void keep(const void* prices_given, const std::int32_t* own, const void* benefit_given, const std::int32_t* best,
              const void* most_given, double rounding) override {
        const auto *benefit = static_cast<const P*>(benefit_given), *worth_most = static_cast<const P*>(most_given);
        std::copy_n(static_cast<const P*>(prices_given), columns, price.begin());
        std::fill(column.begin(), column.end(), -1);
        std::fill(owner.begin(), owner.end(), -1);
        waiting.clear();
        for (std::int64_t i = 0; i < rows; i++)
            if (own[i] >= 0 && benefit[i] - price[own[i]] >= worth_most[i] - static_cast<P>(rounding)) give(i, own[i]);
        for (std::int64_t i = rows - 1; i >= 0; i--) {
            if (column[i] < 0 && best[i] >= 0 && owner[best[i]] < 0) give(i, best[i]);
            worth[i] = worth_most[i];
            if (column[i] < 0) waiting.push_back(i);
        }
    }

    void reduce(std::int64_t bids) override {
        std::vector<std::int64_t> kept;
        for (std::size_t at = 0; at < waiting.size(); at++) {
            if (at + prefetched < waiting.size()) fetch(waiting[at + prefetched]);
            for (std::int64_t i = waiting[at]; i >= 0;) {
                const Two two = best_two(i);
                std::int64_t j = two.best;
                P rise = two.first - two.second;
                // Rows that tie are kept for the paths: bidding nothing against nothing would never
                // end. Where no other column is allowed, there is no telling a price.
                if (j >= 0 && owner[j] >= 0 && two.second <= least) j = -1;
                if (j >= 0 && owner[j] >= 0 && !(rise > 0)) j = two.other >= 0 && owner[two.other] < 0 ? two.other : -1;
                if (j < 0 || bids-- <= 0) {
                    kept.push_back(i);
                    break;
                }
                const std::int64_t before = owner[j];
                worth[i] = two.first;
                if (before >= 0) {
                    // Only what is fought for becomes dearer: a free column keeps its price.
                    price[j] += rise;
                    worth[i] = two.first - rise;
                    column[before] = -1;
                }
                give(i, j);
                i = before;
            }
        }
        waiting = std::move(kept);
    }

    void begin_levelling() override {
        levelling = true;
        floor = *std::min_element(price.begin(), price.end());
        waiting.clear();
        for (std::int64_t j = 0; j < columns; j++) {
            if (owner[j] >= 0) continue;
            if (price[j] > floor)
                waiting.push_back(j);
            else
                owner[j] = left_free;
        }
    }

    void begin() override {
        root = -1;
        lists_extended = false;
    }

    Ended search(Limits& limits) override {
        while (!waiting.empty() || root >= 0) {
            if (limits.spend(0)) return Ended::out_of_budget;
            if (root < 0) {
                tree_rows = 0;
                place = 0;
                target = -1;
                root = rows;
                if (!levelling) {
                    root = waiting.back();
                    waiting.pop_back();
                }
            }
            const int found = find_path(limits);
            if (found < 0) return found == -1 || levelling ? Ended::list_exhausted : Ended::no_path;
            augment();
            root = -1;
            if (lists_extended) return Ended::extended_done;
        }
        return Ended::all_matched;
    }

    void end_levelling() override {
        for (std::int64_t j = 0; j < columns; j++) {
            const bool free = owner[j] == left_free;
            price[j] = free ? 0 : std::max<P>(price[j] - floor, 0);
            if (free) owner[j] = -1;
        }
        levelling = false;
    }

    void price_left_free() override {
        for (std::int64_t j = 0; j < columns; j++)
            if (owner[j] == left_free) price[j] = floor;
    }

    void reach_all(const void* benefits) override {
        const P* benefit = static_cast<const P*>(benefits);
        const std::int64_t i = row[place];
        const P far = offset[place] + worth[i];
        for (std::int64_t j = 0; j < columns; j++)
            if (const P net = benefit[j] - price[j]; net > least)
                reach(i, j, offset[place], std::max(far - net, offset[place]));
        looks[place] = whole_row;
    }

    std::int64_t stuck() const override { return tree_rows > 0 ? row[place] : root; }

    void choose_extended(std::int64_t together) override {
        std::vector<std::int64_t> places(tree_rows);
        std::iota(places.begin(), places.end(), 0);
        if (tree_rows > together) {
            const auto end = [&](std::int64_t t) { return offset[t] + worth[row[t]] - threshold_of(row[t]); };
            std::nth_element(
                places.begin(), places.begin() + together, places.end(),
                [&](std::int64_t a, std::int64_t b) { return std::pair(end(a), a) < std::pair(end(b), b); });
            places.resize(together);
            if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
            std::sort(places.begin(), places.end());
        }
        extended.clear();
        ceiling.clear();
        for (const std::int64_t t : places) {
            // What a row has not looked at begins with its next portion, or beyond its list.
            const char* at = record(row[t]);
            if (looks[t] >= 0) at += RankedRecords::head + looks[t] * lists.step;
            extended.push_back(row[t]);
            ceiling.push_back(*reinterpret_cast<const P*>(at));
            looks[t] = 0;
        }
        lists_extended = true;
    }

    std::variant<std::int64_t, double> threshold(std::int64_t i) const override { return threshold_of(i); }
    void* prices() override { return price.data(); }
    void* ceilings() override { return ceiling.data(); }

  private:
    struct Two {
        P first, second;
        std::int64_t best, other;
    };

    const char* record(std::int64_t i) const { return lists.memory + i * lists.size; }
    P threshold_of(std::int64_t i) const { return *reinterpret_cast<const P*>(record(i)); }
    std::int64_t length(std::int64_t i) const { return reinterpret_cast<const std::int32_t*>(record(i))[2]; }

    /// The candidates of a portion.
    struct Portion {
        explicit Portion(const char* at)
            : key(*reinterpret_cast<const P*>(at)),
              column(reinterpret_cast<const std::int32_t*>(at + RankedRecords::key)),
              value(reinterpret_cast<const V*>(at + RankedRecords::key + RankedRecords::width)) {}
        P key;
        const std::int32_t* column;
        const V* value;
    };

    Portion portion(std::int64_t i, std::int64_t k) const {
        return Portion(record(i) + RankedRecords::head + k * lists.step);
    }

    P net(const Portion& some, std::int64_t e) const {
        return sign * static_cast<P>(some.value[e]) - price[some.column[e]];
    }

    /// Has the first portion of a list fetched that will be looked at soon.
    void fetch(std::int64_t i) const {
        for (int part = 0; part < RankedRecords::head + lists.step; part += 64) __builtin_prefetch(record(i) + part);
    }

    void give(std::int64_t i, std::int64_t j) {
        owner[j] = i;
        column[i] = j;
    }

    /// The best and the second best net value of a row, and their columns; -1 for one that is not
    /// known: then the threshold stands for the value, as no column outside the list has a larger.
    Two best_two(std::int64_t i) const {
        Two two{least, least, -1, -1};
        const std::int64_t count = length(i);
        std::int64_t k = 0;
        for (; k * RankedRecords::portion < count; k++) {
            const Portion some = portion(i, k);
            if (some.key <= two.second) return two;
            const std::int64_t end = std::min<std::int64_t>(RankedRecords::portion, count - k * RankedRecords::portion);
            for (std::int64_t e = 0; e < end; e++) {
                const P x = net(some, e);
                if (x > two.first)
                    two = {x, two.first, some.column[e], two.best};
                else if (x > two.second)
                    two.second = x, two.other = some.column[e];
            }
        }
        const P threshold = threshold_of(i);
        if (threshold > two.second) {
            two.second = threshold, two.other = -1;
            if (threshold > two.first) two.first = threshold, two.best = -1;
        }
        return two;
    }

    /// Notes a way to column j over row i, `from` away, if it is the shortest.
    void reach(std::int64_t i, std::int64_t j, P from, P way) {
        if (!(way < cutoff) || mark[j] == final_mark() || owner[j] == left_free) return;
        if (owner[j] < 0) {
            parent[j] = i;
            cutoff = way, target = j;
        } else if (!(way > from)) {
            // Where it is in the heap already, it stays there, and is passed over later.
            distance[j] = way, parent[j] = i;
            close(j);
        } else if (mark[j] != final_mark() - 1) {
            mark[j] = final_mark() - 1;
            distance[j] = way, parent[j] = i;
            heap.push(static_cast<std::int32_t>(j));
        } else if (way < distance[j]) {
            distance[j] = way, parent[j] = i;
            heap.move_up(static_cast<std::int32_t>(j));
        }
    }

    std::int64_t final_mark() const { return 2 * searches + 1; }

    void close(std::int64_t j) {
        mark[j] = final_mark();
        done.push_back(j);
    }

    /// Goes from row t of the tree to the next portions of its list.
    void relax(std::int64_t t) {
        const std::int64_t i = row[t], count = length(i);
        const P from = offset[t], far = from + worth[i];
        std::int64_t k = looks[t];
        // One portion, later as many as there were before: who comes back often is far from the end.
        const std::int64_t last = k + std::max<std::int64_t>(1, k);
        for (; k < last && (k == looks[t] || k * RankedRecords::portion < count); k++) {
            const Portion some = portion(i, k);
            const std::int64_t end = std::min<std::int64_t>(RankedRecords::portion, count - k * RankedRecords::portion);
            for (std::int64_t e = 0; e < end; e++) reach(i, some.column[e], from, std::max(far - net(some, e), from));
        }
        const bool more = k * RankedRecords::portion < count;
        looks[t] = more ? static_cast<int>(k) : -1;
        const P way = std::max(far - (more ? portion(i, k).key : threshold_of(i)), from);
        if (!(way < cutoff)) return;
        distance[columns + t] = way;
        heap.push(static_cast<std::int32_t>(columns + t));
    }

    /// Reaches every column from the root of those that stay free, as far away as it is dear.
    void reach_by_price() {
        target = -1;
        cutoff = most;
        // First those that are free: none of the others matters that is dearer.
        for (const std::int64_t j : waiting) reach(rows, j, 0, price[j] - floor);
        for (std::int64_t j = 0; j < columns; j++)
            if (owner[j] >= 0) reach(rows, j, 0, std::max<P>(price[j] - floor, 0));
    }

    /// Finds the shortest way from the root to a free column and raises prices; returns 0, -1 if a
    /// list has come to its end, where the search goes on, -2 if there is no way.
    int find_path(Limits& limits) {
        // Each column that is final leads to a row, in the same order; the root has none.
        const std::int64_t rooted = levelling ? 0 : 1;
        if (tree_rows == 0) {
            searches++;
            heap.clear();
            done.clear();
        }
        if (tree_rows == 0 && levelling) {
            reach_by_price();
        } else {
            if (tree_rows == 0) {
                const Two two = best_two(root);
                if (two.best < 0) return -1;
                worth[root] = two.first;
                row[0] = root, offset[0] = 0, looks[0] = 0;
                tree_rows = 1, target = -1, cutoff = most, place = 0;
            }
            if (looks[place] != whole_row) relax(place);
        }
        const auto open = [&] { return tree_rows < rooted + static_cast<std::int64_t>(done.size()); };
        while (true) {
            if (!open()) {
                if (heap.empty() || !(heap.nearest() < cutoff)) break;
                const std::int32_t top = heap.pop();
                if (top >= columns) {
                    place = top - columns;
                    if (looks[place] < 0) return -1;
                } else {
                    if (mark[top] == final_mark()) continue;
                    close(top);
                }
            }
            if (open()) {
                const std::int64_t j = done[tree_rows - rooted];
                if (!(distance[j] < cutoff)) break;
                place = tree_rows++;
                row[place] = owner[j], offset[place] = distance[j], looks[place] = 0;
            }
            if (open())
                fetch(owner[done[tree_rows - rooted]]);
            else if (!heap.empty() && heap.front() < columns)
                fetch(owner[heap.front()]);
            relax(place);
        }
        limits.work += tree_rows;
        if (target < 0) return -2;
        for (const std::int64_t j : done) price[j] += cutoff - distance[j];
        for (std::int64_t t = 0; t < tree_rows; t++) worth[row[t]] -= cutoff - offset[t];
        return 0;
    }

    /// Gives rows the columns on the way to the target; in levelling leaves another one free.
    void augment() {
        std::int64_t j = target;
        while (true) {
            const std::int64_t i = parent[j];
            if (i == rows) break;
            const std::int64_t before = column[i];
            give(i, j);
            if (i == root) return;
            j = before;
        }
        owner[j] = left_free;
        floor = std::max(floor, price[j]);
        std::erase_if(waiting, [&](std::int64_t k) {
            if (owner[k] == -1 && price[k] <= floor) owner[k] = left_free;
            return owner[k] != -1;
        });
    }

    RankedRecords lists;
    P sign;
    std::int64_t rows, columns;
    std::vector<P> price, ceiling;
    std::vector<P> worth;              // the best net value of each row that has a column
    std::vector<P> distance;           // of columns; behind them of the tree's rows, to what they have not looked at
    std::vector<P> offset;             // how long the way to each row of the tree is
    std::vector<std::int64_t> row;     // of the tree
    std::vector<int> looks;            // portions that each has looked at, -1 at the end of its list
    std::vector<std::int64_t> mark;    // of columns: by which search reached, or made final
    std::vector<std::int64_t> parent;  // of columns: the row they were reached from
    std::vector<std::int64_t> done;    // the columns whose distance is final
    PathHeap<P> heap;
    P cutoff = most, floor = 0;  // the length of the way to the target; the price of what stays free
    std::int64_t searches = 0, place = 0, target = -1;
};

std::unique_ptr<Ranked> make(RankedRecords lists, int kind, bool whole, int sign, std::int64_t rows,
                             std::int64_t columns) {
    switch (kind) {
        case 0:
            return std::make_unique<RankedOf<float, double>>(lists, sign, rows, columns);
        case 1:
            return std::make_unique<RankedOf<double, double>>(lists, sign, rows, columns);
        case 2:
            return std::make_unique<RankedOf<std::int32_t, double>>(lists, sign, rows, columns);
        default:
            if (whole) return std::make_unique<RankedOf<std::int64_t, std::int64_t>>(lists, sign, rows, columns);
            return std::make_unique<RankedOf<std::int64_t, double>>(lists, sign, rows, columns);
    }
}

}  // namespace

const assignment::RankedKernels& kernels(const assignment::RankedKernels*) {
    static constexpr assignment::RankedKernels table{.make = make};
    return table;
}

}  // namespace prunus::PRUNUS_SET
