// Nothing is known of a user's problem but its tree, so a solution is evaluated by walking down to it;
// a changed one from the first changed place on.
#include "custom/local_search.hpp"

#include "custom/path.hpp"
#include "random.hpp"

namespace prunus::PRUNUS_SET {
namespace {

constexpr int kick_changes = 3;                             // at once, where single ones no longer help
constexpr std::int64_t most_worse = std::int64_t{1} << 40;  // so that sums do not overflow

class Search final : public custom::LocalSearch {
  public:
    Search(const custom::Problem& whose, std::uint64_t seed) : LocalSearch(whose), path_(whose), random_{seed} {}

    void improve(std::int64_t trials, double temperature) override {
        const auto length = static_cast<std::int64_t>(order.size());
        const bool constrained = problem.constrained;
        std::int64_t known = 0;  // down to this level the states are those of the present solution
        for (std::int64_t i = 0; i < trials; i++) {
            const bool kicked = temperature == 0 && since > length * length;
            trial_ = kicked ? best_order : order;
            Change change = alter();
            if (kicked) {
                for (int more = 1; more < kick_changes; more++) alter();
                change.first = known = since = 0;
            }
            std::int64_t limit = kicked ? custom::infeasible : cost + 1;
            // A change may be worse by the temperature times an exponential random number.
            if (temperature > 0) limit += static_cast<std::int64_t>(temperature * random_.exponential());
            const std::int64_t begin = std::min(change.first, known);
            const std::int64_t value = path_.walk(trial_.data(), static_cast<int>(begin), limit);
            const std::int64_t worse = value - cost;
            since = worse >= 0 ? since + 1 : 0;
            if (!kicked) note(change.kind, worse, value);
            // A walk that looks at constraints may end early.
            known = constrained ? begin : change.first;
            if (value >= limit) continue;
            known = length;
            if (temperature > 0 && worse > 0) changes.kept++;
            cost = value;
            order.swap(trial_);
            if (value < best_cost) {
                best_cost = value;
                best_order = order;
            }
        }
    }

  private:
    struct Change {
        std::int64_t first;  // place
        int kind;
    };

    /// Changes the trial at random. Where items may repeat, one place gets another value.
    Change alter() {
        const auto length = static_cast<std::int64_t>(trial_.size());
        const std::int64_t i = random_.below(length), j = random_.below(length);
        const auto at = trial_.begin();
        if (problem.repeating) {
            at[i] = random_.below(problem.radix[i]);
            return {i, 0};
        }
        int kind = 0;
        for (std::int64_t drawn = random_.below(weights[0] + weights[1] + weights[2]); drawn >= weights[kind]; kind++)
            drawn -= weights[kind];
        const auto [low, high] = std::minmax(i, j);
        if (kind == 0)
            std::swap(at[i], at[j]);
        else if (kind == 1 && i < j)
            std::rotate(at + i, at + i + 1, at + j + 1);
        else if (kind == 1)
            std::rotate(at + j, at + i, at + i + 1);
        else
            std::reverse(at + low, at + high + 1);
        return {low, kind};
    }

    void note(int kind, std::int64_t worse, std::int64_t value) {
        changes.tried[kind]++;
        if (worse < 0) {
            changes.helped[kind]++;
        } else if (value < custom::infeasible) {
            changes.worse += std::min(worse, most_worse);
            changes.worse_count++;
        }
    }

    Path path_;
    Random random_;
    std::vector<std::int64_t> trial_;
};

std::unique_ptr<custom::LocalSearch> make(const custom::Problem& problem, std::uint64_t seed) {
    return std::make_unique<Search>(problem, seed);
}

}  // namespace

const custom::LocalSearchKernels& kernels(const custom::LocalSearchKernels*) {
    static constexpr custom::LocalSearchKernels table{.make = make};
    return table;
}

}  // namespace prunus::PRUNUS_SET
