// A node of the branch and bound: its assignment, and the cycle that is split.
//
// A tour lacks at least one arc of every cycle of the assignment. One cycle is split: each child
// lacks one of its arcs that are not forced and has those before it (Carpaneto, Toth 1980, Some new
// branching and bounding criteria for the asymmetric travelling salesman problem, Management Science
// 26, 736-743). First come those without which the bound rises most, so that the arcs that every
// better tour has come before all others, and are forced in them. A child is bounded at once, by one
// augmenting path, and becomes a node only if its bound is below the best tour.
//
// What a cycle is worth is tried: without each of its arcs the bound rises by so much, and the
// subtree is the smaller for it. Of the cycles with few arcs the one with the smallest children is
// split.
//
// A node's words: a bit for each arc that is left, the price for entering each city, half a word for
// each city's next one. The prices for leaving follow.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "atsp/cycles.hpp"
#include "atsp/forced_arcs.hpp"
#include "atsp/tours.hpp"
#include "treesearch/best_first.hpp"

namespace prunus::PRUNUS_SET {

class AssignmentTree {
  public:
    AssignmentTree(Instance&& whole, std::int64_t cap, int children)
        : whole_(std::move(whole)),
          cap_(cap),
          children_(children),
          graph_(whole_.graph.cities(), whole_.head.size()),
          chains_(cities()),
          matching_(cities()),
          trial_(cities()),
          paths_(cities()),
          cycles_(cities()),
          tour_(cities()),
          back_(cities()),
          free_(cities()),
          rise_(cities()) {}

    int words() const { return whole_.masks() + cities() + (cities() + 1) / 2; }
    int rows() const { return children_; }
    int solution() const { return cities(); }

    int branch(const treesearch::OpenNode& node, std::int64_t cutoff, const Limits&, Child* children,
               std::int64_t* found) {
        cutoff = std::min(cutoff, cap_);
        load(node.words);
        const std::int64_t value = solve(cutoff);
        if (value >= cutoff) return 0;
        cycles_.label(matching_.following);
        cycles_.join_free(graph_, matching_);
        if (cycles_.count == 1) {
            record_tour(matching_.following, value, found);
            return 0;
        }
        cycles_.label(matching_.following);
        const std::int64_t cost = cycles_.patch(graph_, matching_, tour_, back_, cutoff - value);
        if (value + cost < cutoff) {
            cutoff = value + cost;
            record_tour(tour_, cutoff, found);
        }
        cycles_.label(matching_.following);
        sort_arcs(choose_cycle(cutoff - value));
        return split(value, cutoff, children, found);
    }

  private:
    static constexpr int most_tried_arcs = 50;   // when so many have been tried, no further cycle is
    static constexpr int most_length_ratio = 2;  // a cycle that is tried has so many times the arcs of the shortest
    static constexpr double halvings = 10.0;     // of a subtree if the bound at its root rises to the best tour
    static constexpr int steady_arcs = 16;       // the assignment is solved again if one in so many goes

    /// 1 / k.
    static constexpr std::array<double, 18> inverse = [] {
        std::array<double, 18> values{};
        for (int k = 1; k < 18; k++) values[k] = 1.0 / k;
        return values;
    }();

    int cities() const { return whole_.graph.cities(); }

    void load(const std::int64_t* words) {
        whole_.load(words, graph_);
        std::memcpy(matching_.entering.data(), words + whole_.masks(), sizeof *words * cities());
        std::memcpy(matching_.following.data(), words + whole_.masks() + cities(), sizeof(std::int32_t) * cities());
    }

    /// Makes the assignment optimal for what can be left; returns its value, or `cutoff`.
    std::int64_t solve(std::int64_t cutoff) {
        for (;;) {
            if (!chains_.tighten(graph_)) return cutoff;
            const std::int64_t value = paths_.repair(graph_, matching_, cutoff);
            if (value >= cutoff) return cutoff;
            const int m = graph_.arcs();
            graph_.filter([&](int p, int head) { return matching_.reduced(graph_.arc[p], head) < cutoff - value; });
            const int expensive = m - graph_.arcs();
            if (expensive == 0 || steady_arcs * expensive < m) return value;
        }
    }

    /// 2^-x, x not negative; the library's own differs from processor to processor.
    static double halved(double x) {
        constexpr double ln2 = 0.693147180559945309417;
        const int whole = static_cast<int>(x);
        const double rest = (whole - x) * ln2;
        double sum = 1;
        for (int k = 17; k > 0; k--) sum = 1 + sum * rest * inverse[k];
        return std::ldexp(sum, -whole);
    }

