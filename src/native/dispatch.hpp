// Kernels are compiled once per instruction set; one set is chosen when the module is loaded.
//
// Every .cpp file outside bind/ is compiled for each set, with PRUNUS_SET defined as its name. What
// it defines stands in the namespace `prunus::PRUNUS_SET`, so that no function compiled for one set
// is taken for that of another. What crosses the border (structs of arguments, tables of functions)
// stands in the namespace of its problem, without code.
//
// Functions of the standard library that are not inlined are merged by the linker, which keeps the
// first it meets: CMakeLists.txt names the objects from the oldest set to the newest.
#pragma once

#include "instruction_sets.hpp"  // made by CMake: PRUNUS_FOR_EACH_SET

namespace prunus {

enum class InstructionSet {
#define PRUNUS_NAME(set) set,
    PRUNUS_FOR_EACH_SET(PRUNUS_NAME)
#undef PRUNUS_NAME
};

/// The set whose kernels are called: the newest that the processor has, or what the environment
/// variable PRUNUS_INSTRUCTION_SET names.
InstructionSet chosen_set();

/// The kernels of a problem, for the chosen set.
template <class Table>
const Table& kernels();

}  // namespace prunus

/// Declares the tables that a problem's .cpp file defines, and the choice between them. `Table` is
/// a struct of pointers to functions; for each set stands
/// `const Table& prunus::SET::kernels(const Table*)`.
#define PRUNUS_KERNELS(Table)                                                          \
    namespace prunus {                                                                 \
    PRUNUS_FOR_EACH_SET_WITH(PRUNUS_DECLARE_TABLE, Table)                              \
    template <>                                                                        \
    inline const Table& kernels<Table>() {                                             \
        switch (chosen_set()) { PRUNUS_FOR_EACH_SET_WITH(PRUNUS_CHOOSE_TABLE, Table) } \
        __builtin_unreachable();                                                       \
    }                                                                                  \
    }
#define PRUNUS_DECLARE_TABLE(set, Table)    \
    namespace set {                         \
    const Table& kernels(const Table* tag); \
    }
#define PRUNUS_CHOOSE_TABLE(set, Table) \
    case InstructionSet::set:           \
        return set::kernels(static_cast<const Table*>(nullptr));
