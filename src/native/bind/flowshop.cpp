#include "parts.hpp"

namespace prunus {

void bind_flowshop(nanobind::module_& m) { (void)m; }

}  // namespace prunus
