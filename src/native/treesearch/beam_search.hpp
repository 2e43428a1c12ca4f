// Beam search over any node: a tree is gone through level by level, and of each level the best
// nodes are kept.
//
// A problem brings a class `Node` of the whole instance, with the guide, the cutoff and the tables
// of one beam:
//
//   Key                    float or int64: what children are ordered by, the least first
//   leaves_early           whether `rate` makes use of a key above which nothing is kept
//   merges                 whether children with the same below them are kept once; of equal keys
//                          those are kept that a seed says, else the first
//   exact_keys             whether on the last level keys are costs
//   Level, Scratch         the nodes of a level (arrays a field); what a thread writes to
//   int levels() const, children() const        at most so many children a node
//   Scratch scratch() const
//   void root(Level&), resize(Level&, n) const, n = size(Level) const
//   int begin_level(Level&, depth)              prepares rating; returns the children of a node
//   int64 rate(Level&, node, const History&, Scratch&, Key bar, emit) const
//                          calls emit(child, key) in the order of children for those below the
//                          cutoff, or for those of them with keys up to the bar; returns how many
//                          are below the cutoff. Writes no more of the level than that node.
//   void make(const Level&, node, child, Level& next, at, Scratch&) const
//   int32 step(const Level&, node, child) const               what a path is made of
//   int64 cost(const Level&, node) const                      of a leaf
//   vector<int32> solution(const vector<int32>& steps) const
// and if it merges
//   uint64 print(const Level&, node) const      the same where the same is below
//   bool same(const Level&, node, other) const
//   void keep(Level&, const vector<uint32>&) const            these nodes in this order
// and if rating meets leaves
//   const Completion& completion(const Scratch&) const        the best leaf of a thread
//
// Of a hundred children one is kept or none. Which may be, some nodes tell that are rated first, so
// that the others are left early; when it turns out to have been too few, the level is rated once
// more. So the same are kept as without.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>

#include "random.hpp"
#include "treesearch/beam.hpp"

namespace prunus::PRUNUS_SET {

/// How beams are cut into pieces, and what is rated first.
struct BeamTuning {
    int piece_nodes;           // rated in a piece
    int sampled = 8;           // one of so many nodes is rated before the others
    double sample_factor = 2;  // so many times as many are allowed for as their best ones let expect,
    int sample_least = 8;      // and so many more
    int least_room = 2048;     // a thread has room for so many children beside those that it keeps
};

/// A leaf that was met while rating, below the cutoff.
struct Completion {
    std::int64_t cost = INT64_MAX;
    std::vector<std::int32_t> steps;
};

/// What leads to each node of all levels.
class History {
  public:
    struct Step {
        std::uint32_t parent;
        std::int32_t step;
    };

    void add(std::vector<Step> level) { levels.push_back(std::move(level)); }

    /// Writes the steps to a node of the last level, from the root on.
    void path(std::int64_t node, std::int32_t* steps) const {
        for (std::size_t depth = levels.size(); depth-- > 0;) {
            steps[depth] = levels[depth][node].step;
            node = levels[depth][node].parent;
        }
    }

  private:
    std::vector<std::vector<Step>> levels;
};

template <class Node>
class BeamSearch final : public treesearch::Beam {
  public:
    BeamSearch(Node&& of, BeamTuning tuning, int threads, std::uint64_t seed)
        : node(std::move(of)), tuning(tuning), seed(seed), workers(threads) {
        for (auto& worker : workers) worker.scratch = node.scratch();
        levels = node.levels();
        node.root(level);
        nodes = 1;
    }

    void begin_level(std::int64_t kept) override {
        last = depth + 1 == levels;
        width = !last ? std::max<std::int64_t>(1, kept) : Node::exact_keys ? 1 : nodes;
        const std::int64_t children = node.begin_level(level, depth);
        evaluated += nodes * children;
        wanted = Node::merges ? width + width / 2 + 1 : width;
        children_of_node = children;
        rate_all();
    }

    std::int64_t advance() override {
        while (phase != Phase::none) {
            if (pieces > 1 && !taken) {
                taken = true;
                return pieces;
            }
            if (!taken)
                for (std::int64_t k = 0; k < pieces; k++) piece(k, 0);
            end_phase();
        }
        return 0;
    }

