#include "parts.hpp"

namespace prunus {

void bind_best_first(nanobind::module_& m);  // in best_first.cpp

void bind_treesearch(nanobind::module_& m) { bind_best_first(m); }

}  // namespace prunus
