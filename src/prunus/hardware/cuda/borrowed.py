"""Arrays of other libraries on a GPU: where they lie, in which stream, and new ones of their kind.

Nothing is copied, and nobody waits: what is launched goes into the stream in which the library
itself works.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from functools import lru_cache
from typing import Any

import numpy as np

from prunus.errors import InputError, PrunusError
from prunus.hardware.cuda.device import CudaDevice, _cupy
from prunus.hardware.device import Device
from prunus.model.arrays import AnyArray, Int64Array

_KINDS = {
    "float16": "half_t",
    "bfloat16": "bfloat_t",
    "float32": "float",
    "float64": "double",
    "bool": "u8",
    "uint8": "u8",
    "uint16": "u16",
    "uint32": "u32",
    "uint64": "u64",
    "int8": "signed char",
    "int16": "short",
    "int32": "int",
    "int64": "i64",
}
"""What kernels call the types of values, see ``numbers.cuh``."""


class Borrowed(ABC):
    """An array of another library in a GPU's memory.

    ``address`` is where it begins; strides are in values. ``kind`` and ``index`` are what a kernel
    calls the types of its values and of indices. What ``device`` launches goes into the library's
    stream.
    """

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    kind: str
    device: Device
    index: str = "i64"

    @abstractmethod
    def indices(self, shape: tuple[int, ...]) -> tuple[Any, int]:
        """Return an array of undefined indices of the same library there, and its address."""

    @abstractmethod
    def whole_numbers(self, values: Any) -> tuple[Any, int]:
        """Return values, of the host or the device, as int64 there, and the address."""

    @abstractmethod
    def as_cupy(self) -> Any:
        """Return the array as CuPy sees it, of one of the types that NumPy has."""

    @abstractmethod
    def given_back(self, array: Any) -> Any:
        """Return what ``indices`` made, filled, as the library's own array."""

    @abstractmethod
    def put(self, values: Int64Array) -> Any:
        """Return indices of the host as an array of the library on the device."""

    @abstractmethod
    def read(self, array: Any = None) -> AnyArray:
        """Wait, and return a copy on the host, of this array or of ``whole_numbers``."""

    def wait_for_others(self) -> None:
        """Wait for all that the device does, in whatever stream."""
        cupy = _cupy()
        with cupy.cuda.Device(self.device.index):
            cupy.cuda.runtime.deviceSynchronize()


class _Torch(Borrowed):
    def __init__(self, tensor: Any, what: str) -> None:
        self._torch = sys.modules["torch"]
        self._tensor = tensor
        self.address = tensor.data_ptr()
        self.shape, self.strides = tuple(tensor.shape), tensor.stride()
        self.kind = _kind(str(tensor.dtype).removeprefix("torch."), what)
        place = tensor.device
        self.device = _in_stream(place.index, _torch_stream(self._torch, place))

    def indices(self, shape: tuple[int, ...]) -> tuple[Any, int]:
        array = self._tensor.new_empty(shape, dtype=self._torch.int64)
        return array, array.data_ptr()

    def whole_numbers(self, values: Any) -> tuple[Any, int]:
        array = self._torch.as_tensor(values)
        array = array.to(self._tensor.device, self._torch.int64).contiguous()
        return array, array.data_ptr()

    def as_cupy(self) -> Any:
        return _cupy().from_dlpack(self._tensor.detach())

    def given_back(self, array: Any) -> Any:
        return array

    def put(self, values: Int64Array) -> Any:
        # A copy: PyTorch warns of views of arrays that are read-only.
        return self._torch.tensor(values, device=self._tensor.device)

    def read(self, array: Any = None) -> AnyArray:
        host = (self._tensor.detach() if array is None else array).cpu()
        found: AnyArray = (host.float() if host.dtype == self._torch.bfloat16 else host).numpy()
        return found


