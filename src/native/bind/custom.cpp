#include "parts.hpp"

namespace prunus {

void bind_custom(nanobind::module_& m) { (void)m; }

}  // namespace prunus
