#include "knapsack/dense.hpp"

#include <memory>
#include <numeric>

#include "knapsack/dense_rows.hpp"
#include "threads.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using knapsack::DenseChoice;
using knapsack::DenseCost;
using knapsack::DenseItem;
using knapsack::DenseLimits;
using knapsack::DensePlan;
using knapsack::DenseProfile;
using knapsack::DenseStop;
using knapsack::ItemSpan;

using DenseItems = std::vector<DenseItem>;

DenseItems items_of(const ItemSpan& given) {
    DenseItems items(given.n);
    for (std::int64_t j = 0; j < given.n; j++) items[j] = {given.w[j], given.p[j], j};
    return items;
}

std::int64_t weight_of(const DenseItems& items) {
    std::int64_t weight = 0;
    for (const DenseItem& item : items) weight += item.w;
    return weight;
}

/// The live ranges of items in an order.
DensePlan ranges(DenseItems items, std::int64_t total, std::int64_t capacity, std::int64_t need) {
    DensePlan plan;
    plan.items = std::move(items);
    std::int64_t before = 0;
    for (DenseItem& item : plan.items) {
        before += item.w;
        item.most = std::min(before, capacity);
        item.least = std::max(need - (total - before), item.w);
        plan.cells += std::max<std::int64_t>(item.most - item.least + 1, 0);
    }
    return plan;
}

DensePlan plan_of(DenseItems items, std::int64_t capacity, std::int64_t need) {
    std::stable_sort(items.begin(), items.end(), [](const DenseItem& a, const DenseItem& b) { return a.w < b.w; });
    const std::int64_t total = weight_of(items);
    need = std::min(need, total);  // what is heavier than everything is worth as much
    // Light items at both ends: every other one of the ascending order in front.
    DenseItems both;
    for (std::size_t k = 0; k < items.size(); k += 2) both.push_back(items[k]);
    for (std::size_t k = items.size() / 2; k-- > 0;) both.push_back(items[2 * k + 1]);
    DensePlan best = ranges(items, total, capacity, need);
    for (DenseItems* order : {&items, &both}) {
        if (order == &items) std::reverse(items.begin(), items.end());
        DensePlan plan = ranges(std::move(*order), total, capacity, need);
        if (plan.cells < best.cells) best = std::move(plan);
    }
    return best;
}

struct PassRange {
    std::int64_t begin, end;
};

/// Splits the items into passes: as many as reach no further together than the cache allows.
std::vector<PassRange> passes(const DensePlan& plan, const DenseLimits& how) {
    constexpr std::int64_t most_items = 128, most_cells = 1 << 29;
    std::vector<PassRange> found;
    const auto n = static_cast<std::int64_t>(plan.items.size());
    for (std::int64_t k = 0; k < n;) {
        std::int64_t end = k, reach = 0, cells = 0;
        for (; end < n && end - k < most_items; end++) {
            const DenseItem& item = plan.items[end];
            reach += item.w;
            cells += std::max<std::int64_t>(item.most - item.least + 1, 1);
            if (end > k && (reach > how.reach_cells || cells > most_cells)) break;
        }
        found.push_back({k, end});
        k = end;
    }
    return found;
}

/// Where the decision bits of each item stand: a row of 32-bit words over its pass's cells.
struct BitRows {
    std::vector<std::int64_t> first;  // the bit of cell 0
    std::int64_t words = 0;

    BitRows(const DensePlan& plan, const std::vector<PassRange>& parts) {
        for (const PassRange& part : parts) {
            const std::int64_t top = plan.items[part.end - 1].most;
            for (std::int64_t k = part.begin; k < part.end; k++) {
                const std::int64_t low = plan.items[k].least / row_lanes;
                first.push_back((words - low) * row_lanes);
                words += std::max<std::int64_t>(top / row_lanes - low + 1, 0);
            }
        }
    }
};

std::int64_t cell_bytes(const DenseLimits& how) { return how.limit < std::int64_t{1} << 31 ? 4 : 8; }

std::int64_t table_bytes(const DensePlan& plan, const DenseLimits& how) {
    return plan.items.empty() ? 0 : (plan.items.back().most + 1) * cell_bytes(how);
}

bool bits_fit(const DensePlan& plan, const DenseLimits& how) {
    const std::int64_t bytes = 4 * BitRows(plan, passes(plan, how)).words;
    return bytes <= how.bit_bytes && table_bytes(plan, how) + bytes <= how.memory;
}

/// The best value of every capacity wanted, and decision bits if they are.
template <class T>
class Table {
  public:
    std::vector<T> f;

    /// `plan` must stay.
    Table(const DensePlan& dense_plan, bool noting, const DenseLimits& limits, Look look)
        : plan(dense_plan), how(limits), ask(look), parts(passes(plan, how)), rows(plan, parts) {
        if (noting) bits.resize(rows.words);
    }

