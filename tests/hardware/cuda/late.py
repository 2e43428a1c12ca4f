"""Emulated devices that do their work as late, or in as odd an order, as real ones might.

A real device has a stream: what it is told to do waits there, in order, until the device comes to
it. The host waits for it only where it reads or asks; other devices only where they wait for an
event. The emulated device does everything at once, so that it cannot show where somebody forgot to
wait. These put things off: until somebody waits, or (with a seed) for a time drawn at random.
Memory that nobody holds any more is overwritten when the device comes to it, as if others had it.
"""

from __future__ import annotations

import random
import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.hardware.cuda.emulated import EmulatedDevice

ONE_AT_A_TIME = threading.RLock()
"""For all devices: one may wait for another's work, and that one for its own."""

PACES = ((0, 0, 1, 5), (0,), (10**9,))
"""How much a device does at a time: something now and then, nothing unless it must, or all."""


class Array(np.ndarray):
    """A device array; views of it hold it, because they are of its type and the memory is not."""


class Event:
    """What has been put into a device's stream so far."""

    def __init__(self, device: LateDevice, position: int) -> None:
        self.device, self.position = device, position


class LateDevice(EmulatedDevice):
    """One of several devices.

    Parameters
    ----------
    index
        Its number.
    team
        All of them; it adds itself.
    rng
        Draws who does how much of what waits whenever something is put into a stream; without it
        nothing is done before somebody waits.
    """

    def __init__(self, index: int, team: list[LateDevice], rng: random.Random | None) -> None:
        super().__init__()
        self.index = index
        self._team, self._rng = team, rng
        self._paces = rng.choice(PACES) if rng else ()
        self._waiting: deque[Callable[[], object]] = deque()
        self._put = self._done = 0
        self._held: list[Any] = []
        team.append(self)

    def _later(self, work: Callable[[], object]) -> None:
        with ONE_AT_A_TIME:
            self._waiting.append(work)
            self._put += 1
            if self._rng is not None:
                for device in self._rng.sample(self._team, len(self._team)):
                    device._do(device._done + self._rng.choice(device._paces))

    def _do(self, position: int) -> None:
        with ONE_AT_A_TIME:
            while self._waiting and self._done < position:
                self._done += 1
                self._waiting.popleft()()

    def _new(self, shape: Any, kind: Any) -> Any:
        size = int(np.prod(shape))
        memory = super().empty(size, kind)
        self._held.append(memory)  # whoever reads it too late shall find that out, and no more
        array = memory[:size].reshape(shape).view(Array)
        weakref.finalize(
            array, self._later, lambda: memory.view(np.uint8).fill(0x5A)
        ).atexit = False
        return array

    def put(self, values: Any) -> Any:
        values = np.array(values)
        array = self._new(values.shape, values.dtype)
        self._later(lambda: np.copyto(array, values))
        return array

    def full(self, count: int, value: int, kind: Any) -> Any:
        array = self._new(max(count, 1), kind)
        self._later(lambda: array.fill(value))
        return array

    def empty(self, count: int, kind: Any) -> Any:
        return self._new(max(count, 1), kind)

    def contiguous(self, array: Any) -> Any:
        if array.flags.c_contiguous:
            return array
        new = self._new(array.shape, array.dtype)
        self._later(lambda: np.copyto(new, array))
        return new

    def rows(self, array: Any, at: Any) -> Any:
        new, at = self._new((len(at), *array.shape[1:]), array.dtype), np.array(at)
        self._later(lambda: np.copyto(new, array[at]))
        return new

    def write(self, array: Any, values: Any) -> None:
        values = np.array(values)  # the driver takes them before it returns
        self._later(lambda: super(LateDevice, self).write(array, values))

    def send(self, array: Any, values: Any) -> None:
        self._later(lambda: np.copyto(array, values))

    def fetch(self, array: Any, values: Any) -> None:
        self._later(lambda: np.copyto(values, array))

    def read(self, array: Any) -> Any:
        self.finish()
        return super().read(array)

    def read_into(self, array: Any, values: Any) -> Any:
        self.finish()
        return super().read_into(array, values)

    def side(self) -> Any:
        return LateDevice(self.index, self._team, self._rng)

    def mark(self) -> Any:
        return Event(self, self._put)

    def until(self, event: Any) -> None:
        event.device._do(event.position)

    def wait(self, event: Any) -> None:
        self._later(lambda: event.device._do(event.position))

    def copy(self, target: int, source: int, count: int, origin: Any) -> None:
        self._later(lambda: super(LateDevice, self).copy(target, source, count, origin))

    def finish(self) -> None:
        self._do(self._put)

    def running_sum(self, array: Any) -> None:
        self._later(lambda: super(LateDevice, self).running_sum(array))

    def launch(self, kernel: Any, blocks: int, threads: int, address: int, shared: int) -> None:
        self._later(
            lambda: super(LateDevice, self).launch(kernel, blocks, threads, address, shared)
        )

    def launch_with(self, kernel: Any, blocks: int, threads: int, record: Any, shared: int) -> None:
        record = record.copy()  # the driver takes it before it returns
        self._later(
            lambda: super(LateDevice, self).launch(
                kernel, blocks, threads, record.ctypes.data, shared
            )
        )


def late(count: int, seed: int | None) -> tuple[LateDevice, ...]:
    """Return some devices; without a seed they do nothing before somebody waits."""
    team: list[LateDevice] = []
    rng = None if seed is None else random.Random(seed)
    return tuple(LateDevice(index, team, rng) for index in range(count))
