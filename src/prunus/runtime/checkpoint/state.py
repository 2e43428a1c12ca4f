"""What a checkpoint holds: the problem, how it is solved, what is known, what is left to do."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from prunus.errors import InputError, OptionError
from prunus.model.arrays import AnyArray, Int64Array, Number
from prunus.model.problem import Problem
from prunus.model.registry import spec_of
from prunus.runtime.checkpoint.container import pack, unpack
from prunus.runtime.checkpoint.problem import from_parts, to_parts
from prunus.runtime.limits import check_limits
from prunus.runtime.status import HistoryEntry

_PROBLEM, _OPEN = "problem/", "open/"
"""Before the names of the problem's arrays, and of those of the open work."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OpenWork:
    """What a search has left to do. Only the search knows what its arrays mean."""

    unit: str
    """What it consists of, for people: ``"interval"``, ``"node"``."""
    count: int
    """How many of them there are; without any the search is complete."""
    arrays: Callable[[], Mapping[str, AnyArray]]
    """Returns it as arrays by name; called by the thread that writes the file."""


NOTHING_OPEN = OpenWork("interval", 0, dict)


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """The state of a solve."""

    problem: Problem
    """The problem."""
    method: str | None
    options: Mapping[str, Any]
    upper_bound: int | None
    seed: int
    """What ``solve`` was called with."""
    open_work: OpenWork | None = None
    """What is left to search; None if the search had not begun."""
    tree: Mapping[str, Any] = field(default_factory=dict)
    """What else gives the open work its meaning, such as the number of N-Queens tasks."""
    objective: Number | None = None
    solution: Int64Array | None = None
    """The incumbent, if there is one."""
    nodes: int = 0
    leaves: int = 0
    explored: int = 0
    """Branched nodes, leaves reached, leaves fathomed (of a tree that may have more than 2^64)."""
    elapsed: float = 0.0
    """Seconds spent so far, over all runs."""
    history: tuple[HistoryEntry, ...] = ()
    """The incumbents."""

    @property
    def complete(self) -> bool:
        """Nothing is left to do."""
        return self.open_work is not None and self.open_work.count == 0

    def tree_number(self, name: str) -> Number | None:
        """Return a number of ``tree``, or None if it has no such number.

        Raises ``InputError`` if what is there is no number.
        """
        value: Number | None = self.tree.get(name)
        if value is not None and not _is_number(value):
            raise InputError(f"the checkpoint does not fit its problem: its {name!r} is no number")
        return value

    def tree_count(self, name: str) -> int | None:
        """Do the same with a number of things."""
        value = self.tree_number(name)
        if value is not None and not _whole(value):
            raise InputError(f"the checkpoint does not fit its problem: its {name!r} is no number")
        return None if value is None else int(value)

    def write(self, path: str) -> None:
        """Write the checkpoint, whole or not at all.

        Raises ``InputError`` if the file cannot be written.
        """
        words, data = to_parts(self.problem)
        arrays = {_PROBLEM + name: values for name, values in data.items()}
        work = self.open_work
        if work is not None:
            arrays |= {_OPEN + name: values for name, values in work.arrays().items()}
        if self.solution is not None:
            arrays["solution"] = np.asarray(self.solution, np.int64)
        meta = {
            "problem": words,
            "method": self.method,
            "options": dict(self.options),
            "upper_bound": self.upper_bound,
            "seed": self.seed,
            "open": None if work is None else [work.unit, work.count],
            "tree": dict(self.tree),
            "objective": self.objective,
            "nodes": self.nodes,
            "leaves": self.leaves,
            "explored": f"{self.explored:x}",  # JSON of others does not hold it
            "elapsed": self.elapsed,
            "history": [[h.time, h.objective, h.nodes, h.source, h.bound] for h in self.history],
        }
        pack(path, meta, arrays)


