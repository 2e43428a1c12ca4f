// LB2, the two-machine bound: Johnson's rule on 32 pairs of machines at once, a pair a lane.
//
// For machines u < v the jobs in between are delayed by `lag`, the sum of their times strictly
// between u and v; Johnson's order of the (p_u + lag, lag + p_v) is best for the pair (Lageweg,
// Lenstra, Rinnooy Kan 1978). Walking a pair's order takes
//
//     first += p_u;  second = max(second, first + lag) + p_v
//
// for each job not yet scheduled. With ahead = second - first that is
//
//     ahead = max(ahead + (p_v - p_u), lag + p_v)
//
// and where `first` ends is known beforehand: when u is free, plus the work left there. So a step is
// one sum and one maximum, for 32 pairs. (On cards the lanes are children and `first` is walked as
// well, see flowshop/gpu/johnson.cuh.) What machine u alone gives is LB1 and bounded before.
//
// Johnson's orders differ from pair to pair: the i-th rows of a block of pairs hold the i-th steps of
// 32 orders, and a word says which lanes take part, because the job there is not yet scheduled. A
// pair is judged by how often it prunes; the better it does, the earlier its block is tried.
#pragma once

#include <bit>
#include <utility>

#include "flowshop/makespan_rows.hpp"
#include "treesearch/item_sets.hpp"

namespace prunus::PRUNUS_SET {

template <class T>
class MachinePairs {
  public:
    explicit MachinePairs(const flowshop::MakespanTree& tree)
        : jobs_(tree.jobs),
          blocks_(padded(tree.pairs) / block),
          words_((tree.jobs + 15) / 16 * 16),
          pairs_(blocks_),
          steps_(static_cast<std::size_t>(blocks_) * jobs_),
          places_(static_cast<std::size_t>(jobs_) * blocks_ * words_),
          open_(static_cast<std::size_t>(jobs_ + 1) * blocks_ * words_) {
        for (int pair = 0; pair < tree.pairs; pair++) {
            const int b = pair / block, lane = pair % block;
            pairs_[b].u[lane] = static_cast<T>(tree.ends[2 * pair]);
            pairs_[b].v[lane] = static_cast<T>(tree.ends[2 * pair + 1]);
            for (int i = 0; i < jobs_; i++) {
                const std::int64_t* step = tree.steps + (static_cast<std::ptrdiff_t>(pair) * jobs_ + i) * 4;
                steps_[b * jobs_ + i].gain[lane] = static_cast<T>(step[3] - step[1]);
                steps_[b * jobs_ + i].least[lane] = static_cast<T>(step[2] + step[3]);
                places(static_cast<int>(step[0]))[b * words_ + i] |= Word{1} << lane;
                open(0)[b * words_ + i] |= Word{1} << lane;
            }
        }
    }

    /// Writes which steps are open at the next level, where a job is scheduled.
    void descend(int level, int job) {
        const int count = blocks_ * words_;
        const Word* __restrict__ from = open(level), * __restrict__ without = places(job);
        Word* __restrict__ to = open(level + 1);
        for (int i = 0; i < count; i++) to[i] = from[i] & ~without[i];
    }

    /// The bound of the node whose state stands in a level's rows, or `limit` if it is not below.
    T bound(MakespanRows<T>& rows, int level, T limit) {
        auto best = Block<T>::splat(0);
        for (int b = 0; b < blocks_; b++) {
            const auto found =
                rows.width() == block ? bound_block<block>(rows, level, b) : bound_block<0>(rows, level, b);
            const Word below = static_cast<Word>(less(found, Block<T>::splat(limit)));
            if (below != ~Word{0}) {
                const int lane = std::countr_zero(~below);
                pairs_[b].hits[lane]++;
                if (b > 0) pruned_block_ = b, pruned_lane_ = lane;
                return limit;
            }
            best = max(best, found);
        }
        return running_max<false>(best).lane(block - 1);
    }

    /// Lets the pair that last pruned in a later block change places with the worst one of the block
    /// before, if that has pruned less often. Open steps are right down to a level afterwards.
    void learn(int level) {
        if (pruned_block_ == 0) return;
        Pairs &behind = pairs_[pruned_block_], &before = pairs_[pruned_block_ - 1];
        const int b = std::exchange(pruned_block_, 0), lane = pruned_lane_;
        const int worst = static_cast<int>(std::min_element(before.hits, before.hits + block) - before.hits);
        if (before.hits[worst] >= behind.hits[lane]) return;
        std::swap(before.hits[worst], behind.hits[lane]);
        std::swap(before.u[worst], behind.u[lane]);
        std::swap(before.v[worst], behind.v[lane]);
        for (int i = 0; i < jobs_; i++) {
            Step &step = steps_[b * jobs_ + i], &other = steps_[(b - 1) * jobs_ + i];
            std::swap(step.gain[lane], other.gain[worst]);
            std::swap(step.least[lane], other.least[worst]);
        }
        for (int job = 0; job < jobs_; job++) swap_bits(places(job), b, lane, worst);
        for (int row = 0; row <= level; row++) swap_bits(open(row), b, lane, worst);
    }

  private:
    struct Pairs {
        T u[block], v[block];
        std::int64_t hits[block];  // how many children each pair has pruned, as far as counted
    };
    struct Step {
        T gain[block], least[block];  // p_v - p_u and lag + p_v
    };

    Word* places(int job) { return places_.data() + static_cast<std::ptrdiff_t>(job) * blocks_ * words_; }
    Word* open(int level) { return open_.data() + static_cast<std::ptrdiff_t>(level) * blocks_ * words_; }

    /// `Width` is that of the rows where the compiler is to know it, else 0.
    template <int Width>
    Block<T> bound_block(MakespanRows<T>& rows, int level, int b) {
        const auto u = Block<T>::load(pairs_[b].u), v = Block<T>::load(pairs_[b].v);
        const auto at = [&](const T* row, Block<T> machines) { return machines.gathered(row, Width); };
        auto ahead = at(rows.front(level), v) - at(rows.front(level), u);
        const Step* steps = steps_.data() + static_cast<std::ptrdiff_t>(b) * jobs_;
        const Word* lanes = open(level) + b * words_;
        const int jobs = jobs_;
#pragma GCC unroll 4
        for (int i = 0; i < jobs; i++) {
            const auto next = max(ahead + Block<T>::load(steps[i].gain), Block<T>::load(steps[i].least));
            ahead = Block<T>::where(lanes[i], next, ahead);
        }
        return ahead + at(rows.back_load(level), u) + at(rows.back(level), v);
    }

    /// Lets bit `lane` of a block's words and bit `worst` of the block before change places.
    void swap_bits(Word* row, int b, int lane, int worst) const {
        for (int i = b * words_; i < (b + 1) * words_; i++) {
            const Word differ = (row[i] >> lane ^ row[i - words_] >> worst) & 1;
            row[i] ^= differ << lane;
            row[i - words_] ^= differ << worst;
        }
    }

    int jobs_, blocks_, words_;  // words of a block, padded to cache lines
    Aligned<Pairs> pairs_;
    Aligned<Step> steps_;   // blocks x jobs
    Aligned<Word> places_;  // jobs x blocks x words: the pairs in whose order the job is the i-th
    Aligned<Word> open_;    // the same a level: the pairs whose i-th job is not yet scheduled
    int pruned_block_ = 0, pruned_lane_ = 0;
};

}  // namespace prunus::PRUNUS_SET
