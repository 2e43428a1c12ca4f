"""One GPU as the searches see it: memory, kernels, and sentences for all that can be missing."""

from __future__ import annotations

import contextlib
import sys
import weakref
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from prunus.cuda.cache_folder import find_cache_folder
from prunus.cuda.kernels import Kernels
from prunus.cuda.staging import LARGEST, Staging
from prunus.errors import DeviceError, missing_extra

__all__ = ["OLDEST", "Device", "available", "devices", "names"]

OLDEST = (7, 0)
"""Kernels need lanes of a warp that wait for one another (Volta and later)."""


def _cupy() -> Any:
    if "cupy" not in sys.modules and find_spec("cupy") is not None:
        find_cache_folder()
    try:
        import cupy
    except ImportError as error:
        raise missing_extra("searching on a GPU", "cuda13") from error
    return cupy


def devices() -> int:
    """Return the number of GPUs.

    Raises
    ------
    MissingExtraError
        If CuPy is not installed.
    DeviceError
        If there is no driver or no GPU.
    """
    cupy = _cupy()
    try:
        count = int(cupy.cuda.runtime.getDeviceCount())
    except cupy.cuda.runtime.CUDARuntimeError as error:
        reason = str(error).partition(": ")[2] or str(error)
        raise DeviceError(
            f"no GPU can be used ({reason}); check the driver with nvidia-smi, "
            f"or search on the CPU with devices='cpu'"
        ) from error
    if count == 0:
        raise DeviceError("this machine has no GPU; search on the CPU with devices='cpu'")
    return count


def names() -> tuple[str, ...]:
    """Return for each GPU the place in the machine that tells it from others in any process.

    Raises
    ------
    MissingExtraError
        If CuPy is not installed.
    DeviceError
        If there is no driver or no GPU.
    """
    count = devices()
    place = _cupy().cuda.runtime.deviceGetPCIBusId
    return tuple(str(place(index)) for index in range(count))


def available() -> str | None:
    """Return None if a GPU can be used, else the reason in one sentence."""
    try:
        for index in range(devices()):
            Device(index)
    except (DeviceError, ImportError) as error:
        return str(error)
    return None


@cache
def _properties(ask: Callable[[int], Any], index: int) -> Any:
    """Ask what a GPU is like, once: the answer takes a millisecond."""
    return ask(index)


_streams: dict[tuple[Any, ...], list[list[Any]]] = {}
"""Streams of devices that are not used any more: whoever takes them finds their memory as well."""

_connected: dict[tuple[int, int, int], Any] = {}
"""GPUs of which the first can read the other's memory; the driver complains when asked again."""


def _is_small(*arrays: Any) -> bool:
    """Whether the first array is worth a copy of its own way, and all lie side by side."""
    return 0 < arrays[0].nbytes <= LARGEST and all(a.flags.c_contiguous for a in arrays)