    /// Says whether it was computed; not if the look said stop.
    bool run() {
        f.assign(1, 0);
        if (!plan.items.empty()) f.reserve(plan.items.back().most + 1);
        for (const PassRange& part : parts) {
            const auto top = static_cast<std::size_t>(plan.items[part.end - 1].most);
            while (f.size() <= top) {
                const T value = f.back();
                f.resize(std::min<std::size_t>(top + 1, f.size() + how.slice_cells), value);
                if (f.size() <= top && ask(0)) return false;
            }
            if (!run_pass(part)) return false;
        }
        return true;
    }

    /// The items of the best choice for a capacity of at least `need`, along the decision bits.
    std::vector<std::int64_t> trace(std::int64_t cell) const {
        std::vector<std::int64_t> chosen;
        for (auto k = static_cast<std::int64_t>(plan.items.size()) - 1; k >= 0; k--) {
            const DenseItem& item = plan.items[k];
            cell = std::min(cell, item.most);
            if (cell < item.least) continue;
            const std::int64_t bit = rows.first[k] + cell;
            if ((bits[bit / row_lanes] >> (bit % row_lanes) & 1) == 0) continue;
            chosen.push_back(item.number);
            cell -= item.w;
        }
        return chosen;
    }

  private:
    bool run_pass(const PassRange& part) {
        const DenseItem* items = plan.items.data() + part.begin;
        const std::int64_t count = part.end - part.begin;
        pass = {items, count, rows.first.data() + part.begin, bits.empty() ? nullptr : bits.data(), f.data()};
        const std::int64_t high = items[count - 1].most + 1;
        std::int64_t low = high, work = 0;
        for (std::int64_t k = 0; k < count; k++) {
            low = std::min(low, items[k].least);
            work += high - items[k].least;
        }
        stop = false;
        if (how.threads > 1 && work >= how.shared_cells)
            share_pass(low, high);
        else
            range(low, high, nullptr, 0);
        return !stop && !ask(std::max<std::int64_t>(work, 0));
    }

    /// Works on a range, with a copy of what is below it if another thread works there. Only the caller's thread asks.
    void range(std::int64_t low, std::int64_t high, T* copy, int member) {
        const std::int64_t step = std::max<std::int64_t>(1, how.slice_cells / pass.count);
        for (std::int64_t top = high; top > low && !stop;) {
            top = pass.sweep(low, high, top, top - step, how.tile_cells, copy);
            if (top > low && member == 0 && ask(0)) stop = true;
        }
    }

    void share_pass(std::int64_t low, std::int64_t high) {
        const auto cut = [&](std::int64_t from, std::int64_t to, std::int64_t count) {
            // No two parts share a word of bits of one item.
            std::vector<std::int64_t> cuts{from};
            for (std::int64_t k = 1; k < count; k++) {
                const std::int64_t at = (from + (to - from) * k / count) / row_lanes * row_lanes;
                if (at > cuts.back()) cuts.push_back(at);
            }
            cuts.push_back(to);
            return cuts;
        };
        const std::int64_t weight = pass.items[0].w;
        if (pass.count == 1 && weight >= how.apart_weight) {
            // No cell within a weight of the top is read for another one.
            for (std::int64_t top = high; top > low && !stop; top -= weight) {
                const auto cuts = cut(std::max(low, top - weight), top, how.threads);
                share(how.threads, static_cast<std::int64_t>(cuts.size()) - 1, {},
                      [&](std::int64_t t, int member) { range(cuts[t], cuts[t + 1], nullptr, member); });
            }
            return;
        }
        std::int64_t reach = 0;
        for (std::int64_t k = 0; k < pass.count; k++) reach += pass.items[k].w;
        const auto cuts = cut(low, high, std::min<std::int64_t>(how.threads, 1 + (high - low) / reach));
        const auto count = static_cast<std::int64_t>(cuts.size()) - 1;
        std::vector<std::vector<T>> copies(count);
        for (std::int64_t t = 1; t < count; t++) {
            const std::int64_t end = std::min(cuts[t] + reach, cuts[t + 1]),
                               begin = std::max<std::int64_t>(0, cuts[t] - reach);
            copies[t].resize(reach + end - cuts[t]);
            std::copy(f.begin() + begin, f.begin() + end, copies[t].begin() + (begin - cuts[t] + reach));
        }
        share(how.threads, count, {}, [&](std::int64_t t, int member) {
            range(cuts[t], cuts[t + 1], t > 0 ? copies[t].data() : nullptr, member);
        });
    }

    const DensePlan& plan;
    const DenseLimits& how;
    const Look ask;
    const std::vector<PassRange> parts;
    const BitRows rows;
    std::vector<std::uint32_t> bits;
    Pass<T> pass{};
    std::atomic<bool> stop{false};
};

/// Chooses items by a table of values of one type.
template <class T>
class Chooser {
  public:
    Chooser(const DenseLimits& limits, Look look) : how(limits), ask(look) {}

