#include "atsp/path_search.hpp"

#include "both/path.hpp"
#include "treesearch/interval.hpp"

namespace prunus::PRUNUS_SET {
namespace {

template <class Length, int Words>
class Path {
  public:
    using Bound = Length;
    static constexpr int words = Words, directions = 1;
    static constexpr bool counting = false, repeating = false;

    Path(const std::int64_t* distances, int cities)
        : cities_(cities),
          distances_(distances, distances + static_cast<std::size_t>(cities) * cities),
          state_(cities) {}

    int levels() const { return cities_ - 1; }
    int items() const { return cities_ - 1; }

    void descend(int level, int item, int) {
        const auto [length, city] = state_[level];
        state_[level + 1] = {path_bound(length, distances_.data(), cities_, city, item + 1, false), item + 1};
    }

    int branch(int level, ItemSet<Words> free, ItemSet<Words> waiting, Length* bounds, std::int64_t cutoff, int) {
        const auto [length, city] = state_[level];
        waiting.clear();
        for (int w = 0; w < free.words(); w++)
            for (Word left = free.word[w]; left != 0; left &= left - 1) {
                const int item = 32 * w + std::countr_zero(left);
                bounds[item] = path_bound(length, distances_.data(), cities_, city, item + 1, level + 1 == levels());
                if (bounds[item] < cutoff) waiting.word[w] |= left & -left;
            }
        return 0;
    }

  private:
    struct State {
        Length length;
        int city;
    };
    int cities_;
    std::vector<Length> distances_;
    std::vector<State> state_;
};

template <int Words>
using ShortPath = Path<std::int32_t, Words>;

std::unique_ptr<treesearch::Search> make(const std::int64_t* distances, int cities) {
    std::int64_t longest = 0;
    for (int i = 0; i < cities; i++) longest += *std::max_element(distances + i * cities, distances + (i + 1) * cities);
    if (longest <= INT32_MAX) return search_of_items<ShortPath>(cities - 1, distances, cities);
    return std::make_unique<IntervalSearch<Path<std::int64_t, 0>>>(distances, cities);
}

}  // namespace

const atsp::PathKernels& kernels(const atsp::PathKernels*) {
    static constexpr atsp::PathKernels table{.make = make};
    return table;
}

}  // namespace prunus::PRUNUS_SET