class Device(Kernels):
    """One GPU.

    Parameters
    ----------
    index
        Its number, from 0.

    Raises
    ------
    MissingExtraError
        If CuPy is not installed.
    DeviceError
        If there is no such GPU, or if it is too old.
    """

    warp = 32

    def __init__(self, index: int = 0) -> None:
        count = devices()
        if not 0 <= index < count:
            raise DeviceError(
                f"there is no GPU cuda:{index}; this machine has {count}, "
                f"cuda:0 to cuda:{count - 1}"
            )
        self._cupy = _cupy()
        properties = _properties(self._cupy.cuda.runtime.getDeviceProperties, index)
        self.index = index
        self.model = properties["name"].decode()
        self.capability = (int(properties["major"]), int(properties["minor"]))
        self.multiprocessors = int(properties["multiProcessorCount"])
        self.shared_limit = int(properties["sharedMemPerBlockOptin"])
        self.shared_total = int(properties["sharedMemPerMultiprocessor"])
        if self.capability < OLDEST:
            raise DeviceError(
                f"cuda:{index} ({self.model}, compute capability "
                f"{self.capability[0]}.{self.capability[1]}) is too old; "
                f"{OLDEST[0]}.{OLDEST[1]} or later is needed"
            )
        with self._here():
            self._device = self._cupy.cuda.Device(index)
            idle = _streams.setdefault((id(self._cupy), index), [])
            try:
                streams = idle.pop()
            except IndexError:
                stream = self._cupy.cuda.Stream
                streams = [stream(non_blocking=True), stream(non_blocking=True)]
            self._stream, self._beside = streams[:2]
            self._streams = streams
        weakref.finalize(self, idle.append, streams)

    @contextlib.contextmanager
    def _here(self) -> Iterator[None]:
        cupy = self._cupy
        try:
            with cupy.cuda.Device(self.index):
                if hasattr(self, "_stream"):
                    with self._stream:
                        yield
                else:
                    yield
        except cupy.cuda.memory.OutOfMemoryError as error:
            raise DeviceError(
                f"cuda:{self.index} ({self.model}) has too little free memory for this search; "
                f"end other programs on it or use another device"
            ) from error
        except (
            cupy.cuda.runtime.CUDARuntimeError,
            cupy.cuda.driver.CUDADriverError,
        ) as error:
            raise DeviceError(f"cuda:{self.index} ({self.model}) failed: {error}") from error

    def free_memory(self) -> int:
        """Return the free memory in bytes."""
        with self._here():
            pool = self._cupy.get_default_memory_pool()
            return int(self._device.mem_info[0]) + int(pool.free_bytes())

    def trim(self) -> None:
        """Give back memory that nothing uses: what is next asked for may fit in no piece of it."""
        with self._here():
            self._cupy.get_default_memory_pool().free_all_blocks()

    def fits(self, count: int) -> bool:
        """Tell whether so many bytes are free; the driver is asked only if it must be.

        Its answer takes some tenths of a millisecond.
        """
        with self._here():
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
        """Return a copy of a host array in the device's memory."""
        with self._here():
            if not (isinstance(values, np.ndarray) and _is_small(values)):
                return self._cupy.asarray(values)
            array = self._cupy.empty(values.shape, values.dtype)
            self._staging.send(values, self.address(array), self._stream)
            return array

    def full(self, count: int, value: int, kind: DTypeLike) -> Any:
        """Return a device array of ``count`` equal values."""
        with self._here():
            return self._cupy.full(max(count, 1), value, kind)

    def empty(self, count: int, kind: DTypeLike) -> Any:
        """Return a device array of ``count`` undefined values."""
        with self._here():
            return self._cupy.empty(max(count, 1), kind)

    def contiguous(self, array: Any) -> Any:
        """Return a device array whose entries lie one after the other."""
        with self._here():
            return self._cupy.ascontiguousarray(array)

    def rows(self, array: Any, at: NDArray[Any]) -> Any:
        """Return some rows of a device array."""
        with self._here():
            return array[self._cupy.asarray(at)]

    def write(self, array: Any, values: NDArray[Any]) -> None:
        """Overwrite the beginning of a device array."""
        with self._here():
            if array.ndim == 1 and array.dtype == values.dtype and _is_small(values, array):
                assert values.size <= array.size, "more values than places"
                self._staging.send(values, self.address(array), self._stream)
            else:
                array[: len(values)].set(values)

    def send(self, array: Any, values: NDArray[Any]) -> None:
        """Overwrite the beginning of a device array by values from ``pinned``, without waiting.

        They have to stay as they are until the device is done with it.
        """
        runtime, source = self._cupy.cuda.runtime, int(values.ctypes.data)
        with self._here():
            runtime.memcpyAsync(
                self.address(array), source, values.nbytes, runtime.memcpyHostToDevice,
                self._stream.ptr,
            )  # fmt: skip

    def read(self, array: Any) -> NDArray[Any]:
        """Wait for the kernels and return a device array's values."""
        with self._here():
            if not _is_small(array):
                return np.asarray(array.get())
            values = np.empty(array.shape, array.dtype)
            self._staging.receive(values, self.address(array), self._stream)
            return values

    def mark(self) -> Any:
        """Return an event that happens when everything launched so far is done."""
        with self._here():
            event = self._cupy.cuda.Event(disable_timing=True)
            event.record(self._stream)
            return event

    def until(self, event: Any) -> None:
        """Wait here for an event of this device."""
        with self._here():
            event.synchronize()

    def wait(self, event: Any) -> None:
        """Let everything launched from now on wait for an event of any device."""
        self._stream.wait_event(event)

    def connect(self, other: Device) -> bool:
        """Let this device reach another one's memory; return whether it does."""
        runtime, both = self._cupy.cuda.runtime, (id(self._cupy), self.index, other.index)
        if both in _connected or other.index == self.index:
            return True
        with self._here():
            if not runtime.deviceCanAccessPeer(self.index, other.index):
                return False
            try:
                runtime.deviceEnablePeerAccess(other.index)
            except runtime.CUDARuntimeError as error:
                if "AlreadyEnabled" not in str(error):
                    raise
        _connected[both] = self._cupy
        return True

    def copy(self, target: int, source: int, count: int, origin: Device) -> None:
        """Copy bytes between two addresses, from another device or within this one."""
        runtime, stream = self._cupy.cuda.runtime, self._stream.ptr
        with self._here():
            if origin.index == self.index:
                runtime.memcpyAsync(target, source, count, runtime.memcpyDeviceToDevice, stream)
            else:
                runtime.memcpyPeerAsync(target, self.index, source, origin.index, count, stream)

    def mapped(self, count: int) -> tuple[NDArray[np.int64], int]:
        """Return zeros in host memory, and the address at which running kernels see them."""
        with self._here():
            memory = self._cupy.cuda.alloc_pinned_memory(8 * count)
        array: NDArray[np.int64] = np.frombuffer(memory, np.int64, count)
        array[:] = 0
        return array, int(memory.ptr)

    def pinned(self, count: int, kind: DTypeLike) -> NDArray[Any]:
        """Return an undefined host array that copies from devices reach fastest."""
        size = count * np.dtype(kind).itemsize
        with self._here():
            return np.frombuffer(self._cupy.cuda.alloc_pinned_memory(size), kind, count)

    def read_into(self, array: Any, values: NDArray[Any]) -> NDArray[Any]:
        """Wait for the kernels and read a device array into a host array."""
        with self._here():
            array.get(out=values)
            return values

    def read_aside(self, array: Any) -> NDArray[Any]:
        """Return the values of an array that nothing writes any more, while kernels run on."""
        with self._here(), self._beside:
            return np.asarray(array.get())

    def finish(self) -> None:
        """Wait for everything launched so far."""
        with self._here():
            self._stream.synchronize()

    def running_sum(self, array: Any) -> None:
        """Replace every value of a device array by the sum of those up to it."""
        with self._here():
            self._cupy.cumsum(array, dtype=array.dtype, out=array)

    def address(self, array: Any) -> int:
        """Return where a device array lies."""
        return int(array.data.ptr)
