// The cycles of an assignment, and how they are joined: for nothing, or at the least cost.
//
// Two arcs exchange their ends: two cycles become one, and it costs the reduced costs of the new
// arcs. As long as that is nothing the assignment stays optimal, with fewer cycles to split. What is
// left is patched as Karp did (1979, A patching algorithm for the nonsymmetric traveling-salesman
// problem, SIAM Journal on Computing 8, 561-573), as long as the tour would be a better one than is
// known, so that only arcs that are left need be looked at.
#pragma once

#include "atsp/matching.hpp"

namespace prunus::PRUNUS_SET {

struct Cycles {
    std::vector<std::int32_t> of;    // the cycle that each city is in
    std::vector<std::int32_t> size;  // of each cycle
    int count = 0;

    explicit Cycles(int cities) : of(cities), size(cities) {}

    void label(const std::vector<std::int32_t>& following) {
        std::ranges::fill(of, -1);
        std::ranges::fill(size, 0);
        count = 0;
        for (std::size_t start = 0; start < of.size(); start++) {
            if (of[start] >= 0) continue;
            for (auto v = static_cast<std::int32_t>(start); of[v] < 0; v = following[v]) {
                of[v] = count;
                size[count]++;
            }
            count++;
        }
    }

    /// Joins cycles while that costs nothing. Their numbers have gaps then.
    void join_free(const Graph& graph, Matching& matching) {
        auto &following = matching.following, &before = matching.before;
        for (int head = 0; head < graph.cities(); head++)
            for (int p = graph.begin[head]; p < graph.begin[head + 1]; p++) {
                const Arc& arc = graph.arc[p];
                if (count == 1) return;
                if (of[arc.tail] == of[head] || matching.reduced(arc, head) != 0) continue;
                const int other = before[head], after = following[arc.tail];
                if (reduced_cost(graph, matching, other, after, 1) != 0) continue;
                following[arc.tail] = head;
                following[other] = after;
                before[head] = arc.tail;
                before[after] = other;
                merge(of[arc.tail], of[head]);
            }
    }

    /// Joins all cycles, the smallest first, if that costs less than `gap`; returns what it costs,
    /// or `gap`. `following` and `before` are those of the tour then; the cycles are used up.
    std::int64_t patch(const Graph& graph, const Matching& matching, std::vector<std::int32_t>& following,
                       std::vector<std::int32_t>& before, std::int64_t gap) {
        following = matching.following;
        before = matching.before;
        std::int64_t cost = 0;
        while (count > 1) {
            int smallest = -1;
            for (int c = 0; c < graph.cities(); c++)
                if (size[c] > 0 && (smallest < 0 || size[c] < size[smallest])) smallest = c;
            std::int64_t best = gap - cost;
            int one = -1, two = -1;
            for (int head = 0; head < graph.cities(); head++) {
                if (of[head] != smallest) continue;
                const int other = before[head];
                // `other` no longer goes to `head`, whoever else does now.
                const std::int64_t given = reduced_cost(graph, matching, other, head, 0);
                for (int p = graph.begin[head]; p < graph.begin[head + 1]; p++) {
                    const Arc& arc = graph.arc[p];
                    if (of[arc.tail] == smallest) continue;
                    std::int64_t change = matching.reduced(arc, head) - given;
                    if (change >= best) continue;
                    const int after = following[arc.tail];
                    change -= reduced_cost(graph, matching, arc.tail, after, 0);
                    if (change >= best) continue;
                    change += reduced_cost(graph, matching, other, after, gap);
                    if (change < best) {
                        best = change;
                        one = arc.tail;
                        two = head;
                    }
                }
            }
            if (one < 0) return gap;
            const int other = before[two], after = following[one];
            following[one] = two;
            following[other] = after;
            before[two] = one;
            before[after] = other;
            merge(smallest, of[one]);
            cost += best;
        }
        return cost;
    }

  private:
    /// The reduced cost of an arc; `missing` if it is not left.
    static std::int64_t reduced_cost(const Graph& graph, const Matching& matching, int tail, int head,
                                     std::int64_t missing) {
        for (int p = graph.begin[head]; p < graph.begin[head + 1]; p++)
            if (graph.arc[p].tail == tail) return matching.reduced(graph.arc[p], head);
        return missing;
    }

    void merge(int old, int into) {
        for (auto& c : of)
            if (c == old) c = into;
        size[into] += size[old];
        size[old] = 0;
        count--;
    }
};

}  // namespace prunus::PRUNUS_SET
