#include <stdexcept>

#include "arrays.hpp"
#include "hardware/narrowing.hpp"
#include "parts.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

template <auto kernel, class From, class To>
void bind_narrow(nb::module_& m) {
    m.def(
        "narrow",
        [](const Array<const From>& values, const Array<To>& to) {
            if (to.size() < values.size()) throw std::invalid_argument("no room for all numbers");
            nb::gil_scoped_release released;
            return (kernels<hardware::NarrowingKernels>().*kernel)(values.data(), to.data(),
                                                                   static_cast<std::int64_t>(values.size()));
        },
        nb::arg("values"), nb::arg("to"), "Convert numbers to half their bytes; say whether any changes.");
}

}  // namespace

void bind_hardware(nb::module_& m) {
    bind_narrow<&hardware::NarrowingKernels::floats, double, float>(m);
    bind_narrow<&hardware::NarrowingKernels::integers, std::int64_t, std::int32_t>(m);
}

}  // namespace prunus