    /// By how much the bound rises without the arc out of a city, at most `gap`.
    std::int64_t rise_without(int city, std::int64_t gap) {
        return paths_.find(graph_, matching_, matching_.following[city], city, gap);
    }

    bool is_free(int city, int cycle) const { return cycles_.of[city] == cycle && chains_.after[city] < 0; }

    /// The cycle whose children seem to be the smallest, of those with few free arcs.
    int choose_cycle(std::int64_t gap) {
        const int n = cities();
        std::ranges::fill(free_, 0);
        for (int v = 0; v < n; v++) free_[cycles_.of[v]] += chains_.after[v] < 0;
        int chosen = 0, most = n;
        double least = INFINITY;
        for (int tried = 0; tried < most_tried_arcs;) {
            int c = 0;
            for (int other = 1; other < cycles_.count; other++)
                if (free_[other] < free_[c]) c = other;
            if (tried == 0) most = most_length_ratio * (free_[c] + 1);
            if (free_[c] > most) break;
            tried += free_[c];
            free_[c] = n + 1;
            double size = 0;
            for (int v = 0; v < n; v++) {
                if (!is_free(v, c)) continue;
                rise_[v] = rise_without(v, gap);
                if (rise_[v] < gap) size += halved(halvings * static_cast<double>(rise_[v]) / static_cast<double>(gap));
            }
            if (size < least) {
                chosen = c;
                least = size;
            }
        }
        return chosen;
    }

    /// Lists the cities that free arcs of a cycle leave, the one with the largest rise first.
    void sort_arcs(int cycle) {
        order_.clear();
        for (int v = 0; v < cities(); v++)
            if (is_free(v, cycle)) order_.push_back(v);
        std::ranges::stable_sort(order_, std::ranges::greater{}, [&](int v) { return rise_[v]; });
    }

    /// Writes the children of a node; returns how many.
    int split(std::int64_t value, std::int64_t cutoff, Child* children, std::int64_t* found) {
        int count = 0;
        for (std::size_t a = 0; a < order_.size(); a++) {
            const int city = order_[a];
            const std::int64_t gap = cutoff - value;
            std::int64_t up;
            if (rise_[city] < gap && (up = rise_without(city, gap)) < gap) {
                trial_ = matching_;
                const int head = trial_.following[city];
                trial_.following[city] = trial_.before[head] = -1;
                paths_.augment(trial_);
                cycles_.label(trial_.following);
                if (cycles_.count == 1) {
                    cutoff = value + up;
                    record_tour(trial_.following, cutoff, found);
                } else {
                    children[count].bound = value + up;
                    write(city, gap - up, children[count++].words);
                    if (count + 1 == children_ && a + 1 < order_.size()) {
                        // What is left of a long cycle is one child.
                        paths_.forced[city] = 1;
                        trial_ = matching_;
                        children[count].bound = value;
                        write(-1, gap, children[count++].words);
                        break;
                    }
                }
            }
            paths_.forced[city] = 1;
        }
        for (const int city : order_) paths_.forced[city] = 0;
        return count;
    }

    /// Writes the child in `trial_`: without an arc, and with those of cities that are forced.
    void write(int without, std::int64_t gap, std::int64_t* words) const {
        const int n = cities();
        std::memset(words, 0, sizeof *words * whole_.masks());
        for (int v = 0; v < n; v++) {
            const int before = matching_.before[v];
            for (int p = graph_.begin[v]; p < graph_.begin[v + 1]; p++) {
                const Arc& arc = graph_.arc[p];
                if (trial_.reduced(arc, v) >= gap) continue;
                if (arc.tail == before ? arc.tail == without : paths_.forced[arc.tail] || paths_.forced[before])
                    continue;
                Instance::set_bit(words, arc.number);
            }
        }
        words += whole_.masks();
        std::memcpy(words, trial_.entering.data(), sizeof *words * n);
        words += n;
        words[(n - 1) / 2] = 0;
        std::memcpy(words, trial_.following.data(), sizeof(std::int32_t) * n);
    }

    Instance whole_;
    std::int64_t cap_;
    int children_;
    Graph graph_;
    Chains chains_;
    Matching matching_;
    Matching trial_;  // of a child
    PathSearch paths_;
    Cycles cycles_;
    std::vector<std::int32_t> tour_, back_;  // each city's next and previous one in the tour that patching makes
    std::vector<std::int32_t> free_;         // how many free arcs each cycle has
    std::vector<std::int32_t> order_;        // the cities that free arcs of the chosen cycle leave
    std::vector<std::int64_t> rise_;         // of the bound without the arc out of each city
};

}  // namespace prunus::PRUNUS_SET
