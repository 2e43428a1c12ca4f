// The nodes of a beam, from the first item to the last.
//
// A weak bound says little of what a node is good for. So a node may also be completed, with all other
// items in the order in which a known solution has them, and what that costs counts by a weight. Each
// completion is a solution as well (rollouts: Bertsekas, Tsitsiklis, Wu 1997).
//
// Two nodes with the same state and the same free items have the same below them, whatever the order
// in which their items were fixed: they merge.
#include "custom/beam.hpp"

#include "custom/path.hpp"
#include "treesearch/beam_search.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using custom::Problem;

class OwnBeamNode {
  public:
    using Key = std::int64_t;
    static constexpr bool leaves_early = false, merges = true, exact_keys = true;

    struct Level {
        std::vector<std::int64_t> state;
        std::vector<Word> free;  // a bit an item; nothing where items may repeat
        std::vector<std::uint64_t> print;
        std::vector<std::int64_t> cost;  // of leaves
    };

    struct Scratch {
        std::unique_ptr<Path> path;
        std::vector<std::int64_t> items;        // of a node's children
        std::vector<std::int64_t> costs, keys;  // of children, a number an item
        std::vector<std::int64_t> order;        // of a completion
        Completion best;
    };

    OwnBeamNode(const Problem& whose, const custom::BeamInput& input)
        : problem(whose),
          numbers(problem.numbers[custom::STATE]),
          words(problem.repeating ? 0 : words_for(problem.items())),
          cutoff(input.cutoff),
          weight(input.weight),
          known(input.order, input.order + (weight > 0 ? problem.levels() : 0)),
          choices(words_for(problem.items())),
          salts(numbers + words) {
        Random random{input.seed};
        for (auto& salt : salts) salt = random.next() | 1;
    }

    int levels() const { return problem.levels(); }
    std::int64_t size(const Level& level) const { return std::ssize(level.print); }

    Scratch scratch() const {
        return {.path = std::make_unique<Path>(problem),
                .items = {},
                .costs = std::vector<std::int64_t>(problem.items()),
                .keys = std::vector<std::int64_t>(problem.items()),
                .order = std::vector<std::int64_t>(problem.levels()),
                .best = {}};
    }

    void resize(Level& level, std::int64_t nodes) const {
        level.state.resize(nodes * numbers);
        level.free.resize(nodes * words);
        level.print.resize(nodes);
        level.cost.resize(nodes);
    }

    void root(Level& level) const {
        resize(level, 1);
        std::copy(problem.root.begin(), problem.root.end(), level.state.begin());
        if (words > 0) ItemSet<0>{level.free.data(), words}.fill(problem.items());
    }

    int begin_level(Level&, int at) {
        depth = at;
        ItemSet<0>{choices.data(), words_for(problem.items())}.fill(problem.radix[depth]);
        return problem.radix[depth];
    }

    template <class Emit>
    std::int64_t rate(Level& level, std::int64_t node, const History& history, Scratch& scratch, Key, Emit emit) const {
        Path& path = *scratch.path;
        path.set_state(depth, level.state.data() + node * numbers);
        const ItemSet<0> free = free_at(level, node);
        const int count = path.rate(problem.bound, depth, free, scratch.costs.data());
        scratch.items.assign(path.items(), path.items() + count);
        const bool inner = depth + 1 < levels();
        if (inner && problem.guide != nullptr)
            path.rate(problem.guide, depth, free, scratch.keys.data());
        else
            scratch.keys = scratch.costs;
        if (inner && weight > 0) add_completions(history, node, scratch);
        std::int64_t children = 0;
        for (const std::int64_t item : scratch.items) {
            if (scratch.costs[item] >= cutoff) continue;
            children++;
            emit(static_cast<int>(item), std::min(scratch.keys[item], custom::infeasible - 1));
        }
        return children;
    }

    void make(const Level& level, std::int64_t node, int item, Level& next, std::int64_t at, Scratch& scratch) const {
        Path& path = *scratch.path;
        path.set_state(depth, level.state.data() + node * numbers);
        if (depth + 1 == levels()) {
            scratch.order[depth] = item;
            next.cost[at] = path.walk(scratch.order.data(), depth, custom::infeasible);
        } else {
            path.descend(depth, item);
        }
        std::copy_n(path.state(depth + 1), numbers, next.state.data() + at * numbers);
        std::uint64_t mixture = 0;
        for (std::int64_t k = 0; k < numbers; k++)
            mixture += static_cast<std::uint64_t>(next.state[at * numbers + k]) * salts[k];
        Word* const free = next.free.data() + at * words;
        if (words > 0) {
            std::copy_n(level.free.data() + node * words, words, free);
            ItemSet<0>{free, words}.remove(item);
        }
        for (int w = 0; w < words; w++) mixture += free[w] * salts[numbers + w];
        next.print[at] = mixed(mixture);
    }

