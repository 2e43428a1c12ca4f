// A node of a beam by makespan: some jobs are fixed at the head of the schedule, some at its tail.
//
// Children are fixed on the side where fewer are below the cutoff; where there are as many, on that
// with the larger bounds. A child is ordered by its one-machine bound B, made larger by idle time:
// B (1 + w I), I the sum over the machines of the share of idle time at head and tail (see
// prunus.flowshop.beam.guides). That grows with each machine that is passed, so a block of children
// is left as soon as none of them may be kept.
#pragma once

#include <bit>
#include <cmath>

#include "flowshop/beam.hpp"
#include "lanes.hpp"
#include "memory.hpp"
#include "treesearch/beam_search.hpp"

namespace prunus::PRUNUS_SET {

/// T holds the times of a child of any node below the cutoff.
template <class T>
class MakespanBeamNode {
  public:
    using Key = float;
    static constexpr bool leaves_early = true, merges = false, exact_keys = false;

    /// Of both sides, the machines of the tail from the last.
    struct Level {
        std::vector<T> free;                // 2 x machines a node: when a machine is free (at the root, the least)
        std::vector<T> work;                // the same: the work of head and tail
        std::vector<std::uint64_t> fixed;   // blocks a node: a bit a job
        std::vector<float> idle;            // 2 a node: the share of idle time, summed over the machines
        std::vector<std::uint8_t> at_tail;  // which side its children are fixed on
    };

    struct Scratch {
        Aligned<T> bounds;                       // 2 x columns: no less than the cutoff for what is no child
        std::vector<T> load;                     // machines: what comes after one is free, at least
        std::vector<float> free, done, least;    // machines
        std::vector<std::uint64_t> children[2];  // blocks
    };

    MakespanBeamNode(const flowshop::BeamInput& input, const float* fours, std::int64_t latest)
        : jobs(input.jobs),
          machines(input.machines),
          cutoff(static_cast<T>(input.cutoff)),
          weight(input.weight),
          scale(static_cast<float>(std::min(1.0, 0x1p30 / static_cast<double>(latest)))),
          emphasis(fours, fours + (machines + 3) / 4),
          processing(input.times, input.times + std::size_t(jobs) * machines),
          columns(jobs) {
        for (int j = 0; j < jobs; j++) columns[j] = j;
        for (int side = 0; side < 2; side++) {
            totals[side].assign(machines, 0);
            longest[side].assign(machines, 0);
            for (int j = 0; j < jobs; j++)
                for (int i = 0; i < machines; i++) {
                    totals[side][i] += time(side, j, i);
                    longest[side][i] = std::max(longest[side][i], scaled(time(side, j, i)));
                }
        }
        lay_out();
    }

    int levels() const { return jobs; }
    std::int64_t size(const Level& level) const { return std::ssize(level.at_tail); }

    Scratch scratch() const {
        Scratch made{.bounds = Aligned<T>(2 * columns.size()),
                     .load = std::vector<T>(machines),
                     .free = std::vector<float>(machines),
                     .done = std::vector<float>(machines),
                     .least = std::vector<float>(machines),
                     .children = {}};
        for (auto& side : made.children) side.resize(blocks());
        return made;
    }

    void resize(Level& level, std::int64_t nodes) const {
        level.free.resize(nodes * 2 * machines);
        level.work.resize(nodes * 2 * machines);
        level.fixed.resize(nodes * blocks());
        level.idle.resize(nodes * 2);
        level.at_tail.resize(nodes);
    }

    void root(Level& level) const {
        resize(level, 1);
        for (int side = 0; side < 2; side++)
            for (int i = 0; i < machines; i++) {
                // The least time that any job takes before.
                std::int64_t least = INT64_MAX;
                for (int j = 0; j < jobs; j++) {
                    std::int64_t before = 0;
                    for (int k = 0; k < i; k++) before += time(side, j, k);
                    least = std::min(least, before);
                }
                level.free[side * machines + i] = static_cast<T>(least);
                level.work[side * machines + i] = 0;
            }
        for (int b = 0; b < blocks(); b++) level.fixed[b] = padding(b);
        level.idle[0] = level.idle[1] = static_cast<float>(machines);
    }

