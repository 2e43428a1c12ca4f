"""An instance on one GPU: its memory, its kernels, and the host's view of both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from prunus.assignment.gpu.arena import Arena

__all__ = ["LIST", "LONG", "Market", "Source"]

LIST = 64
"""Candidates of a row."""

LONG = 256
"""Candidates of a row where all rows want the same columns: prices rise so much there that short
lists are soon of no use."""

THREADS = 256

_FIELDS = (
    *("matrix", "stride", "left", "right", "parts", "rows", "columns"),
    *("price", "worth", "column", "owner", "lock", "list", "listed", "length", "threshold"),
    *(
        "best",
        "target",
        "parent",
        "order",
        "ring",
        "queued",
        "busy",
        "claim",
        "records",
        "count",
        "step",
        "limit",
        "enough",
    ),
    *("budget", "free", "slice", "reserve", "figures", "control", "deadline", "last"),
)
"""The 64-bit words of the kernels' ``Market``, in its order."""

_WORD = {name: place for place, name in enumerate(_FIELDS)}

_FIGURES = (
    "evaluations",
    "scans",
    "looks",
    "switches",
    "bids",
    "cycles",
    "longest_cycle",
    "distinct",
)
_CONTROL = ("cursor", "head", "tail", "pending", "stop", "changed", "ended", "unassigned")

_NAMES = {"f4": "float", "f8": "double", "i4": "int", "i8": "i64"}

_SHARED = 4096

_NOTING = {"find": 8192, "fill_lists": 8192, "renew_lists": 8192, "switch_rows": 16384}
"""Bytes that a block has for what it notes of rows, see ``switch.cuh`` and ``lists.cuh``."""

_HARMLESS = frozenset(
    ("start_clock", "all_rows", "certify", "count_distinct", "fill_lists", "take_all_away")
)
"""Kernels before the first lists of an instance that leave all prices at 0."""

_OWNERS = 2**17 - 1
"""Rows that fit into the last bits of a price, see ``auction.cuh``."""

_LOADED: dict[tuple[Any, ...], tuple[Any, dict[str, tuple[Any, int, int]]]] = {}
"""Compiled kernels, and those of them that are ready, by device and constants."""


