// The cheapest 1-arborescence: one arc into every city, all reached from the root.
//
// Cheapest arcs into every city are chosen; a cycle of them is contracted to one city, whose arcs are
// looked at again, until the root reaches everything (Edmonds 1967, Optimum branchings, Journal of
// Research of the National Bureau of Standards 71B, 233-240; Gabow, Galil, Spencer, Tarjan 1986,
// Efficient algorithms for finding minimum spanning trees in undirected and directed graphs,
// Combinatorica 6, 109-122). A contraction reads the arcs into the cities that it joins; to keep the
// cheapest one of each city alone, and to look for another when that comes to lie inside, takes a
// tenth to a quarter more. What is taken from the arcs into each set is
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
          open_(arcs),
          stop_(cities),
          taken_(cities),
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
                const Arc& arc = graph.arc[p];
                const std::int64_t cost = arc.cost - price[arc.tail];
                open_[p] = {cost, arc.tail, p};
                if (cost < best) best = cost, at = p;
            }
            if (at < 0) return impossible;
            value += best;
            sets[v] = {best, at, v, v, v, -1, CitySet::open};
            following[v] = -1;
            component_[v] = v;
            stop_[v] = graph.begin[v + 1];
            taken_[v] = 0;
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
            const std::int64_t taken = taken_[v] + sets[component_[v]].least;
            for (int k = graph.begin[v]; k < stop_[v]; k++) reduced[open_[k].place] = open_[k].cost - taken;
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
                taken_[v] += set.least;
            }
            (first < 0 ? first : following[last]) = set.first;
            last = set.last;
            if (member == cycle) break;
        }
        sets[made] = {0, -1, -1, first, last, -1, CitySet::open};
        return depth;
    }

    /// Finds the cheapest arc into a new set; says whether there is one. Arcs inside the set go out
    /// of sight.
    bool find_cheapest_into(const Graph& graph, int made) {
        std::int64_t best = impossible;
        int at = -1, head = -1;
        for (int v = sets[made].first; v >= 0; v = following[v]) {
            const std::int64_t taken = taken_[v];
            int stop = stop_[v];
            for (int k = graph.begin[v]; k < stop;) {
                const OpenArc& arc = open_[k];
                const std::int64_t x = arc.cost - taken;
                if (component_[arc.tail] == made) {
                    reduced[arc.place] = x;
                    open_[k] = open_[--stop];
                    continue;
                }
                if (x < best) best = x, at = arc.place, head = v;
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

    /// An arc into a city from outside its set.
    struct OpenArc {
        std::int64_t cost;  // less the price of its tail
        std::int32_t tail, place;
    };

    std::vector<OpenArc> open_;  // of each city from `begin` of the graph up to `stop_`, in no order
    std::vector<std::int32_t> stop_;
    std::vector<std::int64_t> taken_;      // what the sets of each city took from the arcs into it
    std::vector<std::int32_t> component_;  // the set that each city is in
    std::vector<std::int32_t> path_;       // the sets on the path that is followed backwards
};

}  // namespace prunus::PRUNUS_SET
