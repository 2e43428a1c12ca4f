#include "parts.hpp"

namespace prunus {

void bind_assignment(nanobind::module_& m) { (void)m; }

}  // namespace prunus
