"""What a checkpoint holds: the problem, how it is solved, what is known, what is left to do."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeGuard

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
    bound: Number | None = None
    bounds: tuple[Sequence[Number], ...] = ()
    """What is proven of all solutions, and when it was: pairs of seconds and a bound."""
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
            raise InputError(
                f"the checkpoint does not fit its problem: its {name!r} is not a number"
            )
        return value

    def tree_count(self, name: str) -> int | None:
        """Do the same with a number of things."""
        value = self.tree_number(name)
        if value is not None and not _is_count(value):
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
        meta = {
            "problem": words,
            "method": self.method,
            "options": dict(self.options),
            "upper_bound": self.upper_bound,
            "seed": self.seed,
            "open": None if work is None else [work.unit, work.count],
            "tree": dict(self.tree),
            "nodes": self.nodes,
            "leaves": self.leaves,
            "explored": f"{self.explored:x}",  # JSON of others does not hold it
        }
        self._pack(path, meta, arrays)

    def add_to(self, path: str) -> None:
        """Write what is found and proven into a checkpoint of this solve; what is open stays.

        Raises ``InputError`` if it cannot be read or written.
        """
        self._pack(path, *unpack(path))

    def _pack(self, path: str, meta: dict[str, Any], arrays: dict[str, AnyArray]) -> None:
        if self.solution is not None:
            arrays["solution"] = np.asarray(self.solution, np.int64)
        found = {
            "objective": self.objective,
            "bound": self.bound,
            "bounds": self.bounds,
            "elapsed": self.elapsed,
            "history": [[h.time, h.objective, h.nodes, h.source, h.bound] for h in self.history],
        }
        pack(path, meta | found, arrays)


def read_checkpoint(path: str, problem: Problem | None = None) -> Checkpoint:
    """Read a checkpoint.

    ``problem`` is a user's own problem, made again: needed where its class is not there. Raises
    ``InputError`` if the file is no checkpoint, is damaged, or was written by a newer version.
    """
    meta, arrays = unpack(path)
    take = _Fields(path, meta)
    words = take("problem", _is_table)
    if not isinstance(words.get("kind"), str):
        raise take.wrong("problem")
    open_work = None
    saved = _with_prefix(arrays, _OPEN)
    if take("open", _is_open_work) is not None:
        unit, count = meta["open"]
        open_work = OpenWork(unit, count, lambda: saved)
    solution = arrays.get("solution")
    if solution is not None and (solution.dtype != np.int64 or solution.ndim != 1):
        raise take.wrong("solution")
    restored = _restored(path, words, _with_prefix(arrays, _PROBLEM), problem)
    history = tuple(
        HistoryEntry(float(time), *others) for time, *others in take("history", _is_history)
    )
    if "bound" in meta:
        bound, bounds = take("bound", _or_none(_is_number)), take("bounds", _is_bounds)
    else:  # older files have it beside the incumbents only
        bounds = [(each.time, each.bound) for each in history if each.bound is not None]
        bound = bounds[-1][1] if bounds else None
    upper_bound, seed = take("upper_bound", _or_none(_is_integer)), take("seed", _is_integer)
    try:
        check_limits(None, None, upper_bound, seed, signed=spec_of(restored).signed)
    except OptionError as error:
        raise take.wrong(error.option) from None
    return Checkpoint(
        problem=restored,
        method=take("method", _or_none(_is_text)),
        options=take("options", _is_table),
        upper_bound=upper_bound,
        seed=seed,
        open_work=open_work,
        tree=take("tree", _is_table),
        objective=take("objective", _or_none(_is_number)),
        solution=solution,
        bound=bound,
        bounds=tuple(bounds),
        nodes=take("nodes", _is_count),
        leaves=take("leaves", _is_count),
        explored=int(take("explored", _is_hexadecimal), 16),
        elapsed=float(take("elapsed", _is_seconds)),
        history=history,
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


class _Fields:
    """Takes the fields of a file, each once it has proved to be what it must be."""

    def __init__(self, path: str, meta: Mapping[str, Any]) -> None:
        self._path, self._meta = path, meta

    def __call__(self, name: str, is_right: Callable[[object], bool]) -> Any:
        """Return a field; raise ``InputError`` if it is missing or wrong."""
        if name not in self._meta or not is_right(self._meta[name]):
            raise self.wrong(name)
        return self._meta[name]

    def wrong(self, name: str) -> InputError:
        """Return the error that says which field is wrong."""
        return InputError(
            f"{self._path} is not a checkpoint that can be resumed: its field {name!r} is invalid"
        )


def _or_none(is_right: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or is_right(value)


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str)


def _is_integer(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return _is_integer(value) and value >= 0


def _is_number(value: object) -> TypeGuard[int | float]:
    return _is_integer(value) or (isinstance(value, float) and math.isfinite(value))


def _is_seconds(value: object) -> bool:
    return _is_number(value) and value >= 0


def _is_hexadecimal(value: object) -> bool:
    return _is_text(value) and value != "" and set(value) <= set("0123456789abcdef")


def _is_open_work(value: object) -> bool:
    """Tell whether it is None or a unit and how many of them."""
    return value is None or _is_row(value, (("interval", "node", "range").__contains__, _is_count))


def _is_history(value: object) -> bool:
    """Tell whether it is a list of improvements: time, objective, nodes, source, bound."""
    entry = _is_number, _is_number, _is_count, _is_text, _or_none(_is_number)
    return isinstance(value, list) and all(_is_row(row, entry) for row in value)


def _is_bounds(value: object) -> bool:
    """Tell whether it is a list of a time and a bound each."""
    entry = _is_seconds, _is_number
    return isinstance(value, list) and all(_is_row(row, entry) for row in value)


def _is_row(value: object, kinds: Sequence[Callable[[object], bool]]) -> bool:
    """Tell whether it is a list with as many values, each of its kind."""
    if not isinstance(value, list) or len(value) != len(kinds):
        return False
    return all(is_right(each) for each, is_right in zip(value, kinds, strict=True))
