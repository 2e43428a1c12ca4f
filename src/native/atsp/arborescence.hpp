// The cheapest 1-arborescence: one arc into every city, all reached from the root.
//
// Cheapest arcs into every city are chosen; a cycle of them is contracted to one city, whose arcs are
// looked at again, until the root reaches everything (Edmonds 1967, Optimum branchings, Journal of
// Research of the National Bureau of Standards 71B, 233-240; Gabow, Galil, Spencer, Tarjan 1986,
// Efficient algorithms for finding minimum spanning trees in undirected and directed graphs,
// Combinatorica 6, 109-122). The arcs into a city stay where they are in memory, so that a
// contraction reads only those into the cities it joins. What is taken from the arcs into each set is
// a dual solution, and what is left of each arc its reduced cost: a solution with that arc costs at
// least so much more.
#pragma once

#include "atsp/graph.hpp"

namespace prunus::PRUNUS_SET {

/// The value of what does not exist.
constexpr std::int64_t impossible = std::int64_t{1} << 62;

/// A set of cities: one, or several that were contracted.
struct CitySet {
    std::int64_t least;        // the cost of the arc into it
    std::int32_t into, head;   // the place of that arc, and the city that it enters
    std::int32_t first, last;  // of its cities, which `Arborescence::following` lists
    std::int32_t up;           // the set that it became a part of, or -1
    enum : std::int32_t { open, on_path, reached } state;
};

class Arborescence {
  public:
    std::vector<std::int32_t> into;       // the place of the arc into each city
    std::vector<std::int64_t> reduced;    // the reduced cost of the arc at each place
    std::vector<CitySet> sets;            // cities first, then contracted ones as they were made
    std::vector<std::int32_t> following;  // in the list of a set: the next city, or -1

    Arborescence(int cities, std::size_t arcs)
        : into(cities),
          reduced(arcs),
          sets(2 * cities),
          following(cities),
          slot_(arcs),
          stop_(cities),
          shift_(cities),
          component_(cities),
          path_(2 * cities) {}

    /// Finds the cheapest one with root 0 where arcs out of v cost `price[v]` less. Returns its
    /// cost, or `impossible`.
    std::int64_t solve(const Graph& graph, const std::vector<std::int64_t>& price) {
        const int n = graph.cities();
        std::int64_t value = 0;
        for (int v = 0; v < n; v++) {
            std::int64_t best = impossible;
            int at = -1;
            for (int p = graph.begin[v]; p < graph.begin[v + 1]; p++) {
                const std::int64_t x = graph.arc[p].cost - price[graph.arc[p].tail];
                reduced[p] = x;
                slot_[p] = p;
                if (x < best) best = x, at = p;
            }
            if (at < 0) return impossible;
            value += best;
            sets[v] = {best, at, v, v, v, -1, CitySet::open};
            following[v] = -1;
            component_[v] = v;
            stop_[v] = graph.begin[v + 1];
        }
        sets[0].state = CitySet::reached;
        int count = n;
        for (int city = 0; city < n; city++) {
            int depth = 0;
            for (int c = component_[city]; sets[c].state != CitySet::reached;) {
                if (sets[c].state == CitySet::open) {
                    sets[c].state = CitySet::on_path;
                    path_[depth++] = c;
                    c = component_[graph.arc[sets[c].into].tail];
                    continue;
                }
                depth = contract(c, depth, count);
                if (!find_cheapest_into(graph, count)) return impossible;
                value += sets[count].least;
                c = count++;
            }
            while (depth > 0) sets[path_[--depth]].state = CitySet::reached;
        }
        for (int v = 0; v < n; v++) {
            const std::int64_t least = sets[component_[v]].least;
            for (int k = graph.begin[v]; k < stop_[v]; k++) reduced[slot_[k]] -= least;
        }
        for (int s = count; s-- > n;) {
            int c = sets[s].head;
            while (sets[c].up != s) c = sets[c].up;
            sets[c].into = sets[s].into;
            sets[c].head = sets[s].head;
        }
        for (int v = 0; v < n; v++) into[v] = sets[v].into;
        return value;
    }

  private:
    /// Makes one set of those of the path from `cycle` on; returns the depth of what remains.
    int contract(int cycle, int depth, int made) {
        int first = -1, last = -1;
        for (;;) {
            const int member = path_[--depth];
            CitySet& set = sets[member];
            set.up = made;
            for (int v = set.first; v >= 0; v = following[v]) {
                component_[v] = made;
                shift_[v] = set.least;
            }
            (first < 0 ? first : following[last]) = set.first;
            last = set.last;
            if (member == cycle) break;
        }
        sets[made] = {0, -1, -1, first, last, -1, CitySet::open};
        return depth;
    }

    /// Finds the cheapest arc into a new set; says whether there is one. What its members took is
    /// taken off; arcs inside the set go out of sight.
    bool find_cheapest_into(const Graph& graph, int made) {
        std::int64_t best = impossible;
        int at = -1, head = -1;
        for (int v = sets[made].first; v >= 0; v = following[v]) {
            const std::int64_t shift = shift_[v];
            int stop = stop_[v];
            for (int k = graph.begin[v]; k < stop;) {
                const int p = slot_[k];
                const std::int64_t x = reduced[p] -= shift;
                if (component_[graph.arc[p].tail] == made) {
                    slot_[k] = slot_[--stop];
                    slot_[stop] = p;
                    continue;
                }
                if (x < best) best = x, at = p, head = v;
                k++;
            }
            stop_[v] = stop;
        }
        if (at < 0) return false;
        sets[made].least = best;
        sets[made].into = at;
        sets[made].head = head;
        return true;
    }

    // The places of the arcs into each city in an order of their own: those from outside its set
    // first, up to `stop_`.
    std::vector<std::int32_t> slot_, stop_;
    std::vector<std::int64_t> shift_;      // what was taken from the arcs into each city when its set was contracted
    std::vector<std::int32_t> component_;  // the set that each city is in
    std::vector<std::int32_t> path_;       // the sets on the path that is followed backwards
};

}  // namespace prunus::PRUNUS_SET
