#include "custom/search.hpp"

#include "custom/path.hpp"
#include "treesearch/interval.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using custom::Problem;

/// A node of a user's tree for `IntervalSearch`.
template <int Words, bool Counting, bool Repeating>
class OwnNode {
  public:
    using Bound = std::int64_t;
    static constexpr int words = Words, directions = 1;
    static constexpr bool counting = Counting, repeating = Repeating;

    explicit OwnNode(const Problem& problem) : problem_(problem), path_(problem) {}

    int levels() const { return problem_.levels(); }
    int items() const { return problem_.items(); }
    int children(int level) const { return problem_.radix[level]; }
    void descend(int level, int item, int) { path_.descend(level, item); }

    int branch(int level, ItemSet<Words> free, ItemSet<Words> waiting, Bound* bounds, std::int64_t cutoff, int) {
        path_.rate(problem_.bound, level, free, bounds);
        for (int w = 0; w < waiting.words(); w++) {
            Word kept = 0;
            for (Word left = free.word[w]; left != 0; left &= left - 1)
                kept |= bounds[32 * w + std::countr_zero(left)] < cutoff ? left & -left : 0;
            waiting.word[w] = kept;
        }
        return 0;
    }

  private:
    const Problem& problem_;
    Path path_;
};

template <int Words>
using Best = OwnNode<Words, false, false>;
template <int Words>
using Count = OwnNode<Words, true, false>;
template <int Words>
using BestArray = OwnNode<Words, false, true>;
template <int Words>
using CountArrays = OwnNode<Words, true, true>;

std::unique_ptr<treesearch::Search> make(const Problem& problem) {
    const int items = problem.items();
    if (problem.repeating)
        return problem.counting ? search_of_items<CountArrays>(items, problem)
                                : search_of_items<BestArray>(items, problem);
    return problem.counting ? search_of_items<Count>(items, problem) : search_of_items<Best>(items, problem);
}

/// The free items of one path, made level by level.
class FreeItems {
  public:
    explicit FreeItems(const Problem& problem) : problem_(problem), rows_(1, problem.items()) {
        rows_[0].fill(problem.radix[0]);
    }

    ItemSet<0> set() const { return rows_[0]; }

    /// Goes to the child that fixes an item at a level.
    void fix(int level, int item) {
        if (!problem_.repeating)
            set().remove(item);
        else if (level + 1 < problem_.levels())
            set().fill(problem_.radix[level + 1]);
    }

  private:
    const Problem& problem_;
    SetRows<0> rows_;
};

std::int64_t dive(const Problem& problem, std::int64_t* order) {
    Path path(problem);
    FreeItems free(problem);
    std::vector<std::int64_t> costs(problem.items());
    std::int64_t least = custom::infeasible;
    for (int level = 0; level < problem.levels(); level++) {
        const int count = path.rate(problem.bound, level, free.set(), costs.data());
        const std::int64_t* const items = path.items();
        const auto cheaper = [&](std::int64_t a, std::int64_t b) { return costs[a] < costs[b]; };
        const auto best = static_cast<int>(*std::min_element(items, items + count, cheaper));
        least = costs[best];
        if (least >= custom::infeasible) return custom::infeasible;
        order[level] = best;
        path.descend(level, best);
        free.fix(level, best);
    }
    return least;
}

void trace(const Problem& problem, const std::int64_t* order, int depth, std::int64_t* states, std::int64_t* costs) {
    Path path(problem);
    FreeItems free(problem);
    std::vector<std::int64_t> ratings(problem.items());
    for (int level = 0; level < depth; level++) {
        const auto item = static_cast<int>(order[level]);
        path.rate(problem.bound, level, free.set(), ratings.data());
        costs[level] = ratings[item];
        path.descend(level, item);
        states = std::copy_n(path.state(level + 1), problem.root.size(), states);
        free.fix(level, item);
    }
}

}  // namespace

const custom::SearchKernels& kernels(const custom::SearchKernels*) {
    static constexpr custom::SearchKernels table{.make = make, .dive = dive, .trace = trace};
    return table;
}

}  // namespace prunus::PRUNUS_SET