    void piece(std::int64_t number, int thread) override {
        if (number < 0 || number >= pieces || thread < 0 || thread >= std::ssize(workers)) return;
        Worker& worker = workers[thread];
        if (phase == Phase::make) {
            const std::int64_t end = std::min<std::int64_t>(chosen.size(), (number + 1) * made_together);
            for (std::int64_t k = number * made_together; k < end; k++)
                node.make(level, chosen[k].node, chosen[k].child, next, k, worker.scratch);
            return;
        }
        const std::int64_t first = number * tuning.piece_nodes;
        const std::int64_t end = std::min<std::int64_t>(phase_nodes, first + tuning.piece_nodes);
        const std::size_t room = wanted + wanted / 4 + std::max<std::int64_t>(wanted, tuning.least_room);
        for (std::int64_t k = first; k < end; k++) {
            const std::int64_t at = node_of(k);
            const auto emit = [&](int child, Key key) {
                worker.kept.push_back({key, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(child)});
            };
            worker.children += node.rate(level, at, history, worker.scratch, bar.load(std::memory_order_relaxed), emit);
            if (Node::leaves_early && worker.kept.size() > room) drop(worker);
        }
        rated += (end - first) * children_of_node;
    }

  private:
    using Key = typename Node::Key;
    enum class Phase { none, sample, others, all, make };
    static constexpr int made_together = 1024;
    static constexpr Key no_bar =
        std::numeric_limits<Key>::has_infinity ? std::numeric_limits<Key>::infinity() : std::numeric_limits<Key>::max();

    struct Candidate {
        Key key;
        std::uint32_t node, child;
    };

    struct Worker {
        typename Node::Scratch scratch;
        std::vector<Candidate> kept;
        std::int64_t children = 0;  // below the cutoff
    };

    Node node;
    const BeamTuning tuning;
    const std::uint64_t seed;
    std::vector<Worker> workers;
    typename Node::Level level, next;
    History history;
    std::vector<Candidate> chosen, scratch;
    std::vector<std::uint32_t> begins;
    int depth = 0;
    bool last = false, taken = false;
    Phase phase = Phase::none;
    std::int64_t width = 1, wanted = 1, children_below = 0, pieces = 0, phase_nodes = 0, sampled = 0,
                 children_of_node = 0;
    std::atomic<Key> bar{no_bar};

    void begin(Phase with) {
        phase = with;
        taken = false;
        phase_nodes = with == Phase::sample ? sampled : with == Phase::others ? nodes - sampled : nodes;
        const std::int64_t size = with == Phase::make ? made_together : tuning.piece_nodes;
        pieces = ((with == Phase::make ? std::ssize(chosen) : phase_nodes) + size - 1) / size;
    }

    std::int64_t node_of(std::int64_t k) const {
        const int step = tuning.sampled, middle = step / 2;
        if (phase == Phase::sample) return k * step + middle;
        if (phase == Phase::all) return k;
        const std::int64_t rest = k % (step - 1);
        return k / (step - 1) * step + rest + (rest >= middle);
    }

    /// Rates the children of all nodes anew, after some of them if they may say what is kept.
    void rate_all(bool after_some = Node::leaves_early) {
        bar = no_bar;
        for (auto& worker : workers) worker.kept.clear(), worker.children = 0;
        const int step = tuning.sampled;
        sampled = after_some ? (nodes + step - 1 - step / 2) / step : 0;
        begin(sampled > 0 ? Phase::sample : Phase::all);
    }

    bool before(const Candidate& a, const Candidate& b) const {
        if (a.key != b.key) return a.key < b.key;
        const std::uint64_t x = std::uint64_t{a.node} << 32 | a.child, y = std::uint64_t{b.node} << 32 | b.child;
        if constexpr (!Node::merges) return x < y;
        const std::uint64_t hash_a = mixed(x ^ seed), hash_b = mixed(y ^ seed);
        return hash_a < hash_b;
    }

    /// The candidate of a rank among those in `scratch`, which loses its order.
    Candidate ranked(std::int64_t rank) {
        const auto at = scratch.begin() + rank;
        std::nth_element(scratch.begin(), at, scratch.end(), [this](auto& a, auto& b) { return before(a, b); });
        return *at;
    }

    /// Keeps no more of a thread's candidates than are wanted.
    void drop(Worker& worker) {
        std::vector<Candidate> all = worker.kept;
        const auto less = [this](auto& a, auto& b) { return before(a, b); };
        std::nth_element(all.begin(), all.begin() + wanted - 1, all.end(), less);
        const Candidate worst = all[wanted - 1];
        std::erase_if(worker.kept, [&](auto& a) { return before(worst, a); });
        // What one thread has no use for, no other has.
        for (Key now = bar; worst.key < now && !bar.compare_exchange_weak(now, worst.key);) {
        }
    }

    /// Copies the candidates of all threads to `scratch`, and counts the children below the cutoff.
    void gather() {
        children_below = 0;
        scratch.clear();
        for (auto& worker : workers) {
            scratch.insert(scratch.end(), worker.kept.begin(), worker.kept.end());
            children_below += worker.children;
        }
    }

