// A tree over points that have prices: where can a column be that is cheap for a row?
//
// The points are ordered such that each node of the tree is a range of them, and its children are
// the halves of that range (a k-d tree, J. L. Bentley 1975). A node knows the box around its points
// and the least of their prices. No column in it costs a row less than the distance to the box and
// that price, and so most of the tree is never looked at. Prices only rise: a least price that is
// old is still a bound.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "assignment/benefits.hpp"
#include "lanes.hpp"

namespace prunus::PRUNUS_SET {

using assignment::Metric;

/// Points of a leaf; no leaf has more than twice as many.
constexpr int leaf_points = 8;

/// So many columns beyond the end of a leaf are read with it.
constexpr int read_beyond = 2 * leaf_points;

inline int leaves_for(std::int64_t count) {
    return count < leaf_points ? 1 : static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(count / leaf_points)));
}

/// Where the nodes of a level begin, and the end of the last.
inline std::vector<std::int64_t> level_ends(std::int64_t count, int nodes) {
    std::vector<std::int64_t> ends{0, count};
    while (static_cast<int>(ends.size()) <= nodes) {
        std::vector<std::int64_t> halved;
        for (std::size_t k = 0; k + 1 < ends.size(); k++) {
            halved.push_back(ends[k]);
            halved.push_back(ends[k] + (ends[k + 1] - ends[k]) / 2);
        }
        halved.push_back(count);
        ends = std::move(halved);
    }
    return ends;
}

/// Distances by a metric in a space of so many dimensions; 0 for any number, known at run time.
template <Metric Given, int Dimensions>
struct Space {
    static constexpr Metric metric = Given;
    int given;

    int dimensions() const { return Dimensions == 0 ? given : Dimensions; }

    /// The distance in one coordinate added to those in others; a Euclidean one is its square so far.
    template <class T>
    static T add(T total, T apart) {
        if constexpr (metric == Metric::chebyshev)
            return total > apart ? total : apart;
        else
            return total + (metric == Metric::cityblock ? apart : apart * apart);
    }

    static double whole(double total) { return metric == Metric::euclidean ? std::sqrt(total) : total; }
};

/// A tree over points in its own order; node q has the children 2 q + 1 and 2 q + 2.
struct Tree {
    /// For points in the order of `halve`, all prices being 0.
    Tree(const double* points, std::int64_t points_count, int space)
        : dimensions(space),
          count(points_count),
          leaves(leaves_for(points_count)),
          begin(level_ends(points_count, leaves)),
          least(2 * leaves - 1),
          boxes((2 * leaves - 1) * 2 * space) {
        coordinates.resize(space);
        for (int d = 0; d < space; d++) {
            coordinates[d].resize(count + read_beyond);
            for (std::int64_t j = 0; j < count; j++) coordinates[d][j] = points[j * space + d];
        }
        for (int q = 2 * leaves - 2; q >= 0; q--) {
            double* low = boxes.data() + q * 2 * space;
            double* high = low + space;
            for (int d = 0; d < space; d++) {
                const auto [first, last] = leaf(q);
                if (first < last) {
                    const auto [a, b] = std::minmax_element(&coordinates[d][first], &coordinates[d][last]);
                    low[d] = *a, high[d] = *b;
                } else {
                    const double *left = boxes.data() + (2 * q + 1) * 2 * space, *right = left + 2 * space;
                    low[d] = std::min(left[d], right[d]);
                    high[d] = std::max(left[space + d], right[space + d]);
                }
            }
        }
    }

    /// The columns of a leaf; none of an inner node.
    std::pair<std::int64_t, std::int64_t> leaf(int q) const {
        if (q < leaves - 1) return {0, 0};
        return {begin[q - leaves + 1], begin[q - leaves + 2]};
    }

    /// Lets every node know the least price in it.
    void know(const double* prices) {
        for (int q = 2 * leaves - 2; q >= 0; q--) {
            const auto [first, last] = leaf(q);
            least[q] = first < last ? *std::min_element(prices + first, prices + last)
                                    : std::min(least[2 * q + 1], least[2 * q + 2]);
        }
    }

