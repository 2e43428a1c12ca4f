#include "instruction_set.hpp"

#include <cstdlib>
#include <stdexcept>

#include "dispatch.hpp"

namespace prunus {
namespace {

const std::vector<std::string> names = {
#define PRUNUS_NAME(set) #set,
    PRUNUS_FOR_EACH_SET(PRUNUS_NAME)
#undef PRUNUS_NAME
};

bool processor_has(const std::string& name) {
#if defined(__x86_64__)
    // One by one and not by level ("x86-64-v3"), which Clang does not know everywhere.
    __builtin_cpu_init();
    if (name == "x86_64_v3")
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
               __builtin_cpu_supports("fma") && __builtin_cpu_supports("lzcnt");
    if (name == "x86_64_v4")
        return processor_has("x86_64_v3") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#endif
    return !name.empty();
}

InstructionSet chosen{};

}  // namespace

InstructionSet chosen_set() { return chosen; }

const std::vector<std::string>& supported_sets() {
    static const std::vector<std::string> supported = [] {
        std::vector<std::string> found;
        for (const auto& name : names)
            if (processor_has(name)) found.push_back(name);
        return found;
    }();
    return supported;
}

void choose_set(const std::string& name) {
    const auto& supported = supported_sets();
    for (std::size_t i = 0; i < names.size(); i++)
        for (const auto& other : supported)
            if (names[i] == name && other == name) {
                chosen = static_cast<InstructionSet>(i);
                return;
            }
    std::string known;
    for (const auto& other : supported) known += (known.empty() ? "" : ", ") + other;
    throw std::invalid_argument("instruction set '" + name + "': this processor has " + known);
}

}  // namespace prunus
