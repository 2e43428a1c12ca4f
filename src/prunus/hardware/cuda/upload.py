"""A large array from the host's memory to a GPU, by several threads and as few bytes as can be.

A copy from ordinary memory goes through one thread of the driver's, at a fraction of what the bus
carries. Here several threads fill pinned buffers, from which the device fetches while the next ones
are filled. Numbers that are the same in half the bytes travel as such.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from queue import SimpleQueue
from threading import Event
from typing import Any, TypeAlias

import numpy as np

from prunus._native.hardware import narrow as narrowed
from prunus.hardware.device import Device, DeviceArray
from prunus.hardware.device import Event as DeviceEvent
from prunus.hardware.threads import Threads
from prunus.model.arrays import AnyArray

_PIECE = 6 * 2**20
"""Bytes of a buffer: handing one over takes less time than the bus takes for so many."""

_EACH = 2
"""Buffers for each thread that fills some: while one is filled others are on their way."""

_MOST, _MOST_CONVERTING = 10, 16
"""Threads that fill buffers, and that convert numbers on the way: more only wait for one
another."""

_MOMENT = 0.01
"""Seconds in which all threads have begun to fill."""

_ASKED = 1000
"""So many numbers, from all over an array, tell whether it is worth trying to narrow all."""

Begin: TypeAlias = Callable[[DeviceArray], Callable[[int, int], None]]
"""Is given the array on the device before anything is there; what it returns is given the first row
and the end of those that have been sent, so that whatever is launched from then on finds them."""

_NARROW = {"f8": np.float32, "i8": np.int32}


def upload(
    device: Device,
    values: AnyArray,
    threads: Threads,
    pause: Callable[[], None] | None = None,
    begin: Begin | None = None,
    ends: Sequence[float] = (1.0,),
) -> DeviceArray:
    """Copy a C-contiguous array of two dimensions to a device.

    Float64 becomes float32, and int64 int32, where that changes no number. ``pause`` is called
    between pieces; what it raises ends the copy. In the stream's order the result is there; the
    host's array may change at once. ``begin`` is called again where numbers turn out to change;
    what it returns is called when so many rows have been sent, as parts of all, as ``ends`` say.
    """
    flat = values.reshape(-1)
    narrow = _NARROW.get(values.dtype.str[1:])
    some = flat[:: max(1, flat.size // _ASKED)]
    if narrow is not None and _changed(some, narrow):
        narrow = None
    copied = _copy(device, values, narrow or values.dtype, threads, pause, begin, ends)
    if copied is None:
        copied = _copy(device, values, values.dtype, threads, pause, begin, ends)
    assert copied is not None, "nothing was converted"
    return copied


def _changed(values: AnyArray, narrow: Any) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):
        return bool((values.astype(narrow) != values).any())


def _copy(
    device: Device,
    values: AnyArray,
    kind: Any,
    threads: Threads,
    pause: Callable[[], None] | None,
    begin: Begin | None,
    ends: Sequence[float],
) -> DeviceArray | None:
    """Copy to an array of a type; None if that changes a number.

    Other threads fill pinned buffers, and only this one calls the driver, in which several would
    wait for one another.
    """
    flat, columns = values.reshape(-1), values.shape[1]
    array = device.empty(flat.size, kind)
    whole: DeviceArray = array.reshape(*values.shape)
    # Copies do not wait for what looks at rows that are there; the memory may just have been freed.
    aside = device.side()
    aside.wait(device.mark())
    step = _PIECE // array.dtype.itemsize
    pieces = -(-flat.size // step)
    most = _MOST if flat.dtype == array.dtype else _MOST_CONVERTING
    fillers = min(threads.cores, most, pieces)
    numbers = count()
    free: SimpleQueue[AnyArray | None] = SimpleQueue()
    filled: SimpleQueue[tuple[int, AnyArray] | None] = SimpleQueue()
    for _ in range(fillers):
        for buffer in device.pinned(_EACH * step, kind).reshape(_EACH, step):
            free.put(buffer)

    begun = Event()

    def fill(thread: int) -> None:
        good = False
        try:
            while (piece := next(numbers)) < pieces and (buffer := free.get()) is not None:
                if piece == fillers - 1:
                    begun.set()
                part = flat[piece * step : (piece + 1) * step]
                if flat.dtype == array.dtype:
                    buffer[: part.size] = part
                elif narrowed(part, buffer):
                    return
                filled.put((piece, buffer))
            good = True
        finally:
            if not good:
                filled.put(None)

    def hand_over() -> bool:
        sent: deque[tuple[DeviceEvent, AnyArray]] = deque()
        look = None
        if begin is not None:
            # While all others fill their first buffers: before that they want the interpreter, too.
            begun.wait(_MOMENT)
            look = begin(whole)
        there: set[int] = set()
        first = seen = 0
        for _ in range(pieces):
            if pause is not None:
                pause()
            while sent and (filled.empty() or len(sent) >= fillers):
                event, buffer = sent.popleft()
                aside.until(event)
                free.put(buffer)
            given = filled.get()
            if given is None:
                return False
            piece, buffer = given
            part = array[piece * step : (piece + 1) * step]
            aside.send(part, buffer[: part.size])
            sent.append((aside.mark(), buffer))
            there.add(piece)
            while first in there:
                there.remove(first)
                first += 1
            rows = min(first * step, flat.size) // columns
            if look is not None and any(seen < end * len(values) <= rows for end in ends):
                device.wait(sent[-1][0])
                look(seen, rows)
                seen = rows
        return True

    def close() -> None:
        for _ in range(fillers):
            free.put(None)

    try:
        with aside.current():
            done = Threads(fillers + 1).assisted(hand_over, fill, close)
    finally:
        # The buffers are somebody else's as soon as this returns.
        aside.finish()
    return whole if done else None
