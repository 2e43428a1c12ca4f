// Iterated greedy: take a few jobs out, put each where it is best, descend, accept as annealing does.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dispatch.hpp"
#include "limits.hpp"

namespace prunus::flowshop {

enum class Objective { makespan, flowtime };

struct GreedyInput {
    Objective objective;
    const std::int64_t* times;  // machines a job
    int jobs, machines;
    const std::int64_t* schedule;  // the one that it begins with
    std::int64_t cost;             // and what that costs
    int removed;                   // jobs that are taken out in an iteration
    std::uint64_t seed;
};

/// A run that is continued in slices. What it finds depends on the input and on the iterations, not
/// on how they are divided.
class Greedy {
  public:
    explicit Greedy(const GreedyInput& input) { begin_again(input.schedule, input.jobs, input.cost); }
    virtual ~Greedy() = default;

    /// Does iterations, a unit of work each, until the best schedule costs no more than the target.
    /// One that is worse by `temperature` is accepted with probability 1/e.
    virtual void run(Limits&, std::int64_t target, double temperature) = 0;

    /// Goes on from a schedule that is better than the best so far.
    void begin_again(const std::int64_t* schedule, int jobs, std::int64_t cost) {
        current.assign(schedule, schedule + jobs);
        best = current;
        current_cost = best_cost = cost;
    }

    std::vector<std::int32_t> current, best;
    std::int64_t current_cost = 0, best_cost = 0, iterations = 0;
};

struct GreedyKernels {
    std::unique_ptr<Greedy> (*make)(const GreedyInput&);
};

}  // namespace prunus::flowshop

PRUNUS_KERNELS(flowshop::GreedyKernels)
