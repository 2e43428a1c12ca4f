"""Tables of one array each on a GPU, changed in place: making them, and what is asked of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import DTypeLike

from prunus.hardware.cuda.structs import Field, Structure
from prunus.hardware.device import Device, DeviceArray
from prunus.knapsack.tuning import InPlaceTuning
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.stop_token import StoppedError

FILE = "knapsack/gpu/dense_in_place/dense_in_place.cu"

_THREADS = 256
_ITEMS = 3
"""Items that are applied in one pass, all their subsets at once."""

_EMPTY = {4: -(1 << 30), 8: -(1 << 61)}
"""The value of a cell that no choice leads to, by the bytes of a value."""

_NONE = -(1 << 62)
"""Less than any profit."""

Range = tuple[int, int]

SEARCH = Structure(
    "Search",
    Field("values", "value_t*", "of the table"),
    Field("others", "const value_t*", "another table's, for `meet` and `share`"),
    Field("low", "i64", "the first cell"),
    Field("high", "i64", "and the last"),
    Field("first", "i64", "the other table's, for `share`"),
    Field("last", "i64"),
    Field("wanted", "i64", "the value of both together, or the price of a unit of weight"),
    Field("total", "i64", "the weight of both together"),
    Field("phase", "i64", "of `best` and `share`, which are launched more than once"),
    Field("found", "i64*", "a cell, or the best profit and its cell"),
    Field("subsets", "i64", "how many there are; for `share` the table's last cell"),
    Field("weight", "i64", "of each subset", (1 << _ITEMS) - 1),
    Field("worth", "i64", "", (1 << _ITEMS) - 1),
)

STRUCTURES = (SEARCH,)


def constants(size: int) -> dict[str, int]:
    """Return what specialises the kernels for values of so many bytes."""
    return {"BYTES": size, "COUNT": _ITEMS, "THREADS": _THREADS}


def groups(w: Int64Array, count: int) -> list[Int64Array]:
    """Split ascending weights into runs of at most ``count``, none twice as heavy as another."""
    found, begin = [], 0
    for k in range(1, len(w) + 1):
        if k == len(w) or k - begin == count or w[k] * 4 > w[begin] * 5:
            found.append(np.arange(begin, k))
            begin = k
    return found


class InPlaceTables:
    """Makes tables of some items.

    Weights ascend; ``worth`` is profits less the ``price`` of the weight. A value has ``size``
    bytes; ``tick`` is called now and then with the cells computed and says whether to stop.
    """

    def __init__(
        self,
        device: Device,
        w: Int64Array,
        worth: Int64Array,
        price: int,
        size: int,
        tick: Callable[[int], bool] | None,
        tuning: InPlaceTuning,
    ) -> None:
        self._device, self._w, self._worth, self._price = device, w, worth, price
        self._size, self._tick, self._tuning = size, tick, tuning
        self._kind: DTypeLike = np.int32 if size == 4 else np.int64
        module = device.compile(FILE, constants(size))
        names = ("apply_items", "best", "meet", "share")
        self._kernels = {name: device.prepare(module, name, _THREADS, 0) for name in names}

    def weigh(self, which: Int64Array) -> int:
        """Return what some items weigh together."""
        return int(self._w[which].sum())

    def best(self, table: DeviceArray, ends: Range) -> tuple[int, int]:
        """Return the weight and the value of the cell with the best profit in a range."""
        low, high = ends
        row = self._row(table, low, high)
        row["wanted"] = self._price
        profit, weight = self._ask("best", row, (0, 1), [_NONE, -1])
        return weight, profit - self._price * weight

    def meet(self, tables: list[DeviceArray], ends: list[Range], weight: int, worth: int) -> Range:
        """Return a cell of the first table that makes a weight and a value with another's."""
        row = self._row(tables[0], *ends[0])
        row["others"], row["wanted"] = self._device.address(tables[1]), worth
        row["total"] = weight
        share, _ = self._ask("meet", row, (0,), [-1, -1])
        return share, int(self._device.read(tables[0][share : share + 1])[0])

    def share(
        self, tables: list[DeviceArray], ends: list[Range], capacity: int
    ) -> tuple[int, tuple[Range, Range]]:
        """Share a capacity between two tables.

        Returns the best profit for any weight up to the capacity, and the weight and value of the
        cells of either table that make it.
        """
        device, (first, last), (low, top) = self._device, *ends
        row = self._row(tables[1], low, capacity - first)
        row["others"], row["first"], row["last"] = device.address(tables[0]), first, last
        row["wanted"], row["total"], row["subsets"] = self._price, capacity, top
        warps = self._blocks("share") * (_THREADS // device.warp)
        # What each warp's stretch of cells has to offer at most, and those before it.
        found = self._found("share", row, (0,), [_NONE, -1] + [_NONE] * warps)
        offers = np.maximum.accumulate(found[2:])
        profit, cell = self._ask("share", row, (1, 2), [_NONE, -1, _NONE, *offers[:-1].tolist()])
        if cell < 0:
            return _NONE, ((0, 0), (0, 0))
        weight = capacity - cell
        worth = int(device.read(tables[0][weight : weight + 1])[0])
        rest = profit - worth - self._price * weight
        high = min(cell, top)
        while True:  # the heaviest cell up to there that is worth the rest
            begin = max(low, high + 1 - self._tuning.searched_cells)
            values = device.read(tables[1][begin : high + 1]).astype(np.int64)
            wanted = rest - self._price * np.arange(begin, high + 1)
            right = np.flatnonzero((values == wanted) & (values > _EMPTY[self._size] // 2))
            if len(right):
                place = int(right[-1])
                return profit, ((weight, worth), (begin + place, int(values[place])))
            high = begin - 1

    def make(self, which: Int64Array, high: int, least: int) -> DeviceArray:
        """Return the table of some items, right from ``least`` to ``high``."""
        w, worth = self._w[which], self._worth[which]
        before = np.cumsum(w)
        after = before[-1] - before
        start = int(
            min(
                np.searchsorted(before, self._tuning.host_cells),
                np.searchsorted(w, self._tuning.host_weight),
            )
        )
        here = np.full(min(high, int(before[start - 1]) if start else 0) + 1, _EMPTY[self._size])
        here[0] = 0
        for weight, value in zip(w[:start].tolist(), worth[:start].tolist(), strict=True):
            if weight < len(here):
                np.maximum(here[weight:], here[:-weight] + value, out=here[weight:])
        device = self._device
        table = device.full(high + 1, _EMPTY[self._size], self._kind)
        device.write(table, here.astype(self._kind))
        rows = []
        for group in groups(w[start:], _ITEMS):
            some = start + group
            # Below the first the items still to come lead to nothing wanted.
            low = max(int(w[some[0]]), least - int(after[some[-1]]))
            top = min(high, int(before[some[-1]]))
            rows += self._chunks(table, low, top, w[some], worth[some])
            if len(rows) >= self._tuning.batch_launches:
                self._run(rows)
                rows = []
        self._run(rows)
        return table

    def _chunks(
        self, table: DeviceArray, low: int, top: int, w: Int64Array, worth: Int64Array
    ) -> list[AnyArray]:
        """Return what to launch for a group of items."""
        rows = []
        chosen = np.arange(1, 1 << len(w))[:, None] >> np.arange(len(w)) & 1
        weights, worths = chosen @ w, chosen @ worth
        step = int(w[0])
        for high in range(top, low - 1, -step):
            row = self._row(table, max(low, high - step + 1), high)
            row["subsets"] = len(weights)
            row["weight"][0, : len(weights)], row["worth"][0, : len(weights)] = weights, worths
            rows.append(row)
        return rows

    def _row(self, values: DeviceArray, low: int, high: int) -> AnyArray:
        row = SEARCH.record()
        row["values"], row["low"], row["high"] = self._device.address(values), low, high
        return row

    def _run(self, rows: list[AnyArray]) -> None:
        if not rows:
            return
        every = np.concatenate(rows)
        for begin in range(0, len(every), self._tuning.batch_launches):
            part = every[begin : begin + self._tuning.batch_launches]
            self._launch("apply_items", part)
            cells = part["high"] - part["low"] + 1
            self._tell(int((cells * np.log2(part["subsets"] + 1)).sum()))

    def _blocks(self, name: str) -> int:
        """Return how many blocks run at once."""
        return max(1, self._kernels[name][1]) * self._device.multiprocessors

    def _ask(
        self, name: str, row: AnyArray, phases: tuple[int, ...], found: list[int]
    ) -> tuple[int, int]:
        """Launch once a phase; return the first two of what was found."""
        best, cell = self._found(name, row, phases, found)[:2].tolist()
        return best, cell

    def _found(
        self, name: str, row: AnyArray, phases: tuple[int, ...], found: list[int]
    ) -> Int64Array:
        """Launch once a phase; return what was found."""
        there = self._device.put(np.array(found, dtype=np.int64))
        row["found"] = self._device.address(there)
        for phase in phases:
            row["phase"] = phase
            self._launch(name, row)
        answer: Int64Array = self._device.read(there)
        return answer

    def _launch(self, name: str, rows: AnyArray) -> None:
        device = self._device
        there = device.put(rows.view(np.uint8))
        kernel, _ = self._kernels[name]
        most = self._blocks(name)
        cells = (rows["high"] - rows["low"] + 1).tolist()
        address, since = device.address(there), 0
        for k, count in enumerate(cells):
            blocks = min(most, -(-count // (4 * _THREADS)))
            device.launch(kernel, max(1, blocks), _THREADS, address + k * rows.itemsize, 0)
            since += count
            if since > self._tuning.look_cells:
                device.read(there[:1])
                self._tell(0)
                since = 0
        device.read(there[:1])

    def _tell(self, cells: int) -> None:
        if self._tick is not None and self._tick(cells):
            raise StoppedError
