"""An instance on one GPU: its arrays, its kernels, and what the host sees of both."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.gpu import tuning as default
from prunus.assignment.gpu.device_arrays import DeviceArrays
from prunus.assignment.gpu.instance_kernels import InstanceKernels
from prunus.assignment.gpu.layout import INSTANCE, arrays_of
from prunus.assignment.gpu.tuning import DeviceTuning
from prunus.assignment.gpu.value_source import ValueSource
from prunus.hardware import clock
from prunus.hardware.device import Device
from prunus.model.arrays import AnyArray

LIST = 64
"""Candidates of a row."""

_PRICES = frozenset(("epsilon", "tolerance", "largest_rise"))
"""Numbers of the type of prices."""

_KEEP_PRICES_AT_ZERO = frozenset(
    (
        "start_deadline",
        "order_all_rows",
        "find_best_net_values",
        "count_distinct_columns",
        "fill_lists",
        "unassign_all",
    )
)
"""Kernels before the first lists of an instance that leave all prices at 0."""


class DeviceInstance:
    """Arrays and kernels for one instance.

    Raises ``DeviceError`` if the card has too little memory.

    There are no more rows than columns. With ``spare`` bids use the threshold of a list for the
    second best where they can; with ``owned`` owners of columns stand in the last bits of prices
    during an auction, where they fit. A row has ``listed`` candidates; at most ``packed`` values
    are read at once, ``pack`` in fact.
    """

    def __init__(
        self,
        device: Device,
        source: ValueSource,
        *,
        tuning: DeviceTuning | None = None,
        spare: bool = True,
        owned: bool = True,
        listed: int = LIST,
        packed: int = 16,
    ) -> None:
        self.device = device
        self.source = source
        self.listed = listed
        self.tuning = tuning or default.DEFAULT_TUNING
        self.threads = self.tuning.threads
        rows, columns, kind = source.rows, source.columns, source.kind
        arrays = arrays_of(source, listed)
        table = [first for first, _ in source.parts[1:]]
        table += [address for _, address in source.parts]
        if table:
            arrays["row_parts"] = (len(table), np.uint64)
        self._arrays = DeviceArrays(device, arrays)
        self._long: dict[str, Any] = {}
        self._prefetched: dict[str, NDArray[Any]] = {}
        self._free = False
        self._left: Callable[[], float] | None = None
        self._paused_before = 0.0
        if table:
            self.write("row_parts", np.array(table, np.uint64))
        self._record = INSTANCE.record()
        for name in arrays:
            if name != "instance":
                self._record[name] = self._arrays.address(name)
        if source.matrix is not None:
            self._record["matrix"] = device.address(source.matrix)
        else:
            self._record["left"] = device.address(source.left)
            self._record["right"] = device.address(source.right)
        pack = 16 // kind.itemsize
        addresses = [address for _, address in source.parts] or [int(self._record["matrix"][0])]
        aligned = source.stride % pack == 0 and all(where % 16 == 0 for where in addresses)
        self.pack = min(pack, packed) if aligned else 1
        self._kernels = InstanceKernels(device, source, self.pack, self.threads, spare, owned)
        self._kernels.load(listed)
        self.set(
            stride=source.stride, rows=rows, columns=columns, row_count=rows, epsilon=0,
            tolerance=0, largest_rise=2**61 if source.price == np.int64 else 1e300,
            budget_ns=2**62, slice_ns=2**61, links_fit_shared=self._kernels.links_fit,
        )  # fmt: skip
        # Until the kernels say otherwise there is time.
        self._record["slice_deadline"] = self._record["solve_deadline"] = 2**63 - 1
        device.write(self._arrays.view("instance"), self._record)
        self._changed = False
        self.run("initialise")
        self._free = True
        self.set(prices_are_zero=1)

    @property
    def owned(self) -> bool:
        """Whether prices have room for a row in their last bits."""
        return bool(self._kernels.constants["OWNED"])

    @property
    def count(self) -> int:
        """How many rows kernels go through."""
        return int(self._record["row_count"][0])

    def set(self, **words: float) -> None:
        """Change numbers that the kernels see."""
        for name, value in words.items():
            if name in _PRICES:
                self._record[name] = np.array([value], self.source.price).view(np.uint64)
            else:
                self._record[name] = int(value)
        self._changed = True

    def run(self, name: str, blocks: int | None = None) -> None:
        """Start a kernel on the whole card, or on some blocks."""
        if name != "start_deadline":
            self._renew_deadline()
        kernel, most, shared = self._kernels.ready(name)
        if name not in _KEEP_PRICES_AT_ZERO:
            self._note_prices_change("price")
        if self._changed:
            # All that was set since the last kernel goes in one copy.
            given = self._record.view(np.uint64)[: INSTANCE.offset("slice_deadline") // 8]
            self.device.write(self._arrays.view("instance").view(np.uint64), given)
            self._changed = False
        self._prefetched = {}
        address = self._arrays.address("instance")
        self.device.launch_in_turn([(kernel, blocks or most, self.threads, address, shared)], 1)

    def list_rows(self, begin: int, end: int) -> None:
        """Fill the lists of some rows; all rows are in order and stay so."""
        self.set(row_order=self.address("row_order") + 4 * begin, row_count=end - begin)
        self.run("fill_lists")
        self.set(row_order=self.address("row_order"), row_count=self.source.rows)

    def set_deadline(self, left: Callable[[], float]) -> None:
        """Tell the kernels when to end: ``left()`` seconds from now, or from a compilation on.

        The device has nothing else to do at this moment: what it does before would not count.
        """
        if left() < math.inf:
            self._left = left
            self._start_clock()

    def _renew_deadline(self) -> None:
        """Start the device's clock anew if something was compiled since."""
        if self._left is not None and clock.time_paused() != self._paused_before:
            self._start_clock()

    def _start_clock(self) -> None:
        assert self._left is not None
        self._paused_before = clock.time_paused()
        self.set(budget_ns=min(1e9 * max(self._left(), 0.0), 2.0**61))
        self.run("start_deadline")

    def run_in_turn(self, names: Sequence[str]) -> None:
        """Start kernels one after the other, on the whole card; prices change."""
        # What was set, and what is held, is the first one's business.
        self.run(names[0])
        address = self._arrays.address("instance")
        launches = [
            (kernel, most, self.threads, address, shared)
            for kernel, most, shared in map(self._kernels.ready, names[1:])
        ]
        self.device.launch_in_turn(launches, 1)

    def use_longer_lists(self, listed: int) -> None:
        """Begin anew with longer lists, which are empty."""
        if listed <= self.listed:
            return
        rows = self.source.rows
        self.listed = listed
        self._long = {
            "list_columns": self.device.empty(rows * listed, np.int32),
            "list_values": self.device.empty(rows * listed, self.source.kind),
        }
        self._kernels.load(listed)
        self.set(**{name: self.address(name) for name in self._long})

    def address(self, name: str) -> int:
        """Return where an array lies."""
        if name in self._long:
            return int(self.device.address(self._long[name]))
        return self._arrays.address(name)

    def prefetch_answer(self, *, wait: bool = True) -> None:
        """Read all that an answer takes, until the next kernel, and wait for it if told to."""
        if not self._prefetched:
            self._prefetched = self.fetch_together(
                "status", "counters", "column", "price", "best_value"
            )
        if wait:
            self.device.finish()

    def prefetch_progress(self) -> None:
        """Wait for the kernels and read what tells how far they are, until the next kernel."""
        self._prefetched = self.read_together("status", "counters")

    def read_together(self, *names: str) -> dict[str, NDArray[Any]]:
        """Wait for the kernels and return arrays that lie side by side, in one copy."""
        found = self.fetch_together(*names)
        self.device.finish()
        return found

    def fetch_together(self, *names: str) -> dict[str, NDArray[Any]]:
        """Do so without waiting; an event that is marked afterwards tells when it is there."""
        return self._arrays.fetch(*names)

    def read(self, name: str) -> NDArray[Any]:
        """Wait for the kernels and return an array; what is held is there already."""
        if name in self._prefetched:
            return self._prefetched[name]
        return self.device.read(self._view(name))

    def write(self, name: str, values: NDArray[Any]) -> None:
        """Overwrite the beginning of an array."""
        self._prefetched = {}
        self._note_prices_change(name)
        self.device.write(self._view(name), np.ascontiguousarray(values))

    def _note_prices_change(self, name: str) -> None:
        """Note that an array changes: prices of 0 need not be read."""
        if self._free and name == "price":
            self._free = False
            self.set(prices_are_zero=0)

    def _view(self, name: str) -> Any:
        return self._long[name] if name in self._long else self._arrays.view(name)

    def copy_from(
        self, name: str, origin: DeviceInstance, rows: tuple[int, int] | None = None, into: str = ""
    ) -> None:
        """Copy an array, or what it holds of some rows, from another GPU."""
        self._note_prices_change(into or name)
        source, target = origin._view(name), self._view(into or name)
        begin, count = 0, source.nbytes
        if rows is not None:
            row = source.itemsize * (self.listed if name in ("list_columns", "list_values") else 1)
            begin, count = rows[0] * row, (rows[1] - rows[0]) * row
        if count:
            device, other = self.device, origin.device
            addresses = device.address(target) + begin, other.address(source) + begin
            device.copy(*addresses, count, other)

    def counters(self) -> dict[str, int]:
        """Return how much was done so far."""
        return _named(self.read("counters"))

    def status(self) -> Mapping[str, int]:
        """Return how things stand."""
        return _named(self.read("status"))


def _named(record: AnyArray) -> dict[str, int]:
    """Return the fields of a structure."""
    assert record.dtype.names is not None
    return {name: int(record[name][0]) for name in record.dtype.names}
