// A node of a beam by total flow time: some jobs are fixed at the beginning of the schedule.
//
// Time that machines have waited delays all jobs that are still to come. With C the completion times
// so far, I the time that m machines have waited and r jobs left, a child is ordered by C + w I r / m;
// w = 1 is the guide of Libralesso, Focke, Secardin and Jost (2022), apart from a factor, where all
// idle time counts the same. Children are bounded by the last machine alone, and not at all where many
// jobs are left.
#pragma once

#include <bit>
#include <numeric>

#include "flowshop/beam.hpp"
#include "lanes.hpp"
#include "memory.hpp"
#include "treesearch/beam_search.hpp"

namespace prunus::PRUNUS_SET {

/// T holds all times, and four times their idle time.
template <class T>
class FlowtimeBeamNode {
  public:
    using Key = std::int64_t;
    static constexpr bool leaves_early = true, merges = true, exact_keys = true;

    struct Level {
        std::vector<T> state;             // machines + 2 a node: when they are free, cost and idle time so far
        std::vector<std::uint64_t> free;  // words a node: a bit a job
        std::vector<std::uint64_t> print;
    };

    struct Scratch {
        Aligned<T> until, waited;  // a job
        Aligned<std::int64_t> value;
    };

    FlowtimeBeamNode(const flowshop::BeamInput& input, const float* shares_of, std::uint64_t seed)
        : jobs(input.jobs),
          machines(input.machines),
          words((jobs + 63) / 64),
          cutoff(input.cutoff),
          weight(input.weight),
          shares(shares_of, shares_of + std::size_t(jobs) * machines),
          rows(input.times, input.times + std::size_t(jobs) * machines),
          columns(std::size_t(machines) * stride()),
          order(jobs),
          salts(machines + 2 + words) {
        for (int j = 0; j < jobs; j++)
            for (int i = 0; i < machines; i++) columns[i * stride() + j] = rows[std::size_t(j) * machines + i];
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [this](int a, int b) { return last(a) < last(b); });
        Random random{seed};
        for (auto& salt : salts) salt = random.next() | 1;
    }

    int levels() const { return jobs; }
    std::int64_t size(const Level& level) const { return std::ssize(level.print); }

    Scratch scratch() const {
        return {
            .until = Aligned<T>(stride()), .waited = Aligned<T>(stride()), .value = Aligned<std::int64_t>(stride())};
    }

    void resize(Level& level, std::int64_t nodes) const {
        level.state.resize(nodes * numbers());
        level.free.resize(nodes * words);
        level.print.resize(nodes);
    }

    void root(Level& level) const {
        resize(level, 1);
        for (int j = 0; j < jobs; j++) level.free[j / 64] |= std::uint64_t{1} << j % 64;
    }

    int begin_level(Level&, int at) {
        depth = at;
        return jobs - depth;
    }

    template <class Emit>
    std::int64_t rate(Level& level, std::int64_t node, const History&, Scratch& scratch, Key bar, Emit emit) const {
        const T* const state = &level.state[node * numbers()];
        const std::uint64_t* const free = &level.free[node * words];
        const float* const share = &shares[std::size_t(depth) * machines];
        for (int first = 0; first < stride(); first += lanes)
            if (free[first / 64] >> first % 64 & lane_bits) complete(state, share, first, scratch);
        const std::int64_t before = state[machines], idle = state[machines + 1];
        const int left = jobs - depth;
        // On the last level keys are costs.
        const std::int64_t fine = left > 1 && sizeof(T) == 4 ? parts : 1;
        const double counts = static_cast<double>(fine) * weight * (left - 1) / machines;
        const bool bounded = left <= bounded_jobs;
        const std::int64_t all = bounded ? bound(free, left, scratch) : 0;
        std::int64_t children = 0;
        for (int w = 0; w < words; w++)
            for (auto bits = free[w]; bits != 0; bits &= bits - 1) {
                const int j = w * 64 + std::countr_zero(bits);
                if (bounded && before + all + scratch.value[j] + left * std::int64_t(scratch.until[j]) >= cutoff)
                    continue;
                children++;
                const Key key = fine * (before + scratch.until[j]) +
                                static_cast<Key>(counts * static_cast<double>(idle + scratch.waited[j]));
                if (key <= bar) emit(j, key);
            }
        return children;
    }

