"""What one pass over a matrix on a GPU tells: in parts where its rows arrive by and by."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.hardware.cuda.conversion import NAMES
from prunus.hardware.cuda.structs import Field, Structure
from prunus.hardware.device import Device
from prunus.hardware.resident import Extremes

_THREADS = 256
_MISSING, _PLUS, _MINUS, _BROKEN, _FINITE = 1, 2, 4, 8, 16

SURVEY = Structure(
    "Survey",
    Field("matrix", "const value_t*", "of row i from i * stride"),
    Field("stride", "u64"),
    Field("rows", "u64"),
    Field("columns", "u64"),
    Field("low", "value_t*", "of each block: finite values only"),
    Field("high", "value_t*"),
    Field("found", "u32*", "of each block, see survey.cu"),
)

STRUCTURES = (SURVEY,)


class Survey:
    """A pass over a matrix of shape (rows, columns), in so many parts at most."""

    def __init__(self, device: Device, array: Any, parts: int = 1) -> None:
        self._device, self._array = device, array
        kind = np.dtype(array.dtype)
        module = device.compile(
            "hardware/cuda/survey.cu", {"VALUE": NAMES[kind.str[1:]], "THREADS": _THREADS}
        )
        self._shared = _THREADS * (2 * kind.itemsize + 4)
        self._kernel, resident = device.prepare(module, "survey", _THREADS, self._shared)
        self._blocks = max(1, resident) * device.multiprocessors
        self._places = parts * min(len(array), self._blocks)
        self._used = 0
        self._seen = device.mark()
        # Blocks tell the host what they find: the least values, the largest ones, and marks.
        self._memory = device.pinned(self._places * (2 * kind.itemsize + 4), np.uint8)

    def look(self, begin: int, end: int) -> None:
        """Go through some rows, at least one, without waiting for that."""
        device, size = self._device, self._array.dtype.itemsize
        blocks = min(end - begin, self._blocks)
        assert self._used + blocks <= self._places, "more parts than there are places for"
        row = self._array.strides[0]
        place = int(self._memory.ctypes.data)
        low = place + self._used * size
        high = low + self._places * size
        found = place + 2 * self._places * size + 4 * self._used
        words = np.array(
            [
                *(device.address(self._array) + begin * row, row // size),
                *(end - begin, self._array.shape[1], low, high, found),
            ],
            np.int64,
        )
        device.launch_with(self._kernel, blocks, _THREADS, words, self._shared)
        self._used += blocks
        self._seen = device.mark()

    def found(self) -> Extremes:
        """Wait for the parts, and say what was found."""
        kind, end = np.dtype(self._array.dtype), 2 * self._places * self._array.dtype.itemsize
        self._device.until(self._seen)
        values = self._memory[:end].view(kind).reshape(2, self._places)[:, : self._used]
        marks = self._memory[end:].view(np.uint32)[: self._used]
        if not np.bitwise_and.reduce(marks) & _FINITE:
            values = values[:, (marks & _FINITE) != 0]
        least, most = values
        every = int(np.bitwise_or.reduce(marks))
        return Extremes(
            least.min().item() if len(least) else 0,
            most.max().item() if len(most) else 0,
            not every & _BROKEN,
            bool(every & _MISSING),
            bool(every & _PLUS),
            bool(every & _MINUS),
        )