    DenseStop choose(const DenseItems& given, std::int64_t capacity, std::vector<std::int64_t>& chosen) {
        DenseItems items;
        for (const DenseItem& item : given)
            if (item.w <= capacity) items.push_back(item);
        if (weight_of(items) <= capacity) {
            for (const DenseItem& item : items) chosen.push_back(item.number);
            return DenseStop::done;
        }
        const DensePlan plan = plan_of(std::move(items), capacity, capacity);
        if (table_bytes(plan, how) > how.memory) return DenseStop::memory;
        if (bits_fit(plan, how)) {
            Table<T> table(plan, true, how, ask);
            if (!table.run()) return DenseStop::stopped;
            for (const std::int64_t item : table.trace(capacity)) chosen.push_back(item);
            return DenseStop::done;
        }
        std::size_t middle = 0;
        for (std::int64_t cells = 0; 2 * cells < plan.cells && middle + 1 < plan.items.size(); middle++)
            cells += std::max<std::int64_t>(plan.items[middle].most - plan.items[middle].least + 1, 0);
        middle = std::max<std::size_t>(middle, 1);
        const DenseItems first(plan.items.begin(), plan.items.begin() + static_cast<std::ptrdiff_t>(middle));
        const DenseItems second(plan.items.begin() + static_cast<std::ptrdiff_t>(middle), plan.items.end());
        std::int64_t share = 0;
        if (!best_share(first, second, capacity, share)) return DenseStop::stopped;
        const DenseStop stop = choose(first, share, chosen);
        return stop == DenseStop::done ? choose(second, capacity - share, chosen) : stop;
    }

  private:
    bool half(const DenseItems& items, std::int64_t capacity, std::int64_t others, std::vector<T>& values) {
        const DensePlan plan = plan_of(items, capacity, std::max<std::int64_t>(0, capacity - others));
        Table<T> table(plan, false, how, ask);
        const bool done = table.run();
        values = std::move(table.f);
        return done;
    }

    /// How much of the capacity the first of two sets of items gets.
    bool best_share(const DenseItems& first, const DenseItems& second, std::int64_t capacity, std::int64_t& share) {
        std::vector<T> a, b;
        if (!half(first, capacity, weight_of(second), a) || !half(second, capacity, weight_of(first), b)) return false;
        // Above its end a table is constant, so nothing is lost by staying within both.
        const auto a_last = static_cast<std::int64_t>(a.size()) - 1, b_last = static_cast<std::int64_t>(b.size()) - 1;
        const std::int64_t low = std::max<std::int64_t>(0, capacity - b_last), high = std::min(capacity, a_last);
        T best = -1;
        for (std::int64_t c = low; c <= high; c++) {
            if (a[c] + b[capacity - c] > best) best = a[c] + b[capacity - c], share = c;
            if (c % (1 << 24) == 0 && ask(0)) return false;
        }
        return true;
    }

    const DenseLimits& how;
    const Look ask;
};

template <class T>
void find_profile(const DensePlan& plan, std::int64_t capacity, const DenseLimits& how, Look look, DenseProfile& found,
                  std::vector<T>& values) {
    const bool noting = bits_fit(plan, how);
    Table<T> table(plan, noting, how, look);
    if (!table.run()) {
        found.stop = DenseStop::stopped;
        return;
    }
    if (noting) found.chosen = table.trace(capacity);
    values = std::move(table.f);
}

DensePlan plan(const ItemSpan& items, std::int64_t capacity, std::int64_t need) {
    return plan_of(items_of(items), capacity, need);
}

DenseCost cost(const ItemSpan& items, std::int64_t capacity, std::int64_t heavy, const DenseLimits& how) {
    DenseItems light;
    for (const DenseItem& item : items_of(items))
        if (item.w <= capacity) light.push_back(item);
    const DensePlan found = plan_of(std::move(light), capacity, capacity);
    DenseCost cost;
    cost.cells = found.cells, cost.work = found.cells * (bits_fit(found, how) ? 1 : 2);
    for (const DenseItem& item : found.items)
        if (item.w > heavy) cost.heavy_cells += std::max<std::int64_t>(item.most - item.least + 1, 0);
    cost.fits = table_bytes(found, how) <= how.memory;
    return cost;
}

DenseChoice choose(const ItemSpan& items, std::int64_t capacity, const DenseLimits& how, Look look) {
    DenseChoice choice;
    if (cell_bytes(how) == 4)
        choice.stop = Chooser<std::int32_t>(how, look).choose(items_of(items), capacity, choice.chosen);
    else
        choice.stop = Chooser<std::int64_t>(how, look).choose(items_of(items), capacity, choice.chosen);
    return choice;
}

DenseProfile profile(const ItemSpan& items, std::int64_t capacity, std::int64_t need, const DenseLimits& how,
                     Look look) {
    DenseProfile found;
    const DensePlan dense_plan = plan(items, capacity, need);
    if (table_bytes(dense_plan, how) > how.memory)
        found.stop = DenseStop::memory;
    else if (cell_bytes(how) == 4)
        find_profile(dense_plan, capacity, how, look, found, found.narrow);
    else
        find_profile(dense_plan, capacity, how, look, found, found.wide);
    return found;
}

}  // namespace

const knapsack::DenseKernels& kernels(const knapsack::DenseKernels*) {
    static constexpr knapsack::DenseKernels table{plan, cost, choose, profile};
    return table;
}

}  // namespace prunus::PRUNUS_SET
