// The items that a choice is left about, brought into the form that the methods work on.
#pragma once

#include <cstdint>
#include <vector>

#include "dispatch.hpp"

namespace prunus::knapsack {

/// Items, each of which stands for one or more of the problem's.
struct Items {
    std::int64_t capacity = 0;    // what they may weigh together
    std::vector<std::int64_t> w;  // weights and profits, all positive
    std::vector<std::int64_t> p;
    std::vector<std::int64_t> count;  // item i stands for the problem's items
    std::vector<std::int64_t> start;  // members[start[i]] ... members[start[i] + count[i] - 1]
    std::vector<std::int64_t> members;
    std::int64_t weight = 0;  // of all together
    std::int64_t profit = 0;

    std::int64_t size() const { return static_cast<std::int64_t>(w.size()); }
};

/// A problem brought into form: a choice of value v is worth `profit + unit * v`.
struct Reduced {
    Items items;                       // those that a choice is left about
    std::vector<std::int64_t> packed;  // the problem's items that are in the knapsack anyway
    std::int64_t profit = 0;           // theirs
    std::int64_t unit = 1;             // of profits
    std::int64_t weight_unit = 1;      // weights and capacity were divided by it
    std::int64_t size = 0;             // of the problem
};

struct ItemKernels {
    /// Leaves out items that are too heavy or worth nothing, packs those that weigh nothing, and
    /// takes common divisors of weights and of profits out.
    Reduced (*reduce)(const std::int64_t* w, const std::int64_t* p, std::int64_t n, std::int64_t capacity);
    /// Ties identical items, which stand for one each, into bundles of 1, 2, 4, ... of them.
    Items (*bundle)(const Items&);
    /// Tells from a sample whether many items are identical.
    bool (*repetitive)(const Items&);
    /// The problem's items for which chosen ones stand, and those packed anyway, ascending.
    std::vector<std::int64_t> (*expand)(const Reduced&, const Items&, const std::vector<std::int64_t>& chosen);
};

}  // namespace prunus::knapsack

PRUNUS_KERNELS(knapsack::ItemKernels)
