#include "instruction_set.hpp"

#include <initializer_list>
#include <iterator>
#include <stdexcept>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "dispatch.hpp"

namespace prunus {
namespace {

constexpr const char* names[] = {
#define PRUNUS_NAME(set) #set,
    PRUNUS_FOR_EACH_SET(PRUNUS_NAME)
#undef PRUNUS_NAME
};

#if defined(__x86_64__)
/// The registers that `cpuid` returns for a leaf; zeros if the processor has none.
struct Leaf {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    explicit Leaf(unsigned number) { __get_cpuid_count(number, 0, &eax, &ebx, &ecx, &edx); }
};

bool all(unsigned features, std::initializer_list<int> bits) {
    for (int bit : bits)
        if (!(features >> bit & 1)) return false;
    return true;
}

/// Which registers the operating system saves: bits 1 and 2 those of AVX, 5 to 7 those of AVX-512.
unsigned saved_registers() {
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

/// The level of the x86-64 psABI, 1 to 4. The compilers' own __builtin_cpu_supports is not asked: with
/// Zig it always denies.
int level() {
    const Leaf basic(1), extended(7), amd(0x80000001);
    if (!all(basic.ecx, {0, 9, 13, 19, 20, 23})) return 1;      // SSE3, SSSE3, CX16, SSE4.1, SSE4.2, POPCNT
    const bool is_v3 = all(basic.ecx, {12, 22, 27, 28, 29}) &&  // FMA, MOVBE, OSXSAVE, AVX, F16C
                       all(extended.ebx, {3, 5, 8}) &&          // BMI1, AVX2, BMI2
                       all(amd.ecx, {5}) && (saved_registers() & 0x6) == 0x6;  // LZCNT
    if (!is_v3) return 2;
    const bool is_v4 =
        all(extended.ebx, {16, 17, 28, 30, 31}) && (saved_registers() & 0xe6) == 0xe6;  // F, DQ, CD, BW, VL
    return is_v4 ? 4 : 3;
}
#endif

bool processor_has([[maybe_unused]] const std::string& name) {
#if defined(__x86_64__)
    static const int found = level();
    return name.back() - '0' <= found;
#else
    return true;
#endif
}

InstructionSet chosen{};

}  // namespace

InstructionSet chosen_set() { return chosen; }

const std::vector<std::string>& supported_sets() {
    static const std::vector<std::string> supported = [] {
        std::vector<std::string> found;
        for (const char* name : names)
            if (processor_has(name)) found.push_back(name);
        return found;
    }();
    return supported;
}

void choose_set(const std::string& name) {
    const auto& supported = supported_sets();
    for (std::size_t i = 0; i < std::size(names); i++)
        if (names[i] == name && processor_has(name)) {
            chosen = static_cast<InstructionSet>(i);
            return;
        }
    std::string known;
    for (const auto& other : supported) known += (known.empty() ? "" : ", ") + other;
    throw std::invalid_argument("instruction set '" + name + "': this processor has " + known);
}

}  // namespace prunus
