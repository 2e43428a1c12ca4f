#include "parts.hpp"

namespace prunus {

void bind_points(nanobind::module_& m) { (void)m; }

}  // namespace prunus
