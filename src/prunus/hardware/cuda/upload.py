"""A large array from the host's memory to a GPU, by several threads and as few bytes as can be.

A copy from ordinary memory goes through one thread of the driver's, at a fraction of what the bus
carries. Here every thread fills pinned buffers of its own, from which the device fetches while the
next ones are filled. Numbers that are the same in half the bytes travel as such.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from prunus.hardware.device import Device, DeviceArray, Event
from prunus.hardware.jit.compiled import outer
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray

_PIECE = 2**23
"""Bytes of a buffer, of which each thread has two: handing one over takes some 0.1 ms."""

_MOST, _MOST_CONVERTING = 8, 16
"""Threads that fill buffers, and that convert numbers on the way: more only wait for one
another."""

_ASKED = 1000
"""So many numbers, from all over an array, tell whether it is worth trying to narrow all."""

_NARROW = {"f8": np.float32, "i8": np.int32}


def upload(
    device: Device,
    values: AnyArray,
    threads: Threads,
    pause: Callable[[], None] | None = None,
) -> DeviceArray:
    """Copy a C-contiguous array of two dimensions to a device.

    Float64 becomes float32, and int64 int32, where that changes no number. ``pause`` is called
    between pieces; what it raises ends the copy. In the stream's order the result is there; the
    host's array may change at once.
    """
    flat = values.reshape(-1)
    narrow = _NARROW.get(values.dtype.str[1:])
    some = flat[:: max(1, flat.size // _ASKED)]
    if narrow is not None and _changed(some, narrow):
        narrow = None
    copied = _copy(device, flat, narrow or values.dtype, threads, pause)
    if copied is None:
        copied = _copy(device, flat, values.dtype, threads, pause)
    assert copied is not None, "nothing was converted"
    return copied.reshape(*values.shape)  # type: ignore[no-any-return]


def _changed(values: AnyArray, narrow: Any) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):
        return bool((values.astype(narrow) != values).any())


def _copy(
    device: Device,
    flat: AnyArray,
    kind: Any,
    threads: Threads,
    pause: Callable[[], None] | None,
) -> DeviceArray | None:
    """Copy to an array of a type; None if that changes a number."""
    array = device.empty(flat.size, kind)
    step = _PIECE // array.dtype.itemsize
    most = _MOST if flat.dtype == array.dtype else _MOST_CONVERTING
    threads = Threads(min(threads.cores, most, -(-flat.size // step)))
    buffers = [[device.pinned(step, kind) for _ in range(2)] for _ in range(threads.cores)]
    events: list[list[Event | None]] = [[None, None] for _ in buffers]
    lost: list[int] = []

    def send(piece: int, thread: int) -> None:
        if pause is not None:
            pause()
        buffers[thread].reverse()
        events[thread].reverse()
        buffer, event = buffers[thread][0], events[thread][0]
        if event is not None:
            device.until(event)
        part = flat[piece * step : (piece + 1) * step]
        if flat.dtype == array.dtype:
            buffer[: part.size] = part
        elif _convert(part, buffer):
            lost.append(piece)
        device.send(array[piece * step : piece * step + part.size], buffer[: part.size])
        events[thread][0] = device.mark()

    threads.take_pieces(-(-flat.size // step), send, lambda: bool(lost))
    # The buffers are somebody else's as soon as this returns.
    device.finish()
    return None if lost else array


@outer
def _convert(values: AnyArray, narrow: AnyArray) -> int:
    """Convert numbers, and count those that change."""
    lost = 0
    for k in range(values.shape[0]):
        narrow[k] = values[k]
        lost += narrow[k] != values[k]
    return lost
