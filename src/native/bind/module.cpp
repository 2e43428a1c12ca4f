// The extension prunus._native: one submodule a problem, and what all share.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdlib>

#include "instruction_set.hpp"
#include "parts.hpp"

namespace nb = nanobind;

NB_MODULE(_native, m) {
    const char* wanted = std::getenv("PRUNUS_INSTRUCTION_SET");
    const auto& sets = prunus::supported_sets();
    if (sets.empty()) throw std::runtime_error("this processor has none of the instruction sets prunus is built for");
    const std::string chosen = wanted != nullptr && *wanted != '\0' ? wanted : sets.back();
    prunus::choose_set(chosen);
    m.doc() = "Kernels for CPU cores, compiled when the package is built.";
    m.attr("instruction_set") = chosen;
    m.attr("instruction_sets") = sets;
#define PRUNUS_BIND(part)                      \
    nb::module_ part = m.def_submodule(#part); \
    prunus::bind_##part(part);
    PRUNUS_FOR_EACH_PART(PRUNUS_BIND)
#undef PRUNUS_BIND
}
