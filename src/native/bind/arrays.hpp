// Arrays as kernels take them: of one type, contiguous, on the host. A call with any other raises a
// TypeError; nothing is converted or copied.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>

namespace prunus {

template <class T, int Dimensions = 1>
using Array =
    nanobind::ndarray<T, nanobind::numpy, nanobind::ndim<Dimensions>, nanobind::c_contig, nanobind::device::cpu>;

/// A flag that another thread sets to stop a kernel: an int64 array of one element.
using StopFlag = Array<const std::int64_t>;

}  // namespace prunus
