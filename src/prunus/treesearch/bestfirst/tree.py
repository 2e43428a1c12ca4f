"""What a problem tells the pool engine: the contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.treesearch.bestfirst.store import Nodes

__all__ = ["PoolTree"]


@dataclass(frozen=True, slots=True, eq=False)
class PoolTree:
    """A tree whose nodes are rows of words.

    Attributes
    ----------
    root
        The nodes at the beginning, usually one.
    children
        Rows that ``branch`` may write to.
    solution_size
        How many numbers describe a solution.
    explore
        The compiled search, made by ``kernel.instantiate`` from the problem's ``branch``.
    data
        Makes what ``branch`` reads, with scratch memory of its own for one core.
    solution
        Turns the numbers that describe a solution into one.
    evaluate
        The problem's own plain evaluation of a solution.
    saved
        Arrays that give the words their meaning, for checkpoints.
    """

    root: Nodes
    children: int
    solution_size: int
    explore: Callable[..., int]
    data: Callable[[], tuple[Any, ...]]
    solution: Callable[[NDArray[np.int64]], NDArray[np.int64]]
    evaluate: Callable[[NDArray[np.int64]], int]
    saved: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    @property
    def words(self) -> int:
        """How many words a node has."""
        return int(self.root.words.shape[1])