    void end_phase() {
        if (phase == Phase::sample) {
            gather();
            const auto place =
                static_cast<std::int64_t>(tuning.sample_factor * wanted * sampled / nodes) + tuning.sample_least;
            if (place < std::ssize(scratch)) {
                const Key worst = ranked(place).key;
                bar = std::min<Key>(bar, worst);
                for (auto& worker : workers) std::erase_if(worker.kept, [&](auto& a) { return a.key > worst; });
            }
            begin(Phase::others);
        } else if (phase == Phase::make) {
            bool dropped = std::ssize(chosen) < children_below;
            if constexpr (Node::merges)
                if (!merge(dropped)) return;
            complete = complete && (!dropped || (last && Node::exact_keys));
            end_level();
        } else {
            gather();
            if (std::ssize(scratch) < std::min(wanted, children_below))
                rate_all(false);
            else
                choose();
        }
    }

    /// Chooses the best candidates, in the order of their nodes, and has them made.
    void choose() {
        Candidate worst{no_bar, UINT32_MAX, UINT32_MAX};
        const bool some = wanted < std::ssize(scratch);
        if (some) worst = ranked(wanted - 1);
        begins.assign(nodes + 1, 0);
        const auto for_chosen = [&](auto&& body) {
            for (auto& worker : workers)
                for (auto& each : worker.kept)
                    if (!some || !before(worst, each)) body(each);
        };
        for_chosen([&](auto& each) { begins[each.node + 1]++; });
        for (std::int64_t k = 0; k < nodes; k++) begins[k + 1] += begins[k];
        chosen.resize(begins[nodes]);
        for_chosen([&](auto& each) { chosen[begins[each.node]++] = each; });
        node.resize(next, chosen.size());
        begin(Phase::make);
    }

    /// Keeps one of the new nodes that have the same below them; false if more have to be made. Says
    /// whether others were dropped, which it is told of children that were not made.
    bool merge(bool& dropped) {
        struct Order {
            Key key;
            std::uint64_t print;
            std::uint32_t at;
        };
        std::vector<Order> order(chosen.size());
        for (std::uint32_t k = 0; k < order.size(); k++) order[k] = {chosen[k].key, node.print(next, k), k};
        std::sort(order.begin(), order.end(), [](auto& a, auto& b) {
            return a.key != b.key ? a.key < b.key : a.print != b.print ? a.print < b.print : a.at < b.at;
        });
        const auto alike = [&](std::size_t k) {
            return k > 0 && order[k].key == order[k - 1].key && order[k].print == order[k - 1].print;
        };
        std::int64_t different = 0;
        for (std::size_t k = 0; k < order.size(); k++) different += !alike(k);
        if (dropped && different <= width) {
            wanted = std::min(4 * wanted, children_below);
            gather();
            if (std::ssize(scratch) < std::min(wanted, children_below))
                rate_all();
            else
                choose();
            return false;
        }
        std::vector<std::uint32_t> kept;
        std::vector<Candidate> from;
        std::int64_t seen = 0;
        std::size_t k = 0;
        for (; k < order.size(); k++) {
            // A fingerprint may be wrong once in 2^64 times: the nodes are compared.
            const bool is_new = !alike(k);
            if (is_new && seen++ == width) break;
            if (!is_new && node.same(next, order[k].at, order[k - 1].at)) continue;
            kept.push_back(order[k].at);
            from.push_back(chosen[order[k].at]);
        }
        dropped = dropped || k < order.size();
        node.keep(next, kept);
        chosen = std::move(from);
        return true;
    }

    void end_level() {
        std::vector<History::Step> steps(chosen.size());
        for (std::size_t k = 0; k < chosen.size(); k++)
            steps[k] = {chosen[k].node, node.step(level, chosen[k].node, chosen[k].child)};
        history.add(std::move(steps));
        std::swap(level, next);
        nodes = std::ssize(chosen);
        depth++;
        phase = Phase::none;
        pieces = 0;
        if (depth == levels || nodes == 0) end_beam();
    }

    void end_beam() {
        Completion best;
        if (nodes > 0) {
            std::int64_t leaf = 0;
            for (std::int64_t k = 1; k < nodes; k++)
                if (node.cost(level, k) < node.cost(level, leaf)) leaf = k;
            best.cost = node.cost(level, leaf);
            best.steps.resize(levels);
            history.path(leaf, best.steps.data());
        }
        if constexpr (requires { node.completion(workers[0].scratch); })
            for (const auto& worker : workers) {
                const Completion& other = node.completion(worker.scratch);
                if (other.cost < best.cost || (other.cost == best.cost && other.steps < best.steps)) best = other;
            }
        if (best.steps.empty()) return;
        cost = best.cost;
        solution = node.solution(best.steps);
    }
};

}  // namespace prunus::PRUNUS_SET
