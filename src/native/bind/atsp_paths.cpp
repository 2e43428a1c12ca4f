#include <nanobind/stl/unique_ptr.h>

#include <stdexcept>

#include "arrays.hpp"
#include "atsp/path_search.hpp"
#include "parts.hpp"

namespace nb = nanobind;

namespace prunus {

void bind_atsp_paths(nb::module_& m);

void bind_atsp_paths(nb::module_& m) {
    m.def(
        "path_search",
        [](Array<const std::int64_t, 2> distances) {
            if (distances.shape(0) != distances.shape(1) || distances.shape(0) < 2)
                throw std::invalid_argument("not the distances of two cities or more");
            return kernels<atsp::PathKernels>().make(distances.data(), static_cast<int>(distances.shape(0)));
        },
        nb::arg("distances"), "Make a search of all tours from city 0, bounded by the path so far.");
}

}  // namespace prunus
