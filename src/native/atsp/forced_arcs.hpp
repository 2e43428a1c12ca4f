// What follows from the arcs that are left: forced arcs, and arcs that would close a tour early.
#pragma once

#include <algorithm>

#include "atsp/graph.hpp"

namespace prunus::PRUNUS_SET {

/// The chains that forced arcs make.
struct Chains {
    /// The city that a forced arc leads to, or comes from; -1 if none does.
    std::vector<std::int32_t> after, before;

    explicit Chains(int cities) : after(cities), before(cities), leaving_(cities), start_(cities) {}

    /// Leaves out arcs that no tour can have; says whether one may be left.
    ///
    /// An arc that is the only one out of, or into, a city is forced; no arc leads from the end of a
    /// chain of forced arcs to its start unless the chain has all cities.
    bool tighten(Graph& graph) {
        for (;;) {
            if (!force(graph)) return false;
            const int n = graph.cities(), m = graph.arcs();
            int seen = 0;
            for (int v = 0; v < n; v++) {
                if (before[v] >= 0) continue;
                int end = v, size = 1;
                for (; after[end] >= 0; end = after[end]) size++;
                start_[end] = size == n ? -1 : v;
                seen += size;
            }
            if (seen < n) return keep_tour(graph);
            graph.filter([&](int p, int head) {
                const int tail = graph.arc[p].tail;
                return after[tail] == head || (after[tail] < 0 && before[head] < 0 && start_[tail] != head);
            });
            if (graph.arcs() == m) return true;
        }
    }

  private:
    /// Finds the forced arcs; says whether none contradicts another.
    bool force(const Graph& graph) {
        const int n = graph.cities();
        std::ranges::fill(leaving_, 0);
        std::ranges::fill(after, -1);
        std::ranges::fill(before, -1);
        for (int v = 0; v < n; v++) {
            if (graph.begin[v + 1] == graph.begin[v]) return false;
            for (int p = graph.begin[v]; p < graph.begin[v + 1]; p++) {
                leaving_[graph.arc[p].tail]++;
                after[graph.arc[p].tail] = v;
            }
        }
        for (int v = 0; v < n; v++) {
            if (leaving_[v] == 0) return false;
            if (leaving_[v] > 1) after[v] = -1;
        }
        for (int v = 0; v < n; v++) {
            if (graph.begin[v + 1] != graph.begin[v] + 1) continue;
            const int tail = graph.arc[graph.begin[v]].tail;
            if (after[tail] >= 0 && after[tail] != v) return false;
            after[tail] = v;
        }
        for (int v = 0; v < n; v++) {
            if (after[v] < 0) continue;
            if (before[after[v]] >= 0) return false;
            before[after[v]] = v;
        }
        return true;
    }

    /// Some forced arcs make a cycle: all of them make a tour, or there is none.
    bool keep_tour(Graph& graph) {
        int size = 1, v = after[0];
        for (; v > 0; v = after[v]) size++;
        if (v != 0 || size < graph.cities()) return false;
        graph.filter([&](int p, int head) { return after[graph.arc[p].tail] == head; });
        return true;
    }

    std::vector<std::int32_t> leaving_;  // how many arcs leave each city
    std::vector<std::int32_t> start_;    // of a city where a chain ends: the one where it begins
};

}  // namespace prunus::PRUNUS_SET
