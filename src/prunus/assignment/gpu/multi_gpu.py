"""An instance whose rows are shared by several GPUs of one machine.

What looks at every row, the candidate lists and the bound, is done by all of them, each for its own
rows: what they have to know beforehand and what they find are some numbers a row. Everything else
runs on the first GPU, as it does where there is no other, and reads single values and rows of the
matrix from the memory of the others. So nothing but this file knows that there are several.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.gpu.value_source import ValueSource
from prunus.errors import DeviceError
from prunus.hardware.device import Device
from prunus.hardware.threads import run_together

_ROW_KERNELS = {
    "find_best_net_values": (("price",), ("best_value", "best_column")),
    "fill_lists": (
        ("price",),
        ("best_value", "list_length", "threshold", "list_columns", "list_values"),
    ),
    "find_exchanges": (
        ("price", "column", "row_benefit", "owner", "marked"),
        ("best_value", "best_column", "marked"),
    ),
    "lower_prices": (("price", "column", "row_benefit"), ()),
}
"""Kernels that go through all rows: what they read beside the rows, and what they find of each."""

_COMMON_NUMBERS = ("epsilon", "stop_count", "budget_ns", "reserve_ns")
"""Numbers that these kernels see."""


class MultiDeviceInstance(DeviceInstance):
    """The first GPU's view of an instance that several share.

    ``sources`` are the instance as each GPU has it, ``firsts`` the first row of each.
    """

    def __init__(
        self,
        devices: Sequence[Device],
        sources: Sequence[ValueSource],
        firsts: Sequence[int],
    ) -> None:
        super().__init__(devices[0], sources[0])
        ends = [*firsts[1:], sources[0].rows]
        self._rows = list(zip(firsts, ends, strict=True))
        self._others = [
            DeviceInstance(device, source)
            for device, source in zip(devices[1:], sources[1:], strict=True)
        ]
        self._own = self.device.put(np.arange(*self._rows[0], dtype=np.int32))
        for instance, (first, end) in zip(self._others, self._rows[1:], strict=True):
            instance.write("row_order", np.arange(first, end, dtype=np.int32))
            instance.set(row_count=end - first)

    def set(self, **words: float) -> None:
        """Change numbers that the kernels see, on all cards where they matter there."""
        super().set(**words)
        common = {name: words[name] for name in _COMMON_NUMBERS if name in words}
        # The base class sets some before there are others.
        for instance in getattr(self, "_others", ()) if common else ():
            instance.set(**common)

    def run(self, name: str, blocks: int | None = None) -> None:
        """Start a kernel; on all cards if it goes through all rows."""
        rows, columns = self.source.rows, self.source.columns
        # A sample of the rows, and prices of more columns than there are claims, are for one card.
        whole = self.count == rows and (name != "lower_prices" or rows == columns)
        if name == "start_deadline":
            for instance in self._others:
                instance.run(name)
        else:
            self._renew_deadline()
        if name not in _ROW_KERNELS or not whole:
            super().run(name, blocks)
            return
        told, found = _ROW_KERNELS[name]
        ready = self.device.mark()
        done = []
        for instance in self._others:
            instance.device.wait(ready)
            for array in told:
                instance.copy_from(array, self)
            instance.run(name)
            done.append(instance.device.mark())
        super().set(row_order=self.device.address(self._own), row_count=self._rows[0][1])
        super().run(name)
        super().set(row_order=self.address("row_order"), row_count=rows)
        for instance, rows_of, event in zip(self._others, self._rows[1:], done, strict=True):
            self.device.wait(event)
            for array in found:
                self.copy_from(array, instance, rows_of)
            if name == "lower_prices":
                self.copy_from("price", instance, into="row_buffer")
                super().run("merge_lowered_prices")

    def use_longer_lists(self, listed: int) -> None:
        """Begin anew with longer lists, on all cards."""
        super().use_longer_lists(listed)
        for instance in self._others:
            instance.use_longer_lists(listed)

    def counters(self) -> dict[str, int]:
        """Return how much all cards have done so far."""
        counters = super().counters()
        for instance in self._others:
            for name, count in instance.counters().items():
                counters[name] += count
        return counters


def connect(devices: Sequence[Any]) -> None:
    """Let kernels of each GPU read the memory of the others.

    Raises ``DeviceError`` if there is no way between two of them.
    """
    for device in devices:
        for other in devices:
            if other is not device and not device.connect(other):
                raise DeviceError(
                    f"cuda:{device.index} cannot read the memory of cuda:{other.index}, so "
                    "they cannot share the rows of a matrix; give points instead of a matrix, name "
                    "one GPU, or name the CPU as the device"
                )


def shares(rows: int, most: Sequence[int]) -> list[int]:
    """Return the first row of each card, equal shares as far as each has room for so many rows."""
    counts = [0] * len(most)
    left = rows
    for place, card in enumerate(sorted(range(len(most)), key=most.__getitem__)):
        counts[card] = min(most[card], -(-left // (len(most) - place)))
        left -= counts[card]
    return [0, *np.cumsum(counts)[:-1].tolist()]


def scatter(
    matrix: NDArray[Any], devices: Sequence[Any], firsts: Sequence[int]
) -> tuple[list[Any], tuple[tuple[int, int], ...]]:
    """Copy rows of a host matrix to all GPUs at once; return them and ``ValueSource.parts``."""
    ends = [*firsts[1:], len(matrix)]

    def copy(device: Device, first: int, end: int) -> Any:
        values = matrix[first:end].reshape(-1)
        array = device.empty(values.size, matrix.dtype)
        if values.size:
            device.write(array, values)
            device.finish()  # kernels of the first one read it without waiting for the others
        return array

    arrays = run_together(lambda k: copy(devices[k], firsts[k], ends[k]), range(len(devices)))
    row = matrix.shape[1] * matrix.dtype.itemsize
    parts = [
        (first, (device.address(array) - first * row) % 2**64)
        for device, array, first in zip(devices, arrays, firsts, strict=True)
    ]
    return arrays, tuple(parts)
