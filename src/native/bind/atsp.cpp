#include "parts.hpp"

namespace prunus {

void bind_atsp(nanobind::module_& m) { (void)m; }

}  // namespace prunus
