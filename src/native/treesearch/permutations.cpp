#include "treesearch/permutations.hpp"

#include "treesearch/interval.hpp"

namespace prunus::PRUNUS_SET {
namespace {

/// Keeps every child; takes a direction that only the path and the number of calls decide. Like a
/// rule that depends on the incumbent it may choose otherwise when asked again: the directions
/// recorded in an interval are the only way to walk the same tree.
template <int Words>
class Permutations {
  public:
    using Bound = std::int32_t;
    static constexpr int words = Words, directions = 2;
    static constexpr bool counting = false, repeating = false;

    explicit Permutations(int items) : items_(items), state_(items + 1) {}

    int levels() const { return items_; }
    int items() const { return items_; }

    void descend(int level, int item, int direction) {
        state_[level + 1] = (state_[level] * 31 + item + 7 * direction) & 0xffff;
    }

    int branch(int level, ItemSet<Words> free, ItemSet<Words> waiting, Bound*, std::int64_t, int forced) {
        calls_++;
        waiting.copy(free);
        return forced >= 0 ? forced : (state_[level] + calls_) & 1;
    }

  private:
    int items_, calls_ = 0;
    std::vector<int> state_;
};

std::unique_ptr<treesearch::Search> make(int items) { return search_of_items<Permutations>(items, items); }

}  // namespace

const treesearch::PermutationKernels& kernels(const treesearch::PermutationKernels*) {
    static constexpr treesearch::PermutationKernels table{.make = make};
    return table;
}

}  // namespace prunus::PRUNUS_SET
