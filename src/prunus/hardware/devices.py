"""Which devices a solve may use, from words: ``auto``, ``cpu``, ``cpu:4``, ``cuda:0,cuda:1``."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from prunus.errors import DeviceError, InputError, OptionError
from prunus.hardware import gpu_driver
from prunus.hardware.device import Device

if TYPE_CHECKING:  # it imports processes and sockets
    from prunus.hardware.executor import ExecutorEngine

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Devices:
    """CPU cores and GPUs to search on."""

    cores: int
    """How many cores explore; 0 for none."""
    gpus: tuple[int, ...] = ()
    """The CUDA ordinals of the GPUs that explore."""
    automatic: bool = False
    """The user left the choice to the library."""
    words: str = field(default="auto", compare=False)
    """What the user said, which a worker of the engine reads on its own machine."""
    engine: ExecutorEngine | None = field(default=None, compare=False)
    """An executor whose workers explore, instead of this process."""


def available_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


def parse_devices(devices: str | Sequence[str], engine: ExecutorEngine | None = None) -> Devices:
    """Read what a user says of devices.

    Raises ``InputError`` if a word is none of these, the same device is named twice, or there is
    none.

    The devices are ``"auto"`` (a GPU if there is one that can do the work, else all cores), or a
    list, with commas or as a sequence, of ``"cpu"`` (all cores), ``"cpu:4"`` (four of them),
    ``"cuda"`` (the first GPU), ``"cuda:1"``. With an executor's engine its workers explore.
    """
    if not isinstance(devices, Iterable):
        raise OptionError(
            "devices", "must be text, such as 'cpu:4', or a list of such texts", devices
        )
    words = devices.split(",") if isinstance(devices, str) else list(devices)
    words = [str(word).strip().lower() for word in words]
    if words == ["auto"]:
        return Devices(available_cores(), automatic=True, engine=engine)
    if not words:
        raise OptionError("devices", "the list is empty; leave it out, or name a device")
    cores = 0
    gpus: list[int] = []
    for word in words:
        kind, colon, number = word.partition(":")
        good = kind in ("cpu", "cuda") and (not colon or (number.isascii() and number.isdigit()))
        if not good or len(number) > 6:
            raise OptionError(
                "devices",
                f"{word!r} is not a device; "
                "write auto, or a list of cpu, cpu:4 (four cores), cuda:0, cuda:1, …",
            )
        if kind == "cuda":
            gpus.append(int(number or 0))
        elif cores:
            raise OptionError("devices", "the CPU is named twice; write the number of cores once")
        else:
            cores = int(number) if number else available_cores()
            if cores == 0:
                raise OptionError("devices", "cpu:0 has no cores; leave it out or use at least one")
            if cores > 4096:
                raise OptionError("devices", f"cpu:{cores} is more than 4096 cores")
    if len(set(gpus)) != len(gpus):
        raise OptionError("devices", "a GPU is named twice")
    return Devices(cores, tuple(gpus), words=",".join(words), engine=engine)


def check_gpus(devices: Devices) -> None:
    """Refuse GPUs that cannot be used at once, and not after the first incumbents.

    Raises ``DeviceError`` if a GPU that was asked for is not there, or cannot be used;
    ``MissingExtraError`` if a GPU was asked for and CuPy is not installed.
    """
    for index in devices.gpus:
        if index not in _USABLE:
            open_gpu(index)
            _USABLE.add(index)


_USABLE: set[int] = set()
"""GPUs that were found to be usable: asking again takes a millisecond."""


def open_gpu(index: int) -> Device:
    """Return a GPU; CuPy is imported only now.

    Raises ``DeviceError`` if it cannot be used; ``MissingExtraError`` if CuPy is not installed.
    """
    gpu_driver.start(index)
    from prunus.hardware.cuda import CudaDevice

    return CudaDevice(index)


def select_gpus(devices: Devices, doing: str, *, worth_it: bool = True) -> tuple[Device, ...]:
    """Return the GPUs to work on: those that the user named, or the first if it can be used.

    An automatic choice takes none if the work is shorter than a GPU needs to start (``worth_it``);
    for ``doing`` see ``first_gpu``. Raises ``DeviceError`` if a GPU that was named cannot be used;
    ``MissingExtraError`` if a GPU was named and CuPy is not installed.
    """
    if not devices.automatic:
        return tuple(open_gpu(index) for index in devices.gpus)
    found = first_gpu(lambda: open_gpu(0), doing) if worth_it else None
    return () if found is None else (found,)


def first_gpu(make: Callable[[], T], doing: str) -> T | None:
    """Return what an automatic choice makes of the first GPU, None if it cannot be used.

    Without CuPy nothing is said; if there is CuPy but no usable GPU, a warning.

    ``make`` opens the GPU, and makes of it what is needed; ``doing`` is what goes on on the CPU
    instead, for the warning: ``"searching"``.
    """
    if find_spec("cupy") is None:
        return None
    try:
        return make()
    except (DeviceError, InputError, ImportError) as error:
        warn_of_cpu(doing, error, stacklevel=4)
        return None


def warn_of_cpu(doing: str, error: Exception, stacklevel: int = 3) -> None:
    """Warn that an automatic choice goes on on the CPU, and why, without the advice to do so."""
    reason = str(error).removesuffix("; search on the CPU").removesuffix(", or search on the CPU")
    warnings.warn(f"{doing} on the CPU: {reason}", stacklevel=stacklevel)
