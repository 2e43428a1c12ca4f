"""What a GPU offers to the searches, as a Protocol: memory, kernels, events, copies.

:class:`prunus.hardware.cuda.CudaDevice` implements it with CuPy; the tests' emulated devices
implement it on the processor. Searches name these types, never an implementation.

Everything that is launched or copied goes into the one stream of the device, in order. The host
does not wait for it unless a method says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from prunus.model.arrays import AnyArray, Int64Array


class DeviceArray(Protocol):
    """An array in a device's memory. Its address is asked of the device (``Device.address``)."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each axis."""

    @property
    def ndim(self) -> int:
        """How many axes it has."""

    @property
    def size(self) -> int:
        """How many values it holds."""

    @property
    def nbytes(self) -> int:
        """How many bytes its values take."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of its values."""

    def __len__(self) -> int:
        """Return the length of the first axis."""

    def __getitem__(self, index: Any, /) -> Any:
        """Return a part of it, which shares its memory."""

    def view(self, dtype: Any, /) -> Any:
        """Return the same memory as values of another type."""

    def reshape(self, *shape: Any) -> Any:
        """Return the same memory in another shape."""


class DeviceModule(Protocol):
    """A compiled kernel file. Only the device that made it knows more of it."""


class Kernel(Protocol):
    """A kernel that is ready to be launched. Only the device that made it knows more of it."""


class Event(Protocol):
    """A point in a device's stream. Only the device that made it knows more of it."""


Launch: TypeAlias = tuple[Kernel, int, int, int, int]
"""What ``Device.launch`` takes: kernel, blocks, threads, address, bytes of shared memory."""


class DeviceLimits(Protocol):
    """The properties of a GPU from which the shape of a launch follows."""

    @property
    def warp(self) -> int:
        """Lanes of a warp."""

    @property
    def shared_limit(self) -> int:
        """Bytes of shared memory that one block may have."""

    @property
    def shared_total(self) -> int:
        """Bytes of shared memory of one multiprocessor."""


class Device(DeviceLimits, Protocol):
    """One GPU."""

    @property
    def index(self) -> int:
        """Its number, from 0."""

    @property
    def model(self) -> str:
        """Its name, for people."""

    @property
    def multiprocessors(self) -> int:
        """How many multiprocessors it has."""

    # Memory

    def free_memory(self) -> int:
        """Return the free memory in bytes."""

    def fits(self, count: int) -> bool:
        """Tell whether so many bytes are free; cheaper than ``free_memory``."""

    def trim(self) -> None:
        """Give memory that is kept for reuse back to the driver."""

    def put(self, values: ArrayLike) -> DeviceArray:
        """Return a copy of a host array in the device's memory."""

    def full(self, count: int, value: int, kind: DTypeLike) -> DeviceArray:
        """Return a device array of ``count`` equal values."""

    def empty(self, count: int, kind: DTypeLike) -> DeviceArray:
        """Return a device array of ``count`` undefined values."""

    def contiguous(self, array: DeviceArray) -> DeviceArray:
        """Return a device array whose entries lie one after the other."""

    def rows(self, array: DeviceArray, at: AnyArray) -> DeviceArray:
        """Return some rows of a device array."""

    def running_sum(self, array: DeviceArray) -> None:
        """Replace every value of a device array by the sum of those up to it."""

    def address(self, array: DeviceArray) -> int:
        """Return where a device array lies."""

    # Copies

    def write(self, array: DeviceArray, values: AnyArray) -> None:
        """Overwrite the beginning of a device array; ``values`` may be changed afterwards."""

    def send(self, array: DeviceArray, values: AnyArray) -> None:
        """Overwrite the beginning of a device array by values from ``pinned``, without waiting."""

    def read(self, array: DeviceArray) -> AnyArray:
        """Wait for the stream and return a device array's values."""

    def read_into(self, array: DeviceArray, values: AnyArray) -> AnyArray:
        """Wait for the stream and read a device array into a host array."""

    def fetch(self, array: DeviceArray, values: AnyArray) -> None:
        """Read a device array into an array from ``pinned``, without waiting."""

    def current(self) -> AbstractContextManager[None]:
        """Make it the current one of this thread: what is asked of it meanwhile takes less time."""

    def side(self) -> Device:
        """Return the same device with a stream of its own, in which others do not wait.

        What one of the two streams is to find of the other's work it has to ``wait`` for.
        """

    def read_aside(self, array: DeviceArray) -> AnyArray:
        """Return the values of an array that nothing writes any more, while kernels run on."""

    def copy(self, target: int, source: int, count: int, origin: Device) -> None:
        """Copy bytes between two addresses, from another device or within this one."""

    def mapped(self, count: int) -> tuple[Int64Array, int]:
        """Return zeros in host memory, and the address at which running kernels see them."""

    def pinned(self, count: int, kind: DTypeLike) -> AnyArray:
        """Return an undefined host array that copies from devices reach fastest."""

    # Events and other devices

    def mark(self) -> Event:
        """Return an event that happens when everything launched so far is done."""

    def until(self, event: Event) -> None:
        """Wait here for an event of this device."""

    def is_recorded(self) -> bool:
        """Tell whether what is launched becomes part of a graph, to run later and repeatedly."""

    def wait(self, event: Event) -> None:
        """Let everything launched from now on wait for an event of any device."""

    def finish(self) -> None:
        """Wait here for everything launched so far."""

    def connect(self, other: Device) -> bool:
        """Let this device reach another one's memory; return whether it does."""

    # Kernels

    def compile(self, path: str, constants: Mapping[str, int | str]) -> DeviceModule:
        """Compile a kernel file, specialised by constants, or find it compiled."""

    def begin_compiling(self, path: str, constants: Mapping[str, int | str]) -> None:
        """Let a kernel file that will be wanted be compiled in the background."""

    def prepare(
        self, module: DeviceModule, name: str, threads: int, shared: int
    ) -> tuple[Kernel, int]:
        """Return a kernel and how many of its blocks one multiprocessor holds."""

    def launch(self, kernel: Kernel, blocks: int, threads: int, address: int, shared: int) -> None:
        """Start a kernel whose only argument is a pointer."""

    def launch_with(
        self, kernel: Kernel, blocks: int, threads: int, record: AnyArray, shared: int
    ) -> None:
        """Start a kernel whose only argument is a structure, which the launch takes along."""

    def launch_in_turn(self, launches: Sequence[Launch], times: int) -> None:
        """Start kernels one after the other, and all again, so many times."""

    def launch_together(
        self, kernel: Kernel, blocks: int, threads: int, address: int, shared: int
    ) -> None:
        """Start a kernel whose blocks wait for one another: all run at the same time or none."""
