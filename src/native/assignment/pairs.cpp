#include "assignment/pairs.hpp"

#include <algorithm>

#include "assignment/list_matching.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using assignment::Matched;
using assignment::Pairs;
using assignment::PairSolve;

template <class P>
const P* benefits_of(const Pairs& pairs) {
    return static_cast<const P*>(pairs.benefits);
}

template <class F>
auto with_price(const Pairs& pairs, F&& use) {
    return pairs.whole ? use(std::int64_t{}) : use(double{});
}

template <class P>
class PairSolveOf final : public PairSolve {
  public:
    explicit PairSolveOf(const Pairs& pairs)
        : start_(pairs.start, pairs.start + pairs.rows + 1),
          column_(pairs.column, pairs.column + start_.back()),
          benefit_(benefits_of<P>(pairs), benefits_of<P>(pairs) + start_.back()),
          matching_(pairs.rows, pairs.columns),
          matcher_(matching_) {
        matching_.open();
        matcher_.begin({column_.data(), benefit_.data(), start_.data()}, pairs.rows == pairs.columns);
    }

    Matched match(Limits& limits) override {
        const auto found = static_cast<Matched>(matcher_.match(limits));
        bids = matcher_.bids;
        searches = matcher_.searches;
        second_looks = matcher_.second_looks;
        return found;
    }

    bool reducing() const override { return matcher_.bids_left > 0; }
    const void* prices() const override { return matching_.price.data(); }
    const std::int32_t* column() const override { return matching_.column.data(); }

  private:
    std::vector<std::int64_t> start_;
    std::vector<std::int32_t> column_;
    std::vector<P> benefit_;
    Matching<P> matching_;
    ListMatcher<P> matcher_;
};

std::unique_ptr<PairSolve> solve(const Pairs& pairs) {
    return with_price(
        pairs, [&]<class P>(P) -> std::unique_ptr<PairSolve> { return std::make_unique<PairSolveOf<P>>(pairs); });
}

void best_net_values(const Pairs& pairs, const void* prices, std::int64_t first, std::int64_t last, void* out) {
    with_price(pairs, [&]<class P>(P) {
        const auto *price = static_cast<const P*>(prices), *benefit = benefits_of<P>(pairs);
        for (std::int64_t i = first; i < last; i++) {
            P best = lowest<P>;
            for (std::int64_t q = pairs.start[i]; q < pairs.start[i + 1]; q++)
                best = std::max(best, benefit[q] - price[pairs.column[q]]);
            static_cast<P*>(out)[i] = best;
        }
    });
}

}  // namespace

const assignment::PairKernels& kernels(const assignment::PairKernels*) {
    static constexpr assignment::PairKernels table{.solve = solve, .best_net_values = best_net_values};
    return table;
}

}  // namespace prunus::PRUNUS_SET
