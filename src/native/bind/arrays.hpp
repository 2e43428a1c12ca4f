// Arrays as kernels take them: of one type, contiguous, on the host. A call with any other raises a
// TypeError; nothing is converted or copied.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace prunus {

template <class T, int Dimensions = 1>
using Array =
    nanobind::ndarray<T, nanobind::numpy, nanobind::ndim<Dimensions>, nanobind::c_contig, nanobind::device::cpu>;

/// A flag that another thread sets to stop a kernel: an int64 array of one element.
using StopFlag = Array<const std::int64_t>;

/// Where a kernel finds a stop flag.
inline const std::int64_t* stop_of(const StopFlag& flag) {
    if (flag.size() == 0) throw nanobind::value_error("a stop flag has one element");
    return flag.data();
}

/// A new array, which Python owns.
template <class T, int Dimensions = 1>
Array<T, Dimensions> new_array(const std::array<std::size_t, Dimensions>& shape) {
    std::size_t size = 1;
    for (const std::size_t extent : shape) size *= extent;
    T* data = new T[size];
    nanobind::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Array<T, Dimensions>(data, Dimensions, shape.data(), owner);
}

/// A new NumPy array of a vector's values.
template <class To, class From>
Array<To> as_array(const From& values) {
    auto array = new_array<To>({values.size()});
    std::copy(values.begin(), values.end(), array.data());
    return array;
}

/// A new NumPy array that takes a vector over.
template <class T>
Array<T> array_of(std::vector<T> values) {
    auto* kept = new std::vector<T>(std::move(values));
    nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Array<T>(kept->data(), {kept->size()}, owner);
}

/// An array over values that stay where they are: for properties, whose object it keeps.
template <class T>
Array<const T> view_of(const std::vector<T>& values) {
    return Array<const T>(values.data(), {values.size()});
}

}  // namespace prunus