    int begin_level(Level& level, int depth) {
        weight_now = static_cast<float>(weight * (jobs - depth - 1) / jobs);
        compact(level);
        return jobs - depth;
    }

    template <class Emit>
    std::int64_t rate(Level& level, std::int64_t node, const History&, Scratch& scratch, Key bar, Emit emit) const {
        const T* const free = &level.free[node * 2 * machines];
        const T* const work = &level.work[node * 2 * machines];
        const std::uint64_t* const fixed = &level.fixed[node * blocks()];
        std::int64_t count[2];
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < machines; i++) {
                const int at = side * machines + i, mirrored = (2 - side) * machines - 1 - i;
                scratch.load[i] = static_cast<T>(totals[side][i] - work[at] - work[mirrored] + free[mirrored]);
            }
            count[side] = bound(side, free + side * machines, fixed, scratch);
        }
        const int side = chosen_side(count, scratch);
        level.at_tail[node] = static_cast<std::uint8_t>(side);
        rate_side(side, level, node, scratch, bar, emit);
        return count[side];
    }

    void make(const Level& level, std::int64_t node, int child, Level& next, std::int64_t at, Scratch&) const {
        const int side = level.at_tail[node], job = columns[child], both = 2 * machines;
        std::copy_n(&level.free[node * both], both, &next.free[at * both]);
        std::copy_n(&level.work[node * both], both, &next.work[at * both]);
        std::copy_n(&level.fixed[node * blocks()], blocks(), &next.fixed[at * blocks()]);
        next.fixed[at * blocks() + child / block] |= std::uint64_t{1} << child % block;
        T* const free = &next.free[at * both + side * machines];
        T* const work = &next.work[at * both + side * machines];
        float idle = 0;
        T until = 0;
        for (int i = 0; i < machines; i++) {
            const T start = std::max(until, free[i]), takes = static_cast<T>(time(side, job, i));
            until = static_cast<T>(start + takes);
            idle += emphasis[i / 4] * ((scaled(start) + 1 - (scaled(work[i]) + 1)) / (scaled(until) + 1));
            free[i] = until;
            work[i] = static_cast<T>(work[i] + takes);
        }
        next.idle[at * 2 + side] = idle;
        next.idle[at * 2 + 1 - side] = level.idle[node * 2 + 1 - side];
    }

    /// A job, and whether it is at the tail.
    std::int32_t step(const Level& level, std::int64_t node, int child) const {
        return columns[child] * 2 + level.at_tail[node];
    }

    std::int64_t cost(const Level& level, std::int64_t node) const {
        const T* const free = &level.free[node * 2 * machines];
        std::int64_t makespan = 0;
        for (int i = 0; i < machines; i++)
            makespan = std::max(makespan, std::int64_t(free[i]) + std::int64_t(free[2 * machines - 1 - i]));
        return makespan;
    }

    std::vector<std::int32_t> solution(const std::vector<std::int32_t>& steps) const {
        std::vector<std::int32_t> schedule(jobs);
        int first = 0, last = jobs;
        for (const auto step : steps) schedule[step % 2 ? --last : first++] = step / 2;
        return schedule;
    }

  private:
    /// Jobs that stand side by side in the tables: a bit each in a word.
    static constexpr int block = 64;
    /// After so many fours of machines it is asked whether a block may have something to be kept.
    static constexpr int fours_between_checks = 2;
    /// Tables are made anew where only this part of their jobs is left.
    static constexpr double compact_share = 0.9;
    /// Sums are made in another order, and so are not quite the same.
    static constexpr float nearly = 1 + 1e-5f;
    static constexpr int registers = 4;
    template <class U>
    static constexpr int lanes = std::min<int>(block, registers* register_bytes / sizeof(U));
    using Times = Lanes<T, lanes<T>>;
    using Floats = Lanes<float, lanes<float>>;

    const int jobs, machines;
    const T cutoff;
    const double weight;
    float weight_now = 0;
    /// So small that products of four times are no larger than what 32 bits can hold.
    const float scale;
    const std::vector<float> emphasis;  // a number a four
    const std::vector<std::int64_t> processing;
    std::vector<T> totals[2];           // work of all jobs on each machine
    std::vector<float> longest[2];      // the longest on each, scaled
    std::vector<std::int32_t> columns;  // jobs that the tables have, in blocks; -1 behind the last
    Aligned<T> times;                   // side x block x machine x 64
    Aligned<float> lengths;             // the same, scaled

    int blocks() const { return static_cast<int>(columns.size()) / block; }
    std::int64_t time(int side, int job, int i) const {
        return processing[std::size_t(job) * machines + (side ? machines - 1 - i : i)];
    }
    float scaled(std::int64_t value) const { return static_cast<float>(value) * scale; }
    const auto* row(const auto& table, int side, int b) const {
        return table.data() + (std::size_t(side) * blocks() + b) * machines * block;
    }

    /// The places of a block that have no job.
    std::uint64_t padding(int b) const {
        std::uint64_t bits = 0;
        for (int k = 0; k < block; k++) bits |= std::uint64_t{columns[b * block + k] < 0} << k;
        return bits;
    }

    /// Makes the tables of the jobs in `columns`, which are filled up to whole blocks.
    void lay_out() {
        columns.resize((columns.size() + block - 1) / block * block, -1);
        times.assign(2 * columns.size() * machines, 0);
        lengths.assign(times.size(), 0);
        for (int side = 0; side < 2; side++)
            for (std::size_t c = 0; c < columns.size(); c++)
                for (int i = 0; i < machines && columns[c] >= 0; i++) {
                    const std::size_t at =
                        ((side * columns.size() + c / block * block) * machines) + i * block + c % block;
                    times[at] = static_cast<T>(time(side, columns[c], i));
                    lengths[at] = scaled(time(side, columns[c], i));
                }
    }

    /// Leaves out the jobs that are fixed in all nodes: they have most of theirs in common.
    void compact(Level& level) {
        const std::int64_t nodes = size(level);
        const int before = blocks();
        std::vector<std::uint64_t> all(before, ~std::uint64_t{0});
        for (std::int64_t k = 0; k < nodes; k++)
            for (int b = 0; b < before; b++) all[b] &= level.fixed[k * before + b];
        std::vector<int> left;
        for (int c = 0; c < before * block; c++)
            if (!(all[c / block] >> c % block & 1)) left.push_back(c);
        if ((left.size() + block - 1) / block * block > compact_share * columns.size()) return;
        std::vector<std::int32_t> jobs_left;
        for (const int c : left) jobs_left.push_back(columns[c]);
        columns = std::move(jobs_left);
        lay_out();
        std::vector<std::uint64_t> fixed(nodes * blocks());
        for (std::int64_t k = 0; k < nodes; k++) {
            for (int b = 0; b < blocks(); b++) fixed[k * blocks() + b] = padding(b);
            for (std::size_t c = 0; c < left.size(); c++) {
                const std::uint64_t bit = level.fixed[k * before + left[c] / block] >> left[c] % block & 1;
                fixed[k * blocks() + c / block] |= bit << c % block;
            }
        }
        level.fixed = std::move(fixed);
    }

    /// Bounds all jobs as the next ones of a side; returns how many are children below the cutoff.
    std::int64_t bound(int side, const T* free, const std::uint64_t* fixed, Scratch& scratch) const {
        std::int64_t count = 0;
        for (int b = 0; b < blocks(); b++) {
            T* const bounds = scratch.bounds.data() + (side * blocks() + b) * block;
            std::uint64_t below = 0;
            for (int j = 0; j < block; j += lanes<T>) {
                const T* takes = row(times, side, b) + j;
                Times until = Times::splat(0), most = Times::splat(0);
                for (int i = 0; i < machines; i++, takes += block) {
                    const Times start = max(until, Times::splat(free[i]));
                    most = max(most, start + Times::splat(scratch.load[i]));
                    until = start + Times::load(takes);
                }
                most.store(bounds + j);
                below |= less(most, Times::splat(cutoff)) << j;
            }
            below &= ~fixed[b];
            scratch.children[side][b] = below;
            count += std::popcount(below);
        }
        return count;
    }

    int chosen_side(const std::int64_t* count, const Scratch& scratch) const {
        if (count[0] != count[1]) return count[0] < count[1] ? 0 : 1;
        std::int64_t sums[2] = {};
        for (int side = 0; side < 2; side++)
            for (int b = 0; b < blocks(); b++)
                for (auto left = scratch.children[side][b]; left != 0; left &= left - 1)
                    sums[side] += scratch.bounds[(side * blocks() + b) * block + std::countr_zero(left)];
        return sums[0] >= sums[1] ? 0 : 1;
    }

    template <class Emit>
    void rate_side(int side, const Level& level, std::int64_t node, Scratch& scratch, Key bar, Emit emit) const {
        const T* const free = &level.free[node * 2 * machines + side * machines];
        const T* const work = &level.work[node * 2 * machines + side * machines];
        const float other = level.idle[node * 2 + 1 - side];
        // All times are one later: nothing is divided by zero.
        for (int i = 0; i < machines; i++) {
            scratch.free[i] = scaled(free[i]) + 1;
            scratch.done[i] = scaled(work[i]) + 1;
        }
        float rest = other;  // the least idle time from a machine on
        for (int i = machines - 1; i >= 0; i--) {
            const float share = (scratch.free[i] - scratch.done[i]) / (scratch.free[i] + longest[side][i]);
            scratch.least[i] = rest += emphasis[i / 4] * share;
        }
        for (int b = 0; b < blocks(); b++)
            for (int j = 0; j < block; j += lanes<float>) {
                std::uint64_t left = scratch.children[side][b] >> j;
                if constexpr (lanes<float> < block) left &= (std::uint64_t{1} << lanes<float>)-1;
                if (left == 0) continue;
                const T* const bounds = scratch.bounds.data() + (side * blocks() + b) * block + j;
                rate_lanes(Floats::from(bounds), row(lengths, side, b) + j, left, other, scratch, bar,
                           [&](int lane, Key key) { emit(b * block + j + lane, key); });
            }
    }

    /// Rates some jobs of a block, of which `children` are to be rated, with these bounds.
    template <class Emit>
    void rate_lanes(Floats bounds, const float* takes, std::uint64_t children, float other, const Scratch& scratch,
                    Key bar, Emit emit) const {
        const Floats weights = Floats::splat(weight_now) * bounds, limit = Floats::splat(bar * nearly);
        Floats until = Floats::splat(0), idle = Floats::splat(0);
        for (int first = 0; first < machines; first += 4) {
            if (first % (4 * fours_between_checks) == 0) {
                const Floats key = bounds + weights * (idle + Floats::splat(scratch.least[first]));
                if ((less(limit, key) & children) == children) return;
            }
            // Four fractions take one division.
            Floats above, below;
            for (int i = first; i < std::min(machines, first + 4); i++, takes += block) {
                const Floats start = max(until, Floats::splat(scratch.free[i]));
                const Floats waited = start - Floats::splat(scratch.done[i]);
                until = start + Floats::load(takes);
                above = i == first ? waited : above * until + waited * below;
                below = i == first ? until : below * until;
            }
            idle = idle + Floats::splat(emphasis[first / 4]) * (above / below);
        }
        const Floats key = bounds + weights * (idle + Floats::splat(other));
        alignas(64) float keys[lanes<float>];
        key.store(keys);
        for (auto left = children & ~less(Floats::splat(bar), key); left != 0; left &= left - 1) {
            const int lane = std::countr_zero(left);
            emit(lane, keys[lane]);
        }
    }
};

}  // namespace prunus::PRUNUS_SET
