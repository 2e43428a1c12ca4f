"""A search as a pure function of a small description: what a worker anywhere can do, and redo."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from prunus.subsetsum.finding import Finding
from prunus.subsetsum.four_list import FourLists
from prunus.subsetsum.merge import Map, one_by_one
from prunus.subsetsum.two_list import TwoLists
from prunus.subsetsum.wide_list import WideLists

__all__ = ["Description", "Plan", "explore", "plan"]


@dataclass(frozen=True, slots=True)
class Description:
    """Everything that defines the pieces of a search and what is sought in them.

    Attributes
    ----------
    kind
        ``"four-list"``, ``"two-list"`` or ``"wide-list"``.
    weights, target, objective
        As in ``SubsetSum``, after the reductions.
    fixed
        How many items the two lists leave out.
    """

    kind: str
    weights: tuple[int, ...]
    target: int
    objective: str
    fixed: int = 0


class Plan(Protocol):
    """Lists made, ready to be searched."""

    @property
    def pieces(self) -> int:
        """How many pieces there are."""

    def run(self, first: int, last: int, stop: NDArray[np.int64]) -> Finding:
        """Search pieces [first, last), or fewer if ``stop[0]`` becomes nonzero."""


def plan(
    work: Description,
    cores: int = 1,
    apply: Map = one_by_one,
    should_stop: Callable[[], bool] = lambda: False,
) -> Plan:
    """Make the lists of a search; stopped, it has no pieces."""
    if work.kind == "four-list":
        counting = work.objective == "count"
        return FourLists(work.weights, work.target, counting=counting, should_stop=should_stop)
    if work.kind == "wide-list":
        return WideLists(work.weights, work.target, fixed=work.fixed, should_stop=should_stop)
    return TwoLists(
        work.weights,
        work.target,
        objective=work.objective,
        fixed=work.fixed,
        cores=cores,
        apply=apply,
        should_stop=should_stop,
    )


_KEPT = 2
_plans: OrderedDict[Description, Plan] = OrderedDict()
_lock = threading.Lock()
_never = np.zeros(1, np.int64)


def explore(work: Description, first: int, last: int) -> tuple[Finding, float]:
    """Search some pieces in a worker process and return what was found, and the seconds it took.

    The same arguments give the same answer in any process, at any time, so that whoever has lost
    one may ask again. The lists are kept for the next call; losing them costs time only.
    """
    with _lock:
        made = _plans.pop(work, None)
        if made is None:
            while len(_plans) >= _KEPT:
                _plans.popitem(last=False)
            made = plan(work)
        _plans[work] = made
    start = perf_counter()
    finding = made.run(first, last, _never)
    return finding, perf_counter() - start
