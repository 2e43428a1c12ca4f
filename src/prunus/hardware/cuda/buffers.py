"""What a device does with memory: its own, and the host's that it reaches."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from prunus.hardware.cuda.driver import driver
from prunus.hardware.cuda.staging import LARGEST, Staging

_FEW = 2**20
"""Bytes that are filled on the host as soon."""


def _is_small(*arrays: Any) -> bool:
    """Whether the first array is worth a copy of its own way, and all lie side by side."""
    return 0 < arrays[0].nbytes <= LARGEST and all(a.flags.c_contiguous for a in arrays)


class Buffers:
    """The part of a ``Device`` that knows its memory."""

    _cupy: Any
    _device: Any
    _stream: Any
    _beside: Any
    _streams: list[Any]

    def current(self) -> AbstractContextManager[None]:
        """Make the device and its stream the current ones."""
        raise NotImplementedError

    def free_memory(self) -> int:
        with self.current():
            pool = self._cupy.get_default_memory_pool()
            return int(self._device.mem_info[0]) + int(pool.free_bytes())

    def trim(self) -> None:
        """Give back memory that nothing uses: what is next asked for may fit in no piece of it."""
        with self.current():
            self._cupy.get_default_memory_pool().free_all_blocks()

    def fits(self, count: int) -> bool:
        """Tell whether so many bytes are free; the driver is asked only if it must be.

        Its answer takes some tenths of a millisecond.
        """
        with self.current():
            held = int(self._cupy.get_default_memory_pool().free_bytes())
        return count <= held or count <= self.free_memory()

    @property
    def _staging(self) -> Staging:
        """What small copies go through; it stays with the streams."""
        if len(self._streams) == 2:
            self._streams.append(Staging(self._cupy))
        staging: Staging = self._streams[2]
        return staging

    def put(self, values: ArrayLike) -> Any:
        with self.current():
            if not (isinstance(values, np.ndarray) and _is_small(values)):
                return self._cupy.asarray(values)
            array = self._cupy.empty(values.shape, values.dtype)
            self._staging.send(values, self.address(array), self._stream)
            return array

    def full(self, count: int, value: int, kind: DTypeLike) -> Any:
        """Return a device array of ``count`` equal values.

        Without a kernel where that takes no time: CuPy would compile one for every type.
        """
        one = np.array(value, kind).tobytes()
        with self.current():
            if len(set(one)) > 1:
                if count * len(one) <= _FEW:
                    return self.put(np.full(max(count, 1), value, kind))
                return self._cupy.full(max(count, 1), value, kind)
            array = self._cupy.empty(max(count, 1), kind)
            runtime = self._cupy.cuda.runtime
            runtime.memsetAsync(self.address(array), one[0], array.nbytes, self._stream.ptr)
            return array

    def empty(self, count: int, kind: DTypeLike) -> Any:
        with self.current():
            return self._cupy.empty(max(count, 1), kind)

    def contiguous(self, array: Any) -> Any:
        with self.current():
            return self._cupy.ascontiguousarray(array)

    def rows(self, array: Any, at: NDArray[Any]) -> Any:
        with self.current():
            return array[self._cupy.asarray(at)]

    def write(self, array: Any, values: NDArray[Any]) -> None:
        with self.current():
            if array.ndim == 1 and array.dtype == values.dtype and _is_small(values, array):
                assert values.size <= array.size, "more values than places"
                self._staging.send(values, self.address(array), self._stream)
            else:
                array[: len(values)].set(values)

    def send(self, array: Any, values: NDArray[Any]) -> None:
        """Overwrite the beginning of a device array by values from ``pinned``, without waiting.

        They have to stay as they are until the device is done with it.
        """
        cuda, own = self._cupy.cuda, driver(self._cupy)
        way = self.address(array), int(values.ctypes.data), values.nbytes
        with self.current():
            if own is not None:
                cuda.driver.check_status(own.copy(*way, self._stream.ptr))
            else:
                cuda.runtime.memcpyAsync(*way, cuda.runtime.memcpyHostToDevice, self._stream.ptr)

    def fetch(self, array: Any, values: NDArray[Any]) -> None:
        """Read a device array into an array from ``pinned``, without waiting.

        It is there when an event that is marked afterwards has happened.
        """
        runtime, target = self._cupy.cuda.runtime, int(values.ctypes.data)
        with self.current():
            runtime.memcpyAsync(
                target, self.address(array), values.nbytes, runtime.memcpyDeviceToHost,
                self._stream.ptr,
            )  # fmt: skip

    def read(self, array: Any) -> NDArray[Any]:
        with self.current():
            if not _is_small(array):
                return np.asarray(array.get())
            values = np.empty(array.shape, array.dtype)
            self._staging.receive(values, self.address(array), self._stream)
            return values

    def mapped(self, count: int) -> tuple[NDArray[np.int64], int]:
        with self.current():
            memory = self._cupy.cuda.alloc_pinned_memory(8 * count)
        array: NDArray[np.int64] = np.frombuffer(memory, np.int64, count)
        array[:] = 0
        return array, int(memory.ptr)

    def pinned(self, count: int, kind: DTypeLike) -> NDArray[Any]:
        size = count * np.dtype(kind).itemsize
        with self.current():
            return np.frombuffer(self._cupy.cuda.alloc_pinned_memory(size), kind, count)

    def read_into(self, array: Any, values: NDArray[Any]) -> NDArray[Any]:
        with self.current():
            array.get(out=values)
            return values

    def read_aside(self, array: Any) -> NDArray[Any]:
        with self.current(), self._beside:
            return np.asarray(array.get())

    def running_sum(self, array: Any) -> None:
        with self.current():
            self._cupy.cumsum(array, dtype=array.dtype, out=array)

    def address(self, array: Any) -> int:
        return int(array.data.ptr)
