// The bound looks at one machine at a time (Bansal 1977; Ahmadi and Bagchi 1990; Chung, Flynn and
// Kirca 2002). From when the machine can begin with another job, the jobs that are left are processed
// there without a pause, the shortest first, which is the order with the least sum of completion
// times; after that each needs at least its times on all later machines. If r jobs are left and the
// k-th shortest takes p_k, that sum is r times the beginning, plus (r - k + 1) p_k for each k. Without
// one of the jobs it is less by that job's term and by the times of all that are shorter, so that one
// pass over the jobs in their order serves all children of a node.
//
// On cards (flowshop/flowtime/gpu/node.cuh) lanes are nodes and not children, with other tables.
#include "flowshop/flowtime_search.hpp"

#include <numeric>

#include "both/makespan.hpp"
#include "flowshop/extent.hpp"
#include "lanes.hpp"
#include "treesearch/interval.hpp"

namespace prunus::PRUNUS_SET {
namespace {

template <class T, int Words>
class FlowtimeNode {
  public:
    using Bound = T;
    using Set = ItemSet<Words>;
    static constexpr int words = Words, directions = 1;
    static constexpr bool counting = false, repeating = false;

    FlowtimeNode(const std::int64_t* times, int jobs, int machines)
        : jobs_(jobs),
          machines_(machines),
          lanes_(words_for(jobs) * block),
          times_(static_cast<std::size_t>(machines) * lanes_),
          order_(static_cast<std::size_t>(machines) * jobs),
          place_(static_cast<std::size_t>(machines) * jobs),
          state_(static_cast<std::size_t>(jobs + 1) * (machines + 1)),
          open_(jobs * machines, jobs),
          sums_(machines),
          less_(static_cast<std::size_t>(machines) * lanes_) {
        std::vector<int> shortest(jobs);
        for (int i = 0; i < machines; i++) {
            const auto time = [&](int job) { return static_cast<T>(times[job * machines + i]); };
            std::iota(shortest.begin(), shortest.end(), 0);
            std::stable_sort(shortest.begin(), shortest.end(), [&](int a, int b) { return time(a) < time(b); });
            for (int k = 0; k < jobs; k++) {
                const int job = shortest[k];
                times_[i * lanes_ + job] = time(job);
                place_[i * jobs + job] = k;
                const std::int64_t* row = times + static_cast<std::ptrdiff_t>(job) * machines;
                order_[i * jobs + k] = {job, time(job),
                                        static_cast<T>(std::accumulate(row + i + 1, row + machines, std::int64_t{0}))};
            }
            open_[i].fill(jobs);
        }
    }

    int levels() const { return jobs_; }
    int items() const { return jobs_; }

    void descend(int level, int job, int) {
        const T* from = &state_[level * (machines_ + 1)];
        T* to = &state_[(level + 1) * (machines_ + 1)];
        T time = 0;
        for (int i = 0; i < machines_; i++) to[i] = time = later(time, from[i]) + times_[i * lanes_ + job];
        to[machines_] = from[machines_] + time;
        if (level + 1 == jobs_) return;
        for (int i = 0; i < machines_; i++) {
            const Set open = open_[(level + 1) * machines_ + i];
            open.copy(open_[level * machines_ + i]);
            open.remove(place_[i * jobs_ + job]);
        }
    }

    int branch(int level, Set free, Set waiting, T* bounds, std::int64_t cutoff, int) {
        const T limit = static_cast<T>(std::clamp<std::int64_t>(cutoff, 0, std::numeric_limits<T>::max()));
        for (int i = 0; i < machines_; i++) sum_up(level, i);
        for (int w = 0; w < free.words(); w++)
            waiting.word[w] = free.word[w] == 0 ? 0 : free.word[w] & bound_block(level, w, bounds, limit);
        return 0;
    }

  private:
    static constexpr int block = 32;
    using Block = Lanes<T, block>;

    struct Job {
        int job;
        T time, tail;  // on the machine; on all later ones
    };
    /// Of a machine: what all jobs that are left add to the sum, if it begins at 0; the shortest of them.
    struct Sum {
        T total, shortest;
    };

    /// Walks the jobs that are left on a machine, the shortest first.
    void sum_up(int level, int machine) {
        const Job* order = &order_[machine * jobs_];
        T* less = &less_[machine * lanes_];
        const T left = static_cast<T>(jobs_ - level);
        T rank = left, total = 0, shorter = 0, shortest = 0;
        open_[level * machines_ + machine].visit([&](int k) {
            const auto [job, time, tail] = order[k];
            const T own = rank * time + tail;
            if (rank == left) shortest = time;
            total += own;
            less[job] = own + shorter;
            shorter += time;
            rank--;
            return true;
        });
        sums_[machine] = {total, shortest};
    }

    /// Bounds the children of a block of jobs: machine by machine, when the job is completed, when the
    /// next one can begin, and what completion times add up to from then on.
    Word bound_block(int level, int word, T* bounds, T limit) const {
        const T* front = &state_[level * (machines_ + 1)];
        const auto others = Block::splat(static_cast<T>(jobs_ - level - 1));
        auto time = Block::splat(0), begin = Block::splat(0), bound = Block::splat(0);
        T shortest_before = 0;
        for (int i = 0; i < machines_; i++) {
            const std::ptrdiff_t at = i * lanes_ + word * block;
            time = later(time, Block::splat(front[i])) + Block::load(&times_[at]);
            begin = later(begin + Block::splat(shortest_before), time);
            const auto sum = Block::splat(front[machines_] + sums_[i].total) - Block::load(&less_[at]);
            bound = later(bound, sum + others * begin);
            shortest_before = sums_[i].shortest;
        }
        bound = bound + time;
        bound.store(bounds + word * block);
        return static_cast<Word>(less(bound, Block::splat(limit)));
    }

    int jobs_, machines_, lanes_;
    Aligned<T> times_;        // machines x lanes
    std::vector<Job> order_;  // machines x jobs: the jobs on each machine, the shortest first
    std::vector<int> place_;  // machines x jobs: where a job stands there
    std::vector<T> state_;    // a level: when each machine is free, and the completion times added up
    SetRows<Words> open_;     // levels x machines: the places of the jobs that are left
    std::vector<Sum> sums_;
    Aligned<T> less_;  // machines x lanes: what the total is less by without a job
};

template <int Words>
using ShortFlowtime = FlowtimeNode<std::int32_t, Words>;

std::unique_ptr<treesearch::Search> make(const std::int64_t* times, int jobs, int machines) {
    const Wide largest = 4 * (jobs + machines) * Extent(times, jobs, machines).longest_schedule;
    if (largest <= INT32_MAX) return search_of_items<ShortFlowtime>(jobs, times, jobs, machines);
    return std::make_unique<IntervalSearch<FlowtimeNode<std::int64_t, 0>>>(times, jobs, machines);
}

}  // namespace

const flowshop::FlowtimeKernels& kernels(const flowshop::FlowtimeKernels*) {
    static constexpr flowshop::FlowtimeKernels table{.make = make};
    return table;
}

}  // namespace prunus::PRUNUS_SET
