#include "hardware/narrowing.hpp"

namespace prunus::PRUNUS_SET {
namespace {

template <class From, class To>
bool narrow(const From* from, To* to, std::int64_t count) {
    std::int64_t changed = 0;
    for (std::int64_t k = 0; k < count; k++) {
        to[k] = static_cast<To>(from[k]);
        changed |= static_cast<From>(to[k]) != from[k];
    }
    return changed != 0;
}

}  // namespace

const hardware::NarrowingKernels& kernels(const hardware::NarrowingKernels*) {
    static constexpr hardware::NarrowingKernels table{.floats = narrow<double, float>,
                                                      .integers = narrow<std::int64_t, std::int32_t>};
    return table;
}

}  // namespace prunus::PRUNUS_SET
