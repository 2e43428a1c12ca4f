#include "parts.hpp"

namespace prunus {

void bind_subsetsum(nanobind::module_& m) { (void)m; }

}  // namespace prunus