class Source(NamedTuple):
    """Where the values of an instance lie on the device.

    Attributes
    ----------
    rows, columns
        The size.
    matrix
        A device array whose rows begin every ``stride`` elements; None for points.
    stride
        In elements.
    left, right
        Device arrays of coordinates, shapes (rows, d) and (columns, d), of float64; None for a
        matrix.
    metric
        The number of the metric; -1 for a matrix.
    kind
        The type of the values.
    price
        The type of prices, float64 or int64.
    sign
        1 to maximise, -1 to minimise.
    parts
        If several cards hold the rows of a matrix, the first row of each, and where row 0 would be
        if it were there.
    """

    rows: int
    columns: int
    matrix: Any
    stride: int
    left: Any
    right: Any
    metric: int
    kind: np.dtype[Any]
    price: np.dtype[Any]
    sign: int
    parts: tuple[tuple[int, int], ...] = ()

    @property
    def dimensions(self) -> int:
        """How many coordinates a point has; 0 for a matrix."""
        return 0 if self.left is None else int(self.left.size // self.rows)


class Market:
    """Arrays and kernels for one instance.

    Parameters
    ----------
    device
        The GPU, a :class:`prunus.cuda.Device`.
    source
        The instance, rows at most columns.
    threads
        Of a block.
    spare
        Bids use the threshold of a list for the second best where they can.
    owned
        Owners of columns stand in the last bits of prices during an auction, where they fit.
    listed
        Candidates of a row.

    Raises
    ------
    DeviceError
        If the card has too little memory.
    """

    def __init__(
        self,
        device: Any,
        source: Source,
        *,
        threads: int | None = None,
        spare: bool = True,
        owned: bool = True,
        listed: int = LIST,
    ) -> None:
        self.device = device
        self.source = source
        self.listed = listed
        self.threads = threads = threads or THREADS
        rows, columns = source.rows, source.columns
        most = max(rows, columns)
        price, kind = source.price, source.kind
        # Those that are read together stand together, see ``hold``.
        arrays: dict[str, tuple[int, DTypeLike]] = {
            "words": (len(_FIELDS), np.uint64),
            "control": (len(_CONTROL), np.uint32),
            "figures": (len(_FIGURES), np.uint64),
            "column": (rows, np.int32),
            "price": (columns, price),
            "best": (rows, price),
            "worth": (rows, price),
            "owner": (columns, np.int32),
            "lock": (most, np.int32),
            "list": (rows * listed, np.int32),
            "listed": (rows * listed, kind),
            "length": (rows, np.int32),
            "threshold": (rows, price),
            "target": (most, np.int32),
            "parent": (columns, np.int32),
            "order": (rows, np.int32),
            "ring": (max(4 * rows, rows + columns), np.int32),
            "queued": (rows, np.int32),
            "busy": (rows, np.int32),
            "claim": (rows + 1, price),
        }
        table = [first for first, _ in source.parts[1:]]
        table += [address for _, address in source.parts]
        if table:
            arrays["parts"] = (len(table), np.uint64)
        self._arena = Arena(device, arrays)
        self._long: dict[str, Any] = {}
        self._held: dict[str, NDArray[Any]] = {}
        self._free = False
        if table:
            self.write("parts", np.array(table, np.uint64))
        self._words = np.zeros(len(_FIELDS), np.uint64)
        for name in arrays:
            if name != "words":
                self._words[_WORD[name]] = self._arena.address(name)
        if source.matrix is not None:
            self._words[0] = device.address(source.matrix)
        else:
            self._words[2:4] = device.address(source.left), device.address(source.right)
        pack = 16 // kind.itemsize
        addresses = [address for _, address in source.parts] or [int(self._words[0])]
        aligned = source.stride % pack == 0 and all(where % 16 == 0 for where in addresses)
        self._pack = pack if aligned else 1
        self._spare, self._owned = spare, owned
        self._load()
        self.set(
            stride=source.stride, rows=rows, columns=columns, count=rows, step=0, limit=0,
            budget=2**62, slice=2**61,
        )  # fmt: skip
        # Until the kernels say otherwise there is time.
        self._words[-2:] = 2**63 - 1
        device.write(self._arena.view("words"), self._words)
        self._changed = False
        self.run("clear")
        self._free = True
        self.set(free=1)

    @property
    def count(self) -> int:
        """How many rows kernels go through."""
        return int(self._words[_WORD["count"]])

    def set(self, **words: float) -> None:
        """Change numbers that the kernels see; ``step`` and ``limit`` are of the type of prices."""
        for name, value in words.items():
            if name in ("step", "limit"):
                self._words[_WORD[name]] = np.array([value], self.source.price).view(np.uint64)[0]
            else:
                self._words[_WORD[name]] = int(value)
        self._changed = True

    def run(self, name: str, blocks: int | None = None) -> None:
        """Start a kernel on the whole card, or on some blocks."""
        kernel, most, shared = self._kernel(name)
        if name not in _HARMLESS:
            self._charge("price")
        if self._changed:
            # All that was set since the last kernel goes in one copy.
            words = self._words[: _WORD["deadline"]]
            self.device.write(self._arena.view("words"), words)
            self._changed = False
        self._held = {}
        self.device.launch(
            kernel, blocks or most, self.threads, self._arena.address("words"), shared
        )

    def lengthen(self, listed: int, *, hurried: bool = False) -> None:
        """Begin anew with longer lists, which are empty; not if that takes a hurried solve long."""
        if listed <= self.listed or (hurried and not self.ready(listed)):
            return
        rows = self.source.rows
        self.listed = listed
        self._long = {
            "list": self.device.empty(rows * listed, np.int32),
            "listed": self.device.empty(rows * listed, self.source.kind),
        }
        self._load()
        self.set(**{name: self.address(name) for name in self._long})

    def ready(self, listed: int) -> bool:
        """Tell whether the kernels for lists of this length are compiled."""
        return self._key(listed) in _LOADED

    def _load(self) -> None:
        """Compile the kernels, or take them from an earlier instance of the kind."""
        key = self._key(self.listed)
        if key not in _LOADED:
            chosen = self._constants(self.listed)
            _LOADED[key] = self.device.compile("assignment/gpu/kernels.cu", chosen), {}
        self._module, self._kernels = _LOADED[key]

    def _constants(self, listed: int) -> dict[str, int | str]:
        return constants(self.source, self._pack, self.threads, self._spare, self._owned, listed)

    def _key(self, listed: int) -> tuple[Any, ...]:
        return type(self.device), self.device.index, *self._constants(listed).values()

    def _kernel(self, name: str) -> tuple[Any, int, int]:
        shared = self._shared(name)
        # One kernel serves instances of all sizes, and has to be prepared for the largest.
        if name not in self._kernels or self._kernels[name][2] < shared:
            kernel, resident = self.device.prepare(self._module, name, self.threads, shared)
            self._kernels[name] = kernel, max(1, resident) * self.device.multiprocessors, shared
        return self._kernels[name]

    def _shared(self, name: str) -> int:
        """Return how many bytes of its own memory a block of a kernel has."""
        return _NOTING.get(name, _SHARED)

    def address(self, name: str) -> int:
        """Return where an array lies."""
        if name in self._long:
            return int(self.device.address(self._long[name]))
        return self._arena.address(name)

    def hold(self) -> None:
        """Wait for the kernels and read all that an answer takes, until the next kernel."""
        if not self._held:
            self._held = self._arena.read("control", "figures", "column", "price", "best")

    def read(self, name: str) -> NDArray[Any]:
        """Wait for the kernels and return an array; what is held is there already."""
        if name in self._held:
            return self._held[name]
        return self.device.read(self._view(name))  # type: ignore[no-any-return]

    def write(self, name: str, values: NDArray[Any]) -> None:
        """Overwrite the beginning of an array."""
        self._held = {}
        self._charge(name)
        self.device.write(self._view(name), np.ascontiguousarray(values))

    def _charge(self, name: str) -> None:
        """Note that an array changes: prices of 0 need not be read."""
        if self._free and name == "price":
            self._free = False
            self.set(free=0)

    def _view(self, name: str) -> Any:
        return self._long[name] if name in self._long else self._arena.view(name)

    def take(
        self, name: str, origin: Market, rows: tuple[int, int] | None = None, into: str = ""
    ) -> None:
        """Copy an array, or what it holds of some rows, from another GPU."""
        self._charge(into or name)
        source, target = origin._view(name), self._view(into or name)
        begin, count = 0, source.nbytes
        if rows is not None:
            row = source.itemsize * (self.listed if name in ("list", "listed") else 1)
            begin, count = rows[0] * row, (rows[1] - rows[0]) * row
        if count:
            device, other = self.device, origin.device
            addresses = device.address(target) + begin, other.address(source) + begin
            device.copy(*addresses, count, other)

    def figures(self) -> dict[str, int]:
        """Return how much was done so far."""
        return dict(zip(_FIGURES, map(int, self.read("figures")), strict=True))

    def control(self) -> Mapping[str, int]:
        """Return how things stand."""
        return dict(zip(_CONTROL, map(int, self.read("control")), strict=True))


def constants(
    source: Source, pack: int, threads: int, spare: bool, owned: bool, listed: int
) -> dict[str, int | str]:
    """Return what specialises the kernels."""
    return {
        "VALUE": _NAMES[source.kind.str[1:]],
        "PRICE": "i64" if source.price == np.int64 else "double",
        "SIGN": source.sign,
        "PACK": pack,
        "THREADS": threads,
        "LIST": listed,
        "KEPT": 3 + (listed > threads // 2) * 3,
        "POINTS": source.dimensions,
        "METRIC": source.metric,
        "PARTS": max(1, len(source.parts)),
        "SPARE": int(spare),
        "OWNED": int(owned and source.price == np.float64 and source.rows < _OWNERS),
    }
