// Numbers on their way to a device: in half the bytes where that changes none.
#pragma once

#include <cstdint>

#include "dispatch.hpp"

namespace prunus::hardware {

struct NarrowingKernels {
    /// Converts numbers; says whether any changes.
    bool (*floats)(const double* from, float* to, std::int64_t count);
    bool (*integers)(const std::int64_t* from, std::int32_t* to, std::int64_t count);
};

}  // namespace prunus::hardware

PRUNUS_KERNELS(hardware::NarrowingKernels)