def read_checkpoint(path: str, problem: Problem | None = None) -> Checkpoint:
    """Read a checkpoint.

    ``problem`` is a user's own problem, made again: needed where its class is not there. Raises
    ``InputError`` if the file is no checkpoint, is damaged, or was written by a newer version.
    """
    meta, arrays = unpack(path)
    read = _Fields(path, meta)
    words = read.table("problem")
    kind = words.get("kind")
    if not isinstance(kind, str):
        raise read.wrong("problem")
    open_work = None
    if read.value("open") is not None:
        unit, count = read.row("open", 2)
        if unit not in ("interval", "node", "range") or not _whole(count):
            raise read.wrong("open")
        saved = _with_prefix(arrays, _OPEN)
        open_work = OpenWork(unit, count, lambda: saved)
    solution = arrays.get("solution")
    if solution is not None and (solution.dtype != np.int64 or solution.ndim != 1):
        raise read.wrong("solution")
    restored = _restored(path, words, _with_prefix(arrays, _PROBLEM), problem)
    upper_bound, seed = read.of("upper_bound", int, optional=True), read.of("seed", int)
    try:
        check_limits(None, None, upper_bound, seed, signed=spec_of(restored).signed)
    except OptionError as error:
        raise read.wrong(error.option) from None
    return Checkpoint(
        problem=restored,
        method=read.of("method", str, optional=True),
        options=read.table("options"),
        upper_bound=upper_bound,
        seed=seed,
        open_work=open_work,
        tree=read.table("tree"),
        objective=read.number("objective", optional=True),
        solution=solution,
        nodes=read.count("nodes"),
        leaves=read.count("leaves"),
        explored=read.hexadecimal("explored"),
        elapsed=read.seconds("elapsed"),
        history=read.history("history"),
    )


def _restored(
    path: str, words: dict[str, Any], arrays: Mapping[str, AnyArray], given: Problem | None
) -> Problem:
    """Put the problem together again, whatever the parts are."""
    try:
        restored: Problem = from_parts(words, arrays, given)
    except InputError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"{path} is not a checkpoint that can be resumed: its problem is incomplete "
            f"({type(error).__name__}: {error})"
        ) from None
    return restored


def _with_prefix(arrays: Mapping[str, AnyArray], prefix: str) -> dict[str, AnyArray]:
    return {
        name.removeprefix(prefix): values
        for name, values in arrays.items()
        if name.startswith(prefix)
    }


def _whole(value: object) -> bool:
    """Whether this is a number of things."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return isinstance(value, int) or math.isfinite(value)


class _Fields:
    """The fields of a file, each checked for its type once."""

    def __init__(self, path: str, meta: Mapping[str, Any]) -> None:
        self._path, self._meta = path, meta

    def wrong(self, name: str) -> InputError:
        """Return the error that says which field is wrong."""
        return InputError(
            f"{self._path} is not a checkpoint that can be resumed: its field {name!r} is invalid"
        )

    def value(self, name: str) -> Any:
        """Return a field of any type."""
        if name not in self._meta:
            raise self.wrong(name)
        return self._meta[name]

    def of(self, name: str, kind: type[T], *, optional: bool = False) -> Any:
        """Return a field of one type."""
        value = self.value(name)
        if value is None and optional:
            return None
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(name)
        return value

    def table(self, name: str) -> dict[str, Any]:
        """Return a field that is a table of others."""
        found: dict[str, Any] = self.of(name, dict)
        return found

    def row(self, name: str, length: int) -> list[Any]:
        """Return a field that is a list of so many."""
        found: list[Any] = self.of(name, list)
        if len(found) != length:
            raise self.wrong(name)
        return found

    def count(self, name: str) -> int:
        """Return a field that is a number of things."""
        value = self.value(name)
        if not _whole(value):
            raise self.wrong(name)
        return int(value)

    def number(self, name: str, *, optional: bool = False) -> Number | None:
        """Return a field that is a finite number."""
        value: Number | None = self.value(name)
        if not (value is None and optional) and not _is_number(value):
            raise self.wrong(name)
        return value

    def hexadecimal(self, name: str) -> int:
        """Return a field that is a number of things, of any size."""
        text: str = self.of(name, str)
        if not text or not set(text) <= set("0123456789abcdef"):
            raise self.wrong(name)
        return int(text, 16)

    def seconds(self, name: str) -> float:
        """Return a field that is a time."""
        value = self.value(name)
        if not _is_number(value) or value < 0:
            raise self.wrong(name)
        return float(value)

    def history(self, name: str) -> tuple[HistoryEntry, ...]:
        """Return a field that is a list of improvements."""
        entries = []
        for entry in self.of(name, list):
            if not isinstance(entry, list) or len(entry) != 5:
                raise self.wrong(name)
            time, objective, nodes, source, bound = entry
            numbers = _is_number(time) and _is_number(objective) and _whole(nodes)
            if not (numbers and isinstance(source, str) and (bound is None or _is_number(bound))):
                raise self.wrong(name)
            entries.append(HistoryEntry(float(time), objective, nodes, source, bound))
        return tuple(entries)
