// An assignment of next cities on the arcs that are left, repaired by shortest augmenting paths.
//
// An optimal assignment stays so when arcs are left out, but for the cities whose arc is gone: for
// each of these one augmenting path, the shortest by reduced costs, makes it optimal again, and its
// length is what the bound rises by. A path as long as the gap to the best tour is of no use, so the
// search for it ends there, usually after a few cities (Carpaneto, Dell'Amico, Toth 1995, Exact
// solution of large-scale, asymmetric traveling salesman problems, ACM TOMS 21, 394-409).
//
// The template of src/native/assignment does not serve: the arcs are lists by head from which one is
// barred and in which some tails are forced, paths are given up at the gap, and which of several
// shortest paths is taken decides the tree.
#pragma once

#include "atsp/graph.hpp"
#include "heap.hpp"

namespace prunus::PRUNUS_SET {

/// The next city of each and the one before it, or -1, and prices for leaving and entering. No arc
/// that is left costs less than its two prices; those of the assignment cost as much.
struct Matching {
    std::vector<std::int32_t> following, before;
    std::vector<std::int64_t> leaving, entering;

    explicit Matching(int cities) : following(cities), before(cities), leaving(cities), entering(cities) {}

    std::int64_t reduced(const Arc& arc, int head) const { return arc.cost - leaving[arc.tail] - entering[head]; }
};

/// Finds paths and exchanges the arcs along them.
class PathSearch {
  public:
    /// Whether a city's arc is forced: no path changes it.
    std::vector<std::uint8_t> forced;

    explicit PathSearch(int cities)
        : forced(cities), away_(cities, unreached), into_(cities), final_(cities), seen_(cities) {}

    /// The length of the shortest path that gives city `start` one before it; `gap` if none is
    /// shorter than that. The city `freed`, if there is one, is taken to go nowhere, and not to
    /// `start` either.
    std::int64_t find(const Graph& graph, const Matching& matching, int start, int freed, std::int64_t gap) {
        for (int s = 0; s < touched_; s++) {
            away_[seen_[s]] = unreached;
            final_[seen_[s]] = 0;
        }
        touched_ = 0;
        heap_.clear();
        start_ = start;
        length_ = 0;
        for (int head = start;;) {
            for (int p = graph.begin[head]; p < graph.begin[head + 1]; p++) {
                const Arc& arc = graph.arc[p];
                const int tail = arc.tail;
                if (final_[tail] || forced[tail]) continue;
                const std::int64_t length = length_ + matching.reduced(arc, head);
                if (length >= gap || length >= away_[tail]) continue;
                if (tail == freed && head == start) continue;
                if (away_[tail] == unreached) seen_[touched_++] = tail;
                away_[tail] = length;
                into_[tail] = head;
                push(heap_, {length, tail});
            }
            do {
                if (heap_.empty()) return gap;
                end_ = pop(heap_).city;
            } while (final_[end_]);
            final_[end_] = 1;
            length_ = away_[end_];
            head = end_ == freed ? -1 : matching.following[end_];
            if (head < 0) return length_;
        }
    }

    /// Exchanges the arcs along the path that was found, which was shorter than the gap.
    void augment(Matching& matching) const {
        matching.entering[start_] += length_;
        for (int s = 0; s < touched_; s++) {
            const int tail = seen_[s];
            if (!final_[tail] || tail == end_) continue;
            matching.entering[matching.following[tail]] += length_ - away_[tail];
            matching.leaving[tail] -= length_ - away_[tail];
        }
        for (int tail = end_;;) {
            const int head = into_[tail], other = matching.before[head];
            matching.following[tail] = head;
            matching.before[head] = tail;
            if (head == start_) return;
            tail = other;
        }
    }

    /// Makes an assignment optimal again after arcs have been left out of the graph: `following` and
    /// `entering` are what they were. Returns its value; `cutoff` if that is no less, and then the
    /// assignment is not whole.
    std::int64_t repair(const Graph& graph, Matching& matching, std::int64_t cutoff) {
        const int n = graph.cities();
        int missing = n;
        std::int64_t value = 0;
        for (int v = 0; v < n; v++) {
            matching.before[v] = -1;
            for (int p = graph.begin[v]; p < graph.begin[v + 1]; p++) {
                const Arc& arc = graph.arc[p];
                if (matching.following[arc.tail] != v) continue;
                matching.before[v] = arc.tail;
                matching.leaving[arc.tail] = arc.cost - matching.entering[v];
                value += arc.cost;
                missing--;
            }
        }
        if (missing == 0) return std::min(value, cutoff);
        for (int t = 0; t < n; t++) {
            if (matching.following[t] >= 0 && matching.before[matching.following[t]] == t) continue;
            matching.following[t] = -1;
            matching.leaving[t] = unreached;
        }
        for (int v = 0; v < n; v++)
            for (int p = graph.begin[v]; p < graph.begin[v + 1]; p++) {
                const Arc& arc = graph.arc[p];
                std::int64_t& price = matching.leaving[arc.tail];
                if (matching.following[arc.tail] < 0) price = std::min(price, arc.cost - matching.entering[v]);
            }
        value = 0;
        for (int v = 0; v < n; v++) {
            if (matching.leaving[v] == unreached) return cutoff;
            value += matching.leaving[v] + matching.entering[v];
        }
        for (int v = 0; v < n; v++) {
            if (matching.before[v] >= 0) continue;
            if (value >= cutoff) return cutoff;
            const std::int64_t gap = cutoff - value, rise = find(graph, matching, v, -1, gap);
            if (rise < gap) augment(matching);
            value += rise;
        }
        return std::min(value, cutoff);
    }

  private:
    static constexpr std::int64_t unreached = std::int64_t{1} << 62;

    struct Reached {
        std::int64_t away;
        std::int32_t city;
        bool operator<(const Reached& other) const { return away < other.away; }
    };

    std::vector<std::int64_t> away_;   // of each city that a path may leave: how far it is,
    std::vector<std::int32_t> into_;   // the city it would enter,
    std::vector<std::uint8_t> final_;  // whether that is final
    std::vector<std::int32_t> seen_;   // the cities that were reached
    std::vector<Reached> heap_;        // the cities to look at next
    std::int64_t length_ = 0;
    int touched_ = 0, start_ = -1, end_ = -1;
};

}  // namespace prunus::PRUNUS_SET
