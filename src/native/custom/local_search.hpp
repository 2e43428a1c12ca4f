// Local search and simulated annealing of a user's problem.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "custom/problem.hpp"
#include "dispatch.hpp"

namespace prunus::custom {

/// Kinds of changes: two items are exchanged, one is moved, a part is reversed.
constexpr int change_kinds = 3;

/// What random changes did.
struct Changes {
    std::int64_t worse = 0;        // by how much they were worse in sum, of those that were feasible
    std::int64_t worse_count = 0;  // how many these were
    std::int64_t kept = 0;         // how many were kept though they were worse
    std::array<std::int64_t, change_kinds> tried{}, helped{};  // by their kind
};

/// Random changes of one solution.
class LocalSearch {
  public:
    explicit LocalSearch(const Problem& whose) : problem(whose), best_order(whose.radix.size()), order(best_order) {}
    virtual ~LocalSearch() = default;

    /// Tries some changes. Without a temperature what is not worse is kept, and several changes at
    /// once where single ones no longer help. With one, what is worse is kept as well, with the
    /// probability of simulated annealing.
    virtual void improve(std::int64_t trials, double temperature) = 0;

    /// Makes the best solution the present one.
    void again() {
        order = best_order;
        cost = best_cost;
        since = 0;
    }

    const Problem& problem;
    /// Has changes of each kind drawn so often.
    std::array<std::int64_t, change_kinds> weights{1, 1, 1};
    std::vector<std::int64_t> best_order, order;  // the best solution and the present one
    std::int64_t best_cost = infeasible, cost = infeasible;
    std::int64_t since = 0;  // for how many changes nothing has helped
    Changes changes;
};

struct LocalSearchKernels {
    std::unique_ptr<LocalSearch> (*make)(const Problem&, std::uint64_t seed);
};

}  // namespace prunus::custom

PRUNUS_KERNELS(custom::LocalSearchKernels)
