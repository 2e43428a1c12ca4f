// The parts of prunus._native.assignment, each bound in a file of its own.
#pragma once

#include <nanobind/nanobind.h>

namespace prunus {
void bind_dense(nanobind::module_& m);
void bind_feasible(nanobind::module_& m);
void bind_lists(nanobind::module_& m);
void bind_pairs(nanobind::module_& m);
void bind_ranked(nanobind::module_& m);
void bind_scan(nanobind::module_& m);
void bind_switching(nanobind::module_& m);
}  // namespace prunus
