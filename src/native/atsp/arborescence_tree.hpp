// A node of the branch and bound: its bound, and the arc on which it is divided.
//
// A node is the set of arcs that are left, a bit each, and a price for each city. Its children have
// one arc less, or that arc and none that no tour has beside it. The arc is the one that raises both
// children's bounds most, of those that the last 1-arborescences had about half of the time, as tried
// by a few steps of ascent for each child (strong branching: Applegate, Bixby, Chvátal, Cook 1995,
// Finding cuts in the TSP, DIMACS report 95-05). A child that proves to hold nothing decides the arc
// at once.
#pragma once

#include "atsp/ascent.hpp"
#include "atsp/forced_arcs.hpp"
#include "atsp/tours.hpp"
#include "treesearch/best_first.hpp"

namespace prunus::PRUNUS_SET {

class ArborescenceTree {
  public:
    ArborescenceTree(Instance&& whole, std::vector<std::int64_t> lengths, const atsp::Units& units)
        : whole_(std::move(whole)),
          lengths_(std::move(lengths)),
          units_{units.shift},
          aim_(units.aim),
          graph_(cities(), lengths_.size()),
          trial_(cities(), lengths_.size()),
          price_(cities()),
          tried_price_(cities()),
          stepping_(cities(), lengths_.size()),
          chains_(cities()),
          leaving_(cities()),
          following_(cities()) {}

    int words() const { return whole_.masks() + cities(); }
    int rows() const { return 4; }
    int solution() const { return cities(); }

    int branch(const treesearch::OpenNode& node, std::int64_t cutoff, const Limits& limits, Child* children,
               std::int64_t* found) {
        cutoff_ = cutoff;
        target_ = units_.bound(cutoff);
        found_ = found;
        load(node.words);
        std::int64_t least = node.bound, value;
        for (int steps = node_steps;; steps = node_steps / 2) {
            const int m = graph_.arcs();
            if (!chains_.tighten(graph_)) return 0;
            value = ascend(graph_, price_, steps, limits);
            if (value >= target_) return 0;
            least = std::max(least, units_.length(value));
            if (graph_.arcs() > steady_share * m || treesearch::hurried(limits)) break;
        }
        if (!chains_.tighten(graph_)) return 0;
        double best = -1.0;
        int since = 0;
        choose_candidates();
        for (const Candidate& candidate : candidates_) {
            const int at = place_of(candidate.arc);
            if (at < 0) continue;
            double rise = 1.0;
            Child* alive = nullptr;
            int sides = 0;
            for (const bool included : {false, true}) {
                const std::int64_t side = try_side(at, included, limits);
                if (side >= target_) continue;
                sides++;
                alive = &children[2 + included];
                store(trial_, tried_price_, alive->words);
                alive->bound = std::max(least, units_.length(side));
                rise *= std::max(1e-6, static_cast<double>(side - value) / std::max(1.0, static_cast<double>(aim_)));
            }
            if (sides == 0) return 0;
            if (sides == 1) {
                // The arc is decided: go on with what is left.
                load(alive->words);
                least = alive->bound;
                for (int c = 0; best >= 0 && c < 2; c++) {
                    children[c].bound = std::max(least, children[c].bound);
                    for (int w = 0; w < whole_.masks(); w++) children[c].words[w] &= alive->words[w];
                }
                continue;
            }
            since++;
            if (rise > best) {
                best = rise;
                since = 0;
                std::swap(children[0], children[2]);
                std::swap(children[1], children[3]);
            }
            if (since >= most_trials_without_gain || treesearch::hurried(limits)) break;
        }
        if (best >= 0) return 2;
        if (!chains_.tighten(graph_)) return 0;
        choose_candidates();
        if (candidates_.empty()) {
            // One tour is left, and one step is enough to see it.
            ascend(graph_, price_, 1, limits);
            return 0;
        }
        store(graph_, price_, children[0].words);
        children[0].bound = least;
        return 1;
    }

  private:
    static constexpr int node_steps = 30;   // of ascent at a node,
    static constexpr int trial_steps = 20;  // and for a child that is tried
    static constexpr double step_length = 0.5;
    static constexpr int patience = 5;
    static constexpr int most_trials_without_gain = 60;
    static constexpr double steady_share = 0.95;  // a node that has kept this part of its arcs is not bounded again
    static constexpr double least_share = 0.02;   // an arc chosen in fewer of the last steps, or missing in fewer,
                                                  // is no candidate
    static constexpr std::size_t most_candidates = 60;

    struct Candidate {
        double score;
        int arc;  // its number
    };

    int cities() const { return whole_.graph.cities(); }

