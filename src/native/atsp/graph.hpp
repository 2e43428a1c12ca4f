// The arcs that are left of an instance, sorted by the city they enter.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace prunus::PRUNUS_SET {

struct Arc {
    std::int64_t cost;
    std::int32_t tail;
    std::int32_t number;  // in the instance
};

/// Arcs of a subproblem: those into city v are begin[v] to begin[v + 1] - 1, by their numbers.
struct Graph {
    std::vector<std::int32_t> begin;
    std::vector<Arc> arc;

    Graph(int cities, std::size_t arcs) : begin(cities + 1), arc(arcs) {}

    int cities() const { return static_cast<int>(begin.size()) - 1; }
    int arcs() const { return begin.back(); }

    /// Keeps the arcs for which `keep(place, head)` is true.
    template <class Keep>
    void filter(Keep&& keep) {
        int kept = 0, p = begin[0];
        for (int head = 0; head < cities(); head++) {
            const int end = begin[head + 1];
            begin[head] = kept;
            for (; p < end; p++)
                if (keep(p, head)) arc[kept++] = arc[p];
        }
        begin.back() = kept;
    }

    /// Copies another graph with as many cities, which has no more arcs than this has room for.
    void copy(const Graph& other) {
        begin = other.begin;
        std::memcpy(arc.data(), other.arc.data(), sizeof(Arc) * other.arcs());
    }
};

/// All arcs of an instance, whose numbers are their places.
struct Instance {
    Graph graph;
    std::vector<std::int32_t> head;

    /// Of arcs that are sorted by head.
    Instance(int cities, std::size_t arcs, const std::int64_t* tails, const std::int64_t* heads,
             const std::int64_t* costs)
        : graph(cities, arcs), head(heads, heads + arcs) {
        for (std::size_t p = 0; p < arcs; p++) {
            graph.arc[p] = {costs[p], static_cast<std::int32_t>(tails[p]), static_cast<std::int32_t>(p)};
            graph.begin[heads[p] + 1]++;
        }
        for (int v = 0; v < cities; v++) graph.begin[v + 1] += graph.begin[v];
    }

    /// The words that have a bit for each arc.
    int masks() const { return static_cast<int>((head.size() + 63) / 64); }

    /// Reads the arcs whose bits are set.
    void load(const std::int64_t* words, Graph& left) const {
        const int n = graph.cities();
        int city = 0, count = 0;
        for (int w = 0; w < masks(); w++) {
            auto bits = static_cast<std::uint64_t>(words[w]);
            if (w + 1 == masks() && head.size() % 64 != 0) bits &= (std::uint64_t{1} << head.size() % 64) - 1;
            for (; bits != 0; bits &= bits - 1) {
                const int p = w * 64 + std::countr_zero(bits);
                while (city <= head[p]) left.begin[city++] = count;
                left.arc[count++] = graph.arc[p];
            }
        }
        while (city <= n) left.begin[city++] = count;
    }

    /// Sets the bits of a graph's arcs.
    void store(const Graph& left, std::int64_t* words) const {
        std::memset(words, 0, sizeof *words * masks());
        for (int p = 0; p < left.arcs(); p++) set_bit(words, left.arc[p].number);
    }

    static void set_bit(std::int64_t* words, int arc) {
        words[arc >> 6] =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(words[arc >> 6]) | std::uint64_t{1} << (arc & 63));
    }
};

}  // namespace prunus::PRUNUS_SET