    int dimensions;
    std::int64_t count;
    int leaves;  // a power of two; all at one depth, the last nodes
    std::vector<std::int64_t> begin;
    std::vector<double> least;  // no price in the node is lower
    std::vector<double> boxes;  // of each node the low corner and the high one
    std::vector<std::vector<double>> coordinates;
};

/// The columns that a search has found, and what they cost, the cheapest first.
struct Nearest {
    explicit Nearest(int most) : wanted(most), columns(most), costs(most) {}

    int wanted, found = 0;
    std::vector<std::int32_t> columns;
    std::vector<double> costs;

    /// Puts a column in its place; returns what others have to be cheaper than.
    double insert(std::int32_t column, double cost, double limit) {
        int at = found < wanted ? found++ : wanted - 1;
        for (; at > 0 && costs[at - 1] > cost; at--) costs[at] = costs[at - 1], columns[at] = columns[at - 1];
        costs[at] = cost, columns[at] = column;
        return found == wanted ? costs[wanted - 1] : limit;
    }
};

template <class Space>
struct TreeSearch {
    const Tree& tree;
    Space space;

    double distance(const double* x, std::int64_t j) const {
        double total = 0;
        for (int d = 0; d < space.dimensions(); d++)
            total = Space::add(total, std::fabs(x[d] - tree.coordinates[d][j]));
        return Space::whole(total);
    }

    /// Finds the columns with the least cost, distance and price, for a row at x; only such as cost
    /// less than `limit`.
    void find(const double* x, const double* prices, double limit, Nearest& nearest) const {
        struct {
            int node;
            double bound;
        } stack[64];  // one node a level has to be come back to
        int depth = 0;
        nearest.found = 0;
        stack[depth++] = {0, cost_in(x, 0)};
        while (depth > 0) {
            const auto [node, bound] = stack[--depth];
            if (!(bound < limit)) continue;
            if (node >= tree.leaves - 1) {
                limit = look(x, prices, tree.begin[node - tree.leaves + 1], tree.begin[node - tree.leaves + 2], limit,
                             nearest);
                continue;
            }
            int near = 2 * node + 1, far = near + 1;
            double cost = cost_in(x, near), other = cost_in(x, far);
            if (other < cost) std::swap(near, far), std::swap(cost, other);
            if (other < limit) stack[depth++] = {far, other};
            if (cost < limit) stack[depth++] = {near, cost};
        }
    }

  private:
    /// No column in a node costs less.
    double cost_in(const double* x, int q) const {
        const int dimensions = space.dimensions();
        const double *low = tree.boxes.data() + q * 2 * dimensions, *high = low + dimensions;
        double total = 0;
        for (int d = 0; d < dimensions; d++) {
            const double below = low[d] - x[d], above = x[d] - high[d], outside = below > above ? below : above;
            total = Space::add(total, outside > 0 ? outside : 0.0);
        }
        return Space::whole(total) + tree.least[q];
    }

    /// Looks at the columns of a leaf, all at once: most are too far away, which is seen without a root.
    double look(const double* x, const double* prices, std::int64_t first, std::int64_t last, double limit,
                Nearest& nearest) const {
        constexpr int most = read_beyond, per = register_bytes / sizeof(double);
        double totals[most];
        std::uint64_t near = 0;
        for (int k = 0; k < most; k += per) {
            Register<double> total{}, price;
            for (int d = 0; d < space.dimensions(); d++) {
                Register<double> at;
                std::memcpy(&at, &tree.coordinates[d][first + k], sizeof at);
                const Register<double> apart = x[d] - at;
                total = Space::add(total, apart < 0 ? -apart : apart);
            }
            std::memcpy(&price, prices + first + k, sizeof price);
            const Register<double> room = limit - price;
            near |= bits_of((room > 0) & (total < (Space::metric == Metric::euclidean ? room * room : room))) << k;
            std::memcpy(totals + k, &total, sizeof total);
        }
        for (near &= (std::uint64_t{1} << (last - first)) - 1; near != 0; near &= near - 1) {
            const int k = std::countr_zero(near);
            const double cost = Space::whole(totals[k]) + prices[first + k];
            if (cost < limit) limit = nearest.insert(static_cast<std::int32_t>(first + k), cost, limit);
        }
        return limit;
    }
};

}  // namespace prunus::PRUNUS_SET
