#include "flowshop/makespan_search.hpp"

#include "flowshop/makespan_node.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using flowshop::MakespanTree;

template <int Words>
using ShortOneMachine = OneMachineNode<std::int16_t, Words>;
template <int Words>
using ShortTwoMachine = TwoMachineNode<std::int16_t, Words>;

template <class T>
std::unique_ptr<treesearch::Search> make_long(const MakespanTree& tree, bool one_machine) {
    if (one_machine) return std::make_unique<IntervalSearch<OneMachineNode<T, 0>>>(tree);
    return std::make_unique<IntervalSearch<TwoMachineNode<T, 0>>>(tree);
}

/// A bound is at most the longest critical path through the first and the last jobs plus the work of
/// the jobs in between: one time for each job, the largest it has on any machine, and for each of the
/// two paths one more for each change of machine, at most the largest of all.
std::int64_t largest_bound(const MakespanTree& tree) {
    std::int64_t total = 0, largest = 0;
    for (int j = 0; j < tree.jobs; j++) {
        const std::int64_t* times = tree.times + static_cast<std::ptrdiff_t>(j) * tree.machines;
        const std::int64_t longest = *std::max_element(times, times + tree.machines);
        total += longest;
        largest = std::max(largest, longest);
    }
    return total + (2 * tree.machines + 1) * largest;
}

std::unique_ptr<treesearch::Search> make(const MakespanTree& tree) {
    const std::int64_t largest = largest_bound(tree);
    const bool one_machine = tree.bound == LB1 || tree.pairs == 0;
    if (largest > INT32_MAX) return make_long<std::int64_t>(tree, one_machine);
    if (largest > INT16_MAX) return make_long<std::int32_t>(tree, one_machine);
    if (one_machine) return search_of_items<ShortOneMachine>(tree.jobs, tree);
    return search_of_items<ShortTwoMachine>(tree.jobs, tree);
}

}  // namespace

const flowshop::MakespanKernels& kernels(const flowshop::MakespanKernels*) {
    static constexpr flowshop::MakespanKernels table{.make = make};
    return table;
}

}  // namespace prunus::PRUNUS_SET
