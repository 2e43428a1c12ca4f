#include "parts.hpp"

namespace prunus {

void bind_knapsack(nanobind::module_& m) { (void)m; }

}  // namespace prunus
