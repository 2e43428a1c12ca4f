#include <nanobind/stl/unique_ptr.h>

#include "arrays.hpp"
#include "treesearch/beam.hpp"

namespace nb = nanobind;

namespace prunus {

using treesearch::Beam;

void bind_treesearch_beam(nb::module_& m) {
    nb::class_<Beam>(m, "Beam",
                     "One beam search under way: for each level `begin_level`, then pieces until `advance` returns 0.")
        .def("begin_level", &Beam::begin_level, nb::arg("width"), "Begin a level, of which so many nodes are kept.",
             nb::call_guard<nb::gil_scoped_release>())
        .def("advance", &Beam::advance, nb::call_guard<nb::gil_scoped_release>(),
             "Go on as far as one thread is enough; return how many pieces there are for several, 0 at the end.")
        .def("piece", &Beam::piece, nb::arg("number"), nb::arg("thread"), nb::call_guard<nb::gil_scoped_release>(),
             "Do a piece; threads that do so at the same time have different numbers.")
        .def("take_rated", &Beam::take_rated, "Return how many children were rated since the last call.")
        .def_ro("levels", &Beam::levels)
        .def_ro("nodes", &Beam::nodes, "Nodes of the level that is next.")
        .def_ro("evaluated", &Beam::evaluated, "Children of all levels.")
        .def_ro("complete", &Beam::complete, "Nothing was dropped that might lead to a better solution.")
        .def_ro("cost", &Beam::cost, "What the solution costs.")
        .def_prop_ro(
            "solution", [](const Beam& self) { return as_array<std::int64_t>(self.solution); }, nb::rv_policy::move,
            "The best solution; empty if there is none below the cutoff.");
}

}  // namespace prunus
