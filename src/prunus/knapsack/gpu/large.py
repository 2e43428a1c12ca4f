"""The dense method on one GPU for tables of which two do not fit: one array, changed in place.

A cell stands for exactly its weight, and its value leaves out a whole price for every unit of
weight: where profits go with weights, as in the hard classes with large weights, what is left fits
in 32 bits. Values known beforehand keep all cells out that no better choice passes. The items come
back by halving: from the tables of both halves follows how a best choice's weight is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.cuda import Device
from prunus.knapsack.table import StoppedError

__all__ = ["FILE", "LargeDense", "constants", "groups", "price_of"]

FILE = "knapsack/gpu/large.cu"
_THREADS = 256
_COUNT = {4: 3, 8: 3}
_EMPTY = {4: -(1 << 30), 8: -(1 << 61)}
_MOST = {4: 1 << 29, 8: 1 << 60}
_HERE = 1 << 22  # cells up to which items are applied by the host
_LOOK = 100_000_000_000  # cells between two looks at the clock
_LAUNCHES = 2048  # in a batch
_FEW = 24  # items of which all subsets of either half are listed

Array = NDArray[np.int64]


def constants(size: int) -> dict[str, int]:
    """Return what specialises the kernels for values of so many bytes."""
    return {"BYTES": size, "COUNT": _COUNT[size], "THREADS": _THREADS}


def price_of(w: Array, p: Array) -> int:
    """Return the whole price of a unit of weight that leaves the least range of values."""
    middle = float(p.sum()) / float(w.sum())
    prices = {0, int(middle), int(middle) + 1}
    return min(prices, key=lambda price: int(np.abs(p - price * w).sum()))


def groups(w: Array, count: int) -> list[Array]:
    """Split ascending weights into runs of at most ``count``, none twice as heavy as another."""
    found, begin = [], 0
    for k in range(1, len(w) + 1):
        if k == len(w) or k - begin == count or w[k] * 4 > w[begin] * 5:
            found.append(np.arange(begin, k))
            begin = k
    return found


def _exactly(w: Array, worth: Array, weight: int, total: int) -> NDArray[np.bool_]:
    """Return which of few items are worth and weigh exactly so much together: two lists of sums."""
    half = len(w) // 2
    parts = (slice(0, half), slice(half, None))
    every = [np.arange(1 << len(w[part]))[:, None] >> np.arange(len(w[part])) & 1 for part in parts]
    (aw, av), (bw, bv) = (
        (chosen @ w[part], chosen @ worth[part]) for chosen, part in zip(every, parts, strict=True)
    )
    order = np.lexsort((-bv, bw))  # of equal weights the best comes first
    place = np.minimum(np.searchsorted(bw[order], weight - aw), len(order) - 1)
    other = order[place]
    found = int(np.argmax((aw + bw[other] == weight) & (av + bv[other] == total)))
    return np.concatenate([every[0][found], every[1][other[found]]]).astype(bool)


@dataclass(frozen=True, slots=True)
class LargeDense:
    """How to run.

    Attributes
    ----------
    device
        The card.
    memory
        Bytes that tables may take on it.
    known
        A profit that is reached; only better choices are sought.
    tick
        Called now and then with the cells computed; says whether to stop.
    """

    device: Device
    memory: int
    known: int
    tick: Callable[[int], bool] | None = None

    def fits(self, w: Array, p: Array, capacity: int) -> bool:
        """Tell whether the table and, to find the items, another one fit."""
        size = _size(w, p)
        return size > 0 and 2 * size * (capacity + 1) <= self.memory

    def choose(self, w: Array, p: Array, capacity: int) -> Array:
        """Return the items of a best choice; none if no choice is worth more than known.

        Parameters
        ----------
        w, p
            Weights and profits, positive.
        capacity
            Of the knapsack; no item is heavier.

        Raises
        ------
        StoppedError
            If the tick says so.
        MemoryError
            If the tables do not fit.
        """
        none = np.empty(0, dtype=np.int64)
        if len(w) == 0:
            return none
        if not self.fits(w, p, capacity):
            raise MemoryError
        fit = np.flatnonzero(w <= capacity)
        order = fit[np.argsort(w[fit], kind="stable")]
        run = _Run(self, w[order], p[order])
        found = run.best(capacity)
        if found is None:
            return none
        return order[run.items(np.arange(len(order)), *found)]

    def value(self, w: Array, p: Array, capacity: int) -> int | None:
        """Return the optimum, None if it is not above what is known; as :meth:`choose`."""
        order = np.argsort(w, kind="stable")
        run = _Run(self, w[order], p[order])
        found = run.best(capacity)
        return None if found is None else found[1] + run.price * found[0]


def _size(w: Array, p: Array) -> int:
    """Return how many bytes values take; 0 if more than 8."""
    spread = int(np.abs(p - price_of(w, p) * w).sum()) if len(w) else 0
    return next((size for size in (4, 8) if spread < _MOST[size]), 0)


class _Run:
    def __init__(self, how: LargeDense, w: Array, p: Array) -> None:
        self._how, self._w = how, w
        self.price = price_of(w, p)
        self._worth = p - self.price * w
        self._size = _size(w, p)
        self._kind = np.int32 if self._size == 4 else np.int64
        subsets = (1 << _COUNT[self._size]) - 1
        self._dtype = np.dtype(
            [
                ("values", np.uint64), ("others", np.uint64), ("low", np.int64),
                ("high", np.int64), ("wanted", np.int64), ("total", np.int64),
                ("found", np.uint64), ("subsets", np.int64), ("weight", np.int64, subsets),
                ("worth", np.int64, subsets),
            ]
        )  # fmt: skip
        device = how.device
        module = device.compile(FILE, constants(self._size))
        names = ("apply_items", "best", "meet")
        self._kernels = {name: device.prepare(module, name, _THREADS, 0) for name in names}
        self._cells = 0

    def best(self, capacity: int) -> tuple[int, int] | None:
        """Return the weight of a best choice and its worth less the price; None if none is."""
        good = int(self._worth[self._worth > 0].sum())
        least = 0
        if self.price:
            least = max(0, -(-(self._how.known + 1 - good) // self.price))
        high = min(capacity, int(self._w.sum()))
        if least > high:
            return None
        values = self._table(np.arange(len(self._w)), high, least)
        device = self._how.device
        found = device.put(np.array([-(1 << 62), -1], dtype=np.int64))
        for phase in (0, 1):
            row = self._row(values, least, high)
            row["wanted"], row["total"], row["found"] = self.price, phase, device.address(found)
            self._launch("best", row)
        worth, weight = (int(x) for x in device.read(found))
        return None if worth <= self._how.known else (weight, worth - self.price * weight)

    def items(self, which: Array, weight: int, worth: int) -> Array:
        """Return those of some items that weigh and are worth exactly so much together."""
        if weight == 0:
            return which[:0]
        if len(which) == 1:
            return which
        fit = which[self._w[which] <= weight]
        if len(fit) < len(which):
            return self.items(fit, weight, worth)
        if len(which) <= _FEW:
            return which[_exactly(self._w[which], self._worth[which], weight, worth)]
        # Halves take turns, so that both have light and heavy items.
        parts = which[::2], which[1::2]
        sums = [int(self._w[part].sum()) for part in parts]
        ends = [(max(0, weight - other), min(weight, own))
                for own, other in (sums, sums[::-1])]  # fmt: skip
        tables = [
            self._table(part, high, low) for part, (low, high) in zip(parts, ends, strict=True)
        ]
        device = self._how.device
        found = device.put(np.array([-1], dtype=np.int64))
        row = self._row(tables[0], *ends[0])
        row["others"], row["found"] = device.address(tables[1]), device.address(found)
        row["wanted"], row["total"] = worth, weight
        self._launch("meet", row)
        share = int(device.read(found)[0])
        own = int(device.read(tables[0][share : share + 1])[0])
        del tables
        first = self.items(parts[0], share, own)
        return np.concatenate([first, self.items(parts[1], weight - share, worth - own)])

    def _table(self, which: Array, high: int, least: int) -> Any:
        """Return the table of some items, right from ``least`` to ``high``."""
        w, worth = self._w[which], self._worth[which]
        before = np.cumsum(w)
        after = before[-1] - before
        start = int(np.searchsorted(before, _HERE))
        here = np.full(min(high, int(before[start - 1]) if start else 0) + 1, _EMPTY[self._size])
        here[0] = 0
        for weight, value in zip(w[:start].tolist(), worth[:start].tolist(), strict=True):
            if weight < len(here):
                np.maximum(here[weight:], here[:-weight] + value, out=here[weight:])
        device = self._how.device
        table = device.full(high + 1, _EMPTY[self._size], self._kind)
        device.write(table, here.astype(self._kind))
        rows = []
        for group in groups(w[start:], _COUNT[self._size]):
            some = start + group
            # Below the first the items still to come lead to nothing wanted.
            low = max(int(w[some[0]]), least - int(after[some[-1]]))
            top = min(high, int(before[some[-1]]))
            rows += self._chunks(table, low, top, w[some], worth[some])
            if len(rows) >= _LAUNCHES:
                self._run(rows)
                rows = []
        self._run(rows)
        return table

    def _chunks(self, table: Any, low: int, top: int, w: Array, worth: Array) -> list[Any]:
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

    def _row(self, values: Any, low: int, high: int) -> NDArray[Any]:
        row = np.zeros(1, dtype=self._dtype)
        row["values"], row["low"], row["high"] = self._how.device.address(values), low, high
        return row

    def _run(self, rows: list[Any]) -> None:
        if not rows:
            return
        every = np.concatenate(rows)
        for begin in range(0, len(every), _LAUNCHES):
            part = every[begin : begin + _LAUNCHES]
            self._launch("apply_items", part)
            cells = part["high"] - part["low"] + 1
            self._tell(int((cells * np.log2(part["subsets"] + 1)).sum()))

    def _launch(self, name: str, rows: NDArray[Any]) -> None:
        device = self._how.device
        there = device.put(rows.view(np.uint8))
        kernel, resident = self._kernels[name]
        most = max(1, resident) * device.multiprocessors
        cells = (rows["high"] - rows["low"] + 1).tolist()
        address, since = device.address(there), 0
        for k, count in enumerate(cells):
            blocks = min(most, -(-count // (4 * _THREADS)))
            device.launch(kernel, max(1, blocks), _THREADS, address + k * rows.itemsize, 0)
            since += count
            if since > _LOOK:
                device.read(there[:1])
                self._tell(0)
                since = 0
        device.read(there[:1])

    def _tell(self, cells: int) -> None:
        if self._how.tick is not None and self._how.tick(cells):
            raise StoppedError
