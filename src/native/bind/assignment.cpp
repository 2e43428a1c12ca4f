#include "assignment_parts.hpp"
#include "parts.hpp"

namespace prunus {

void bind_assignment(nanobind::module_& m) {
    bind_dense(m);
    bind_feasible(m);
    bind_lists(m);
    bind_pairs(m);
    bind_ranked(m);
    bind_scan(m);
    bind_switching(m);
}

}  // namespace prunus
