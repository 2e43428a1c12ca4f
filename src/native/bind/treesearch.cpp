#include "parts.hpp"

namespace prunus {

void bind_treesearch(nanobind::module_& m) { (void)m; }

}  // namespace prunus
