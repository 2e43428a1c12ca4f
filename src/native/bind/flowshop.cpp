#include "parts.hpp"

namespace prunus {

void bind_flowshop_beams(nanobind::module_& m);
void bind_flowshop_heuristics(nanobind::module_& m);
void bind_flowshop_tree(nanobind::module_& m);

void bind_flowshop(nanobind::module_& m) {
    bind_flowshop_beams(m);
    bind_flowshop_heuristics(m);
    bind_flowshop_tree(m);
}

}  // namespace prunus
