"""Arrays that others have put into a GPU's memory: taken through DLPack, without a copy."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from prunus.hardware.cuda.borrowed import Borrowed
from prunus.hardware.cuda.conversion import NAMES, converted, held_by
from prunus.hardware.cuda.device import CudaDevice, _cupy
from prunus.hardware.cuda.structs import Field, Structure
from prunus.hardware.cuda.survey import Survey
from prunus.hardware.device import Device
from prunus.hardware.resident import Extremes

_THREADS = 256

PICK = Structure(
    "Pick",
    Field("from", "const value_t*"),
    Field("place", "const i64*", "where in it"),
    Field("into", "value_t*"),
    Field("count", "u64"),
)

STRUCTURES = (PICK,)


def resident(held: Borrowed) -> Any:
    """Return a matrix, or a stack of them, in a GPU's memory as CuPy sees it; rows are contiguous.

    It is copied only if it is of another type than float32, float64, int32 and int64, or the
    entries of a row do not lie side by side. What others still compute for it is waited for.
    """
    held.wait_for_others()
    kind = held_by(held.kind)
    together = held.strides[-1] == 1 and held.strides[-2] >= held.shape[-1]
    if together and held.kind == NAMES[kind.str[1:]]:
        return held.as_cupy()
    return converted(held, kind)


def pick(array: Any, at: tuple[NDArray[Any], ...]) -> NDArray[Any]:
    """Return some entries of an array whose last axis is contiguous, on the host."""
    cupy = _cupy()
    size = array.dtype.itemsize
    if min(array.strides) < 0:
        return np.asarray(array[tuple(cupy.asarray(index) for index in at)].get())
    # One list of places in memory: with an index for each axis CuPy launches several kernels.
    place = sum(index * (stride // size) for index, stride in zip(at, array.strides, strict=True))
    return picked(device_of(array), int(array.data.ptr), array.dtype, np.asarray(place))


def picked(device: Device, address: int, kind: DTypeLike, place: NDArray[np.int64]) -> NDArray[Any]:
    """Return the values at some places of an array on a device.

    The kernel reads the places from the host's memory and writes the values there: for some
    thousands that takes a fraction of what copies take.
    """
    kind, count = np.dtype(kind), place.size
    head = PICK.words
    memory = device.pinned(head + count + -(-count * kind.itemsize // 8), np.int64)
    words, places = memory[:head], memory[head : head + count]
    values = memory[head + count :].view(kind)[:count]
    words.view(PICK.dtype)[0] = (address, places.ctypes.data, values.ctypes.data, count)
    places[:] = place.reshape(-1)
    module = device.compile(
        "hardware/cuda/pick.cu", {"VALUE": NAMES[kind.str[1:]], "THREADS": _THREADS}
    )
    kernel, _ = device.prepare(module, "pick", _THREADS, 0)
    device.launch(kernel, -(-count // _THREADS) or 1, _THREADS, words.ctypes.data, 0)
    device.finish()
    return np.array(values).reshape(place.shape)


def device_of(array: Any) -> CudaDevice:
    """Return the GPU that an array of CuPy's lies on."""
    return _device(array.device.id)


@cache
def _device(index: int) -> CudaDevice:
    """Return a GPU; to begin with one takes longer than some kernels do."""
    return CudaDevice(index)


def extremes(array: Any) -> Extremes:
    """Go through an array of shape (rows, columns), or a stack of them, on its device."""
    if array.ndim == 3:
        array = array.reshape(-1, array.shape[-1])
    survey = Survey(device_of(array), array)
    survey.look(0, len(array))
    return survey.found()
