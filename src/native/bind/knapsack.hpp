// The parts of the bindings of the knapsack.
#pragma once

#include <nanobind/nanobind.h>

namespace prunus {

void bind_knapsack_cores(nanobind::module_& m);
void bind_knapsack_dense(nanobind::module_& m);
void bind_knapsack_groups(nanobind::module_& m);

}  // namespace prunus