    void make(const Level& level, std::int64_t node, int job, Level& next, std::int64_t at, Scratch&) const {
        const T* const from = &level.state[node * numbers()];
        const T* const takes = &rows[std::size_t(job) * machines];
        const float* const share = &shares[std::size_t(depth) * machines];
        T* const to = &next.state[at * numbers()];
        T until = 0, idle = from[machines + 1];
        std::uint64_t mixture = 0;
        for (int i = 0; i < machines; i++) {
            const T start = std::max(until, from[i]);
            idle += static_cast<T>(static_cast<float>(static_cast<T>(start - from[i])) * share[i]);
            to[i] = until = start + takes[i];
        }
        to[machines] = from[machines] + until;
        to[machines + 1] = idle;
        for (int i = 0; i < numbers(); i++) mixture += static_cast<std::uint64_t>(to[i]) * salts[i];
        std::uint64_t* const free = &next.free[at * words];
        std::copy_n(&level.free[node * words], words, free);
        free[job / 64] &= ~(std::uint64_t{1} << job % 64);
        for (int w = 0; w < words; w++) mixture += mixed(free[w] + salts[numbers() + w]);
        next.print[at] = mixed(mixture);
    }

    std::uint64_t print(const Level& level, std::int64_t node) const { return level.print[node]; }

    bool same(const Level& level, std::int64_t a, std::int64_t b) const {
        return std::equal(&level.state[a * numbers()], &level.state[a * numbers()] + numbers(),
                          &level.state[b * numbers()]) &&
               std::equal(&level.free[a * words], &level.free[a * words] + words, &level.free[b * words]);
    }

    void keep(Level& level, const std::vector<std::uint32_t>& order_kept) const {
        Level kept;
        resize(kept, order_kept.size());
        for (std::size_t k = 0; k < order_kept.size(); k++) {
            std::copy_n(&level.state[order_kept[k] * std::size_t(numbers())], numbers(), &kept.state[k * numbers()]);
            std::copy_n(&level.free[order_kept[k] * std::size_t(words)], words, &kept.free[k * words]);
            kept.print[k] = level.print[order_kept[k]];
        }
        level = std::move(kept);
    }

    std::int32_t step(const Level&, std::int64_t, int job) const { return job; }
    std::int64_t cost(const Level& level, std::int64_t node) const { return level.state[node * numbers() + machines]; }
    std::vector<std::int32_t> solution(const std::vector<std::int32_t>& steps) const { return steps; }

  private:
    /// Keys are whole numbers: of so many parts of a unit, where times have 32 bits.
    static constexpr int parts = 16;
    /// With more jobs left children are not bounded: it takes as long as all else, and hardly any bound
    /// reaches the cutoff.
    static constexpr int bounded_jobs = 64;

    const int jobs, machines, words;
    const std::int64_t cutoff;
    const double weight;
    int depth = 0;
    const std::vector<float> shares;  // by jobs that come before, what a machine's idle time counts
    const std::vector<T> rows;        // processing times, machines a job
    Aligned<T> columns;               // the same, a row a machine
    std::vector<std::int32_t> order;  // the jobs on the last machine, the shortest first
    std::vector<std::uint64_t> salts;

    static constexpr int lanes = std::min<int>(64, 2 * register_bytes / sizeof(T));
    static constexpr std::uint64_t lane_bits = lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes % 64) - 1;
    using Times = Lanes<T, lanes>;

    int numbers() const { return machines + 2; }
    int stride() const { return (jobs + lanes - 1) / lanes * lanes; }
    T last(int job) const { return rows[std::size_t(job) * machines + machines - 1]; }

    /// Computes for some jobs side by side when each is completed if it comes next, and how long machines
    /// wait for it.
    void complete(const T* fronts, const float* share, int first, Scratch& scratch) const {
        Times until = Times::splat(0), waited = Times::splat(0);
        for (int i = 0; i < machines; i++) {
            const Times front = Times::splat(fronts[i]), start = max(until, front);
            const auto counted = (start - front).template to<float>() * Lanes<float, lanes>::splat(share[i]);
            waited = waited + counted.template to<T>();
            until = start + Times::load(columns.data() + i * stride() + first);
        }
        until.store(&scratch.until[first]);
        waited.store(&scratch.waited[first]);
    }

    /// Bounds children by the last machine, but for when it can begin with their job: the jobs that are
    /// left without a pause, the shortest first. Returns the sum for all of them; `value` is what leaving
    /// one out adds to it.
    std::int64_t bound(const std::uint64_t* free, int left, Scratch& scratch) const {
        std::int64_t all = 0, shorter = 0;
        int rank = left;
        for (const int j : order)
            if (free[j / 64] >> j % 64 & 1) {
                const std::int64_t own = std::int64_t{rank} * last(j);
                all += own;
                scratch.value[j] = -own - shorter;
                shorter += last(j);
                rank--;
            }
        return all;
    }
};

}  // namespace prunus::PRUNUS_SET