    std::uint64_t print(const Level& level, std::int64_t node) const { return level.print[node]; }

    bool same(const Level& level, std::int64_t a, std::int64_t b) const {
        const auto alike = [a, b](const auto& of, std::int64_t each) {
            return std::equal(of.begin() + a * each, of.begin() + (a + 1) * each, of.begin() + b * each);
        };
        return alike(level.state, numbers) && alike(level.free, words);
    }

    void keep(Level& level, const std::vector<std::uint32_t>& nodes) const {
        Level kept;
        resize(kept, std::ssize(nodes));
        for (std::size_t k = 0; k < nodes.size(); k++) {
            std::copy_n(level.state.begin() + nodes[k] * numbers, numbers, kept.state.begin() + k * numbers);
            std::copy_n(level.free.begin() + nodes[k] * std::int64_t{words}, words, kept.free.begin() + k * words);
            kept.print[k] = level.print[nodes[k]];
            kept.cost[k] = level.cost[nodes[k]];
        }
        level = std::move(kept);
    }

    std::int32_t step(const Level&, std::int64_t, int item) const { return item; }
    std::int64_t cost(const Level& level, std::int64_t node) const { return level.cost[node]; }
    std::vector<std::int32_t> solution(const std::vector<std::int32_t>& steps) const { return steps; }
    const Completion& completion(const Scratch& scratch) const { return scratch.best; }

  private:
    const Problem& problem;
    const std::int64_t numbers;  // numbers of a state
    const int words;
    const std::int64_t cutoff;
    const double weight;
    const std::vector<std::int64_t> known;  // the solution that completions follow
    int depth = 0;
    std::vector<Word> choices;  // the items of this level where they may repeat
    std::vector<std::uint64_t> salts;

    ItemSet<0> free_at(Level& level, std::int64_t node) const {
        if (words > 0) return {level.free.data() + node * words, words};
        return {const_cast<Word*>(choices.data()), static_cast<int>(choices.size())};
    }

    /// Adds to the keys of a node's children what their completions cost, by the weight.
    void add_completions(const History& history, std::int64_t node, Scratch& scratch) const {
        std::vector<std::int32_t> steps(levels());
        history.path(node, steps.data());
        std::vector<std::int64_t>& order = scratch.order;
        std::copy_n(steps.begin(), depth, order.begin());
        // The free items in the order of the known solution; each child has taken one away.
        std::vector<std::int64_t> rest(known.begin() + (problem.repeating ? depth : 0), known.end());
        if (!problem.repeating)
            std::erase_if(
                rest, [&](auto item) { return !std::binary_search(scratch.items.begin(), scratch.items.end(), item); });
        for (const std::int64_t item : scratch.items) {
            if (scratch.costs[item] >= cutoff) continue;
            order[depth] = item;
            if (problem.repeating)
                std::copy(rest.begin() + 1, rest.end(), order.begin() + depth + 1);
            else
                std::remove_copy(rest.begin(), rest.end(), order.begin() + depth + 1, item);
            scratch.path->descend(depth, static_cast<int>(item));
            const std::int64_t leaf = scratch.path->walk(order.data(), depth + 1, custom::infeasible);
            std::int64_t& key = scratch.keys[item];
            key += static_cast<std::int64_t>(weight * static_cast<double>(leaf - key));
            if (leaf >= cutoff || leaf > scratch.best.cost) continue;
            std::copy(order.begin(), order.end(), steps.begin());
            if (leaf == scratch.best.cost && !(steps < scratch.best.steps)) continue;
            scratch.best = {leaf, steps};
        }
    }
};

std::unique_ptr<treesearch::Beam> make(const Problem& problem, const custom::BeamInput& input) {
    return std::make_unique<BeamSearch<OwnBeamNode>>(
        OwnBeamNode(problem, input), BeamTuning{.piece_nodes = input.piece_nodes}, input.threads, input.seed);
}

}  // namespace

const custom::BeamKernels& kernels(const custom::BeamKernels*) {
    static constexpr custom::BeamKernels table{.make = make};
    return table;
}

}  // namespace prunus::PRUNUS_SET
