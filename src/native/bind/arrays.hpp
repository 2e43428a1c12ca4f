// Arrays as kernels take them: of one type, contiguous, on the host. A call with any other raises a
// TypeError; nothing is converted or copied.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdint>

namespace prunus {

template <class T, int Dimensions = 1>
using Array =
    nanobind::ndarray<T, nanobind::numpy, nanobind::ndim<Dimensions>, nanobind::c_contig, nanobind::device::cpu>;

/// A flag that another thread sets to stop a kernel: an int64 array of one element.
using StopFlag = Array<const std::int64_t>;

/// A new NumPy array of a vector's values.
template <class To, class From>
nanobind::ndarray<nanobind::numpy, To, nanobind::ndim<1>> as_array(const From& values) {
    To* const data = new To[values.size()];
    std::copy(values.begin(), values.end(), data);
    const nanobind::capsule owner(data, [](void* memory) noexcept { delete[] static_cast<To*>(memory); });
    return {data, {values.size()}, owner};
}

}  // namespace prunus
