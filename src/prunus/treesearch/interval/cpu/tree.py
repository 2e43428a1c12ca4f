"""A problem as the search on cores sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.treesearch.interval.cpu.kernel import Kernel

__all__ = ["Tree"]


@dataclass(frozen=True, slots=True)
class Tree:
    """What a problem supplies.

    Attributes
    ----------
    radix
        The number of children at each level.
    items
        The number of items at the root; at each level one is fixed.
    kernel
        The compiled search.
    root
        The root's state; its type is the type of all states and bounds.
    data
        Makes what ``branch`` and ``descend`` read, with scratch memory of its own for one explorer.
    solution
        Turns the items and directions of a full path into a solution.
    evaluate
        The problem's own plain evaluation of a solution.
    """

    radix: tuple[int, ...]
    items: int
    kernel: Kernel
    root: NDArray[Any]
    data: Callable[[], tuple[Any, ...]]
    solution: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]
    evaluate: Callable[[NDArray[np.int64]], int]