    void load(const std::int64_t* words) {
        whole_.load(words, graph_);
        std::memcpy(price_.data(), words + whole_.masks(), sizeof *words * cities());
    }

    void store(const Graph& graph, const std::vector<std::int64_t>& price, std::int64_t* words) const {
        whole_.store(graph, words);
        std::memcpy(words + whole_.masks(), price.data(), sizeof *words * cities());
    }

    /// Raises a bound by some steps; returns it. A tour that is met is noted.
    std::int64_t ascend(Graph& graph, std::vector<std::int64_t>& price, int steps, const Limits& limits) {
        const auto [bound, tour] =
            stepping_.ascend(graph, price, target_, aim_, {steps, step_length, patience}, limits);
        if (tour) note_tour(graph);
        return bound;
    }

    void note_tour(const Graph& graph) {
        std::int64_t length = 0;
        for (int v = 0; v < cities(); v++) {
            const Arc& arc = graph.arc[stepping_.arborescence.into[v]];
            length += lengths_[arc.number];
            following_[arc.tail] = v;
        }
        if (length >= cutoff_) return;
        cutoff_ = length;
        target_ = units_.bound(length);
        record_tour(following_, length, found_);
    }

    /// Bounds a child, in `trial_`, without an arc or with it, which is at a place of the node's.
    std::int64_t try_side(int at, bool included, const Limits& limits) {
        trial_.copy(graph_);
        const int n = cities(), i = graph_.arc[at].tail, j = whole_.head[graph_.arc[at].number];
        trial_.filter([&](int p, int head) {
            if (!included || p == at) return included == (p == at);
            const int tail = trial_.arc[p].tail;
            return tail != i && head != j && !(tail == j && head == i && n > 2);
        });
        tried_price_ = price_;
        if (!chains_.tighten(trial_)) return impossible;
        return ascend(trial_, tried_price_, trial_steps, limits);
    }

    bool only_one_into(const Graph& graph, int head) const { return graph.begin[head + 1] - graph.begin[head] == 1; }

    /// The place of an arc that is left and not forced, else -1.
    int place_of(int number) const {
        const int head = whole_.head[number];
        int at = -1, others = 0;
        for (int p = graph_.begin[head]; p < graph_.begin[head + 1]; p++)
            if (graph_.arc[p].number == number) at = p;
        if (at < 0 || only_one_into(graph_, head)) return -1;
        for (int p = 0; p < graph_.arcs(); p++) others += graph_.arc[p].tail == graph_.arc[at].tail;
        return others > 1 ? at : -1;
    }

    /// Lists the free arcs that the last 1-arborescences had about half of the time, best one first;
    /// if there are none, some free arc.
    void choose_candidates() {
        const int n = cities();
        double total = 0;
        int spare = -1;
        candidates_.clear();
        std::ranges::fill(leaving_, 0);
        for (int p = 0; p < graph_.arcs(); p++) {
            leaving_[graph_.arc[p].tail]++;
            total += stepping_.frequency[graph_.arc[p].number];
        }
        for (int v = 0; v < n; v++) {
            if (only_one_into(graph_, v)) continue;
            for (int p = graph_.begin[v]; p < graph_.begin[v + 1]; p++) {
                const Arc& arc = graph_.arc[p];
                if (leaving_[arc.tail] == 1) continue;
                spare = arc.number;
                const double part = stepping_.frequency[arc.number] * n / std::max(total, 1e-300);
                const double score = std::min(part, 1 - part);
                const bool full = candidates_.size() == most_candidates;
                if (score < least_share || (full && score <= candidates_.back().score)) continue;
                if (full) candidates_.pop_back();
                const auto worse = std::ranges::find_if(candidates_, [&](const auto& c) { return c.score < score; });
                candidates_.insert(worse, {score, arc.number});
            }
        }
        if (candidates_.empty() && spare >= 0) candidates_.push_back({0, spare});
    }

    Instance whole_;  // with costs in units, rounded down
    std::vector<std::int64_t> lengths_;
    UnitsOfLength units_;
    std::int64_t aim_;
    Graph graph_;
    Graph trial_;  // of a child
    std::vector<std::int64_t> price_, tried_price_;
    Stepping stepping_;
    Chains chains_;
    std::vector<Candidate> candidates_;
    std::vector<std::int32_t> leaving_;     // the arcs out of each city
    std::vector<std::int32_t> following_;   // of a tour
    std::int64_t cutoff_ = 0, target_ = 0;  // of the node under way: what is below is better, in lengths and units
    std::int64_t* found_ = nullptr;
};

}  // namespace prunus::PRUNUS_SET
