"""What a checkpoint holds: the problem, how it is solved, what is known, what is left to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.result import HistoryEntry
from prunus.runtime.checkpoint.container import pack, unpack
from prunus.runtime.checkpoint.problem import from_parts, to_parts
from prunus.treesearch.model import Work

__all__ = ["Checkpoint", "read_checkpoint"]

_POOL = "pool_"
"""Before the names of the pool engine's arrays."""


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """The state of a solve.

    Attributes
    ----------
    problem
        The problem.
    method, options, upper_bound, seed
        What ``solve`` was called with.
    intervals
        The open part of the tree; None if the search had not begun, empty if it is complete.
    tree
        What else defines the tree, such as the number of N-Queens tasks.
    pool
        The open nodes of the pool engine, in place of intervals, and what gives them their meaning.
    objective, solution
        The incumbent, if there is one.
    nodes, leaves, explored
        Branched nodes, leaves reached, leaves passed (of a tree that may have more than 2^64).
    elapsed
        Seconds spent so far, over all runs.
    history
        The incumbents.
    """

    problem: Any
    method: str | None
    options: Mapping[str, Any]
    upper_bound: int | None
    seed: int
    intervals: Work | None = None
    tree: Mapping[str, Any] = field(default_factory=dict)
    pool: Mapping[str, NDArray[Any]] | None = None
    objective: int | None = None
    solution: NDArray[np.int64] | None = None
    nodes: int = 0
    leaves: int = 0
    explored: int = 0
    elapsed: float = 0.0
    history: tuple[HistoryEntry, ...] = ()

    @property
    def complete(self) -> bool:
        """Nothing is left to do."""
        if self.pool is not None:
            return len(self.pool["bound"]) == 0
        return self.intervals is not None and len(self.intervals) == 0

    def write(self, path: str) -> None:
        """Write the checkpoint, whole or not at all.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        words, arrays = to_parts(self.problem)
        if self.intervals is not None:
            from prunus.runtime.checkpoint.flat import flatten

            arrays |= flatten(self.intervals)
        if self.pool is not None:
            arrays |= {_POOL + name: values for name, values in self.pool.items()}
        if self.solution is not None:
            arrays["solution"] = np.asarray(self.solution, np.int64)
        meta = {
            "problem": words,
            "method": self.method,
            "options": dict(self.options),
            "upper_bound": self.upper_bound,
            "seed": self.seed,
            "tree": dict(self.tree),
            "objective": self.objective,
            "nodes": self.nodes,
            "leaves": self.leaves,
            "explored": str(self.explored),
            "elapsed": self.elapsed,
            "history": [[h.time, h.objective, h.nodes, h.source] for h in self.history],
        }
        pack(path, meta, arrays)


def _of_pool(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]] | None:
    pool = {name[len(_POOL) :]: arrays[name] for name in arrays if name.startswith(_POOL)}
    return pool or None


def read_checkpoint(path: str, problem: Any = None) -> Checkpoint:
    """Read a checkpoint.

    Parameters
    ----------
    path
        The file.
    problem
        A user's own problem, made again: needed where its class cannot be imported.

    Raises
    ------
    InputError
        If the file is no checkpoint, is damaged, or was written by a newer version.
    """
    meta, arrays = unpack(path)
    try:
        intervals = None
        if "digits" in arrays:
            from prunus.runtime.checkpoint.flat import unflatten

            intervals = unflatten(arrays)
        return Checkpoint(
            problem=from_parts(meta["problem"], arrays, problem),
            method=meta["method"],
            options=meta["options"],
            upper_bound=meta["upper_bound"],
            seed=meta["seed"],
            intervals=intervals,
            tree=meta["tree"],
            pool=_of_pool(arrays),
            objective=meta["objective"],
            solution=arrays.get("solution"),
            nodes=meta["nodes"],
            leaves=meta["leaves"],
            explored=int(meta["explored"]),
            elapsed=meta["elapsed"],
            history=tuple(HistoryEntry(*entry) for entry in meta["history"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError) and meta["problem"]["kind"] == "own":
            raise  # the file is in order
        raise InputError(f"{path} is not a checkpoint that can be gone on with: {error}") from None
