"""One GPU as the searches see it: memory, kernels, and sentences for all that can be missing."""

from __future__ import annotations

import copy
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache
from importlib.util import find_spec
from typing import Any

from prunus.errors import DeviceError, missing_extra
from prunus.hardware.cuda.buffers import Buffers
from prunus.hardware.cuda.cache_folder import find_cache_folder
from prunus.hardware.cuda.driver import driver
from prunus.hardware.cuda.kernels import Kernels
from prunus.hardware.device import Device
from prunus.hardware.gpu_driver import is_installed

OLDEST = (7, 0)
"""Kernels need lanes of a warp that wait for one another (Volta and later)."""

_NO_DRIVER = "no GPU can be used, because this machine has no GPU driver; search on the CPU"


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

    Raises ``MissingExtraError`` if CuPy is not installed; ``DeviceError`` if there is no driver or
    no GPU.
    """
    if "cupy" not in sys.modules and find_spec("cupy") is not None and not is_installed():
        raise DeviceError(_NO_DRIVER)  # to import CuPy only to be told so takes .4 s
    cupy = _cupy()
    try:
        count = int(cupy.cuda.runtime.getDeviceCount())
    except cupy.cuda.runtime.CUDARuntimeError as error:
        if not _has_driver(cupy.cuda.runtime):
            raise DeviceError(_NO_DRIVER) from error
        reason = str(error).partition(": ")[2] or str(error)
        raise DeviceError(
            f"no GPU can be used ({reason}); check the driver with nvidia-smi, or search on the CPU"
        ) from error
    if count == 0:
        raise DeviceError("this machine has no GPU; search on the CPU")
    return count


def _has_driver(runtime: Any) -> bool:
    """Tell a machine without a driver, whose version is 0, from one whose driver fails."""
    try:
        return bool(runtime.driverGetVersion())
    except runtime.CUDARuntimeError:
        return True


def names() -> tuple[str, ...]:
    """Return for each GPU the place in the machine that tells it from others in any process.

    Raises ``MissingExtraError`` if CuPy is not installed; ``DeviceError`` if there is no driver or
    no GPU.
    """
    count = devices()
    place = _cupy().cuda.runtime.deviceGetPCIBusId
    return tuple(str(place(index)) for index in range(count))


def available() -> str | None:
    """Return None if a GPU can be used, else the reason in one sentence."""
    try:
        for index in range(devices()):
            CudaDevice(index)
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


class _Stream:
    """A stream of another library, as the protocol for that has it."""

    def __init__(self, pointer: int) -> None:
        self._pointer = pointer

    def __cuda_stream__(self) -> tuple[int, int]:
        """Return the version of the protocol and the stream."""
        return 0, self._pointer


def _as_stream(cupy: Any, pointer: int) -> Any:
    """Return a stream of another library as CuPy's."""
    if hasattr(cupy.cuda.Stream, "from_external"):
        return cupy.cuda.Stream.from_external(_Stream(pointer))
    return cupy.cuda.ExternalStream(pointer)  # CuPy before 14


class _Current:
    """While this is open a device and its stream are the current ones of a thread.

    What CuPy raises comes out as ``DeviceError``. It is entered dozens of times in a solve of some
    milliseconds, for which a generator takes twice as long; inside another one of the same device
    there is nothing to do.
    """

    __slots__ = ("_before", "_device", "_entered")

    def __init__(self, device: CudaDevice) -> None:
        self._device = device
        self._entered: list[Any] = []

    def __enter__(self) -> None:
        device = self._device
        self._before = getattr(_innermost, "device", None)
        if self._before is device:
            return
        try:
            for each in (device._cupy.cuda.Device(device.index), getattr(device, "_stream", None)):
                if each is not None:
                    each.__enter__()
                    self._entered.append(each)
        except Exception as error:
            self._leave()
            device._explain(error)
            raise
        _innermost.device = device

    def __exit__(self, kind: type[BaseException] | None, error: Any, trace: Any) -> None:
        self._leave()
        if kind is not None:
            self._device._explain(error)

    def _leave(self) -> None:
        for each in reversed(self._entered):
            each.__exit__()
        _innermost.device = self._before


_innermost = threading.local()
"""The device that a thread has made its current one last, and has not left."""


class CudaDevice(Kernels, Buffers):
    """One GPU.

    Raises ``MissingExtraError`` if CuPy is not installed; ``DeviceError`` if there is no such GPU,
    or if it is too old. Everything goes into a ``stream`` of somebody else if given, else into one
    of its own.
    """

    warp = 32

    def __init__(self, index: int, stream: int | None = None) -> None:
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
        with self.current():
            self._device = self._cupy.cuda.Device(index)
            idle = _streams.setdefault((id(self._cupy), index), [])
            try:
                streams = idle.pop()
            except IndexError:
                streams = [self._cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
            self._stream, self._beside = streams[:2]
            self._streams = streams
            if stream is not None:
                self._stream = _as_stream(self._cupy, stream)
        weakref.finalize(self, idle.append, streams)

    def current(self) -> AbstractContextManager[None]:
        return _Current(self)

    def _explain(self, error: BaseException) -> None:
        """Raise what CuPy has raised as an error of a device."""
        cuda = self._cupy.cuda
        if isinstance(error, cuda.memory.OutOfMemoryError):
            raise DeviceError(
                f"cuda:{self.index} ({self.model}) has too little free memory for this search; "
                f"end other programs on it or use another device"
            ) from error
        if isinstance(error, (cuda.runtime.CUDARuntimeError, cuda.driver.CUDADriverError)):
            raise DeviceError(f"cuda:{self.index} ({self.model}) failed: {error}") from error

    def side(self) -> CudaDevice:
        other = copy.copy(self)
        other._stream = self._beside
        return other

    def mark(self) -> Any:
        with self.current():
            cuda, own = self._cupy.cuda, driver(self._cupy)
            event = cuda.Event(disable_timing=True)
            if own is not None:
                cuda.driver.check_status(own.record(event.ptr, self._stream.ptr))
            else:
                event.record(self._stream)
            return event

    def until(self, event: Any) -> None:
        with self.current():
            own = driver(self._cupy)
            if own is None or own.ask(event.ptr):
                event.synchronize()

    def is_recorded(self) -> bool:
        return bool(self._stream.is_capturing())

    def wait(self, event: Any) -> None:
        self._stream.wait_event(event)

    def connect(self, other: Device) -> bool:
        runtime, both = self._cupy.cuda.runtime, (id(self._cupy), self.index, other.index)
        if both in _connected or other.index == self.index:
            return True
        with self.current():
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
        runtime, stream = self._cupy.cuda.runtime, self._stream.ptr
        with self.current():
            if origin.index == self.index:
                runtime.memcpyAsync(target, source, count, runtime.memcpyDeviceToDevice, stream)
            else:
                runtime.memcpyPeerAsync(target, self.index, source, origin.index, count, stream)

    def finish(self) -> None:
        with self.current():
            self._stream.synchronize()