class _Cupy(Borrowed):
    def __init__(self, array: Any, kind: str) -> None:
        self._cupy = _cupy()
        self._array = array
        self.address = int(array.data.ptr)
        self.shape = array.shape
        self.strides = tuple(stride // array.itemsize for stride in array.strides)
        self.kind = kind
        stream = self._cupy.cuda.get_current_stream(array.device.id).ptr
        self.device = _in_stream(array.device.id, stream)

    def indices(self, shape: tuple[int, ...]) -> tuple[Any, int]:
        with self._cupy.cuda.Device(self._array.device.id):
            array = self._cupy.empty(shape, np.int32 if self.index == "int" else np.int64)
        return array, int(array.data.ptr)

    def whole_numbers(self, values: Any) -> tuple[Any, int]:
        cupy = self._cupy
        with cupy.cuda.Device(self._array.device.id):
            if hasattr(values, "__dlpack_device__") and not isinstance(values, cupy.ndarray):
                values = np.from_dlpack(values) if _is_host(values) else cupy.from_dlpack(values)
            array = cupy.ascontiguousarray(cupy.asarray(values).astype(np.int64, copy=False))
        return array, int(array.data.ptr)

    def as_cupy(self) -> Any:
        return self._array

    def given_back(self, array: Any) -> Any:
        return array

    def put(self, values: Int64Array) -> Any:
        array, _ = self.indices(values.shape)
        array.set(values.astype(array.dtype))
        return self.given_back(array)

    def read(self, array: Any = None) -> AnyArray:
        host: AnyArray = (self._array if array is None else array).get()
        if array is None and self.kind == "bfloat_t":
            host = (host.astype(np.uint32) << 16).view(np.float32)
        return host


class _Jax(_Cupy):
    """An array of JAX, which CuPy sees through DLPack."""

    def __init__(self, array: Any, what: str) -> None:
        self._jax = sys.modules["jax"]
        kind = _kind(str(array.dtype), what)
        if kind == "bfloat_t":  # no library but JAX's own knows it
            array = self._jax.lax.bitcast_convert_type(array, np.uint16)
        super().__init__(_cupy().from_dlpack(array), kind)
        if not self._jax.config.jax_enable_x64:
            self.index = "int"

    def given_back(self, array: Any) -> Any:
        return self._jax.dlpack.from_dlpack(array)


def borrow(values: Any, what: str) -> Borrowed:
    """Look at an array in a GPU's memory, of PyTorch, CuPy, JAX or, as CuPy's, any other library.

    Raises ``InputError`` if its values are no real numbers of at most 64 bits, or its library does
    not give it away; ``MissingExtraError`` if CuPy is not installed.
    """
    cupy = _cupy()
    library = type(values).__module__.partition(".")[0]
    try:
        if hasattr(values, "data_ptr") and "torch" in sys.modules:
            return _Torch(values, what)
        if library in ("jax", "jaxlib"):
            return _Jax(values, what)
        if not isinstance(values, cupy.ndarray):
            dlpack = hasattr(values, "__dlpack__")
            values = cupy.from_dlpack(values) if dlpack else cupy.asarray(values)
        return _Cupy(values, _kind(str(values.dtype), what))
    except PrunusError:
        raise
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise InputError(
            f"{what} cannot be read on its device: {str(error).splitlines()[0]}"
        ) from None


def _kind(name: str, what: str) -> str:
    if name not in _KINDS:
        raise InputError(
            f"{what} on a device must be of real numbers of at most 64 bits, got {name}"
        )
    return _KINDS[name]


def _torch_stream(torch: Any, place: Any) -> int:
    """Return the stream in which PyTorch works; sooner by the number that its compiler asks for."""
    number = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    return int(number(place.index) if number else torch.cuda.current_stream(place).cuda_stream)


def _is_host(values: Any) -> bool:
    return int(values.__dlpack_device__()[0]) == 1


@lru_cache(64)
def _in_stream(index: int, stream: int) -> CudaDevice:
    """Return a GPU of which everything goes into a stream of others."""
    return CudaDevice(index, stream)
