// The submodules of prunus._native: each stands in a file of its name beside this one.
#pragma once

#include <nanobind/nanobind.h>

#define PRUNUS_FOR_EACH_PART(X) \
    X(assignment)               \
    X(atsp)                     \
    X(custom)                   \
    X(flowshop)                 \
    X(hardware)                 \
    X(knapsack)                 \
    X(nqueens)                  \
    X(points)                   \
    X(subsetsum)                \
    X(treesearch)

namespace prunus {
#define PRUNUS_DECLARE(part) void bind_##part(nanobind::module_& m);
PRUNUS_FOR_EACH_PART(PRUNUS_DECLARE)
#undef PRUNUS_DECLARE
}  // namespace prunus
