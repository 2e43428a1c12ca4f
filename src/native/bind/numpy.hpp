// NumPy's arrays by its own C interface, where nanobind's way to them takes longer than a small solve.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#define NPY_TARGET_VERSION NPY_1_22_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL prunus_numpy
#ifndef PRUNUS_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

/// Types of arrays in signatures.
#define PRUNUS_ARRAY(type) "numpy.typing.NDArray[numpy." type "]"
#define PRUNUS_ANY_ARRAY "numpy.typing.NDArray[typing.Any]"

namespace prunus {

/// A new array of int64 or float64.
inline nanobind::object new_array(int type, std::int64_t size) {
    npy_intp shape = size;
    return nanobind::steal(PyArray_SimpleNew(1, &shape, type));
}

template <class T>
T* data_of(nanobind::handle array) {
    return static_cast<T*>(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array.ptr())));
}

}  // namespace prunus
