"""What travels between the coordinator and its workers: work units, their results, hellos."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from math import inf, isfinite

import numpy as np

from prunus.model.arrays import Int64Array
from prunus.treesearch.distributed.device_sharing import WorkerInfo
from prunus.treesearch.distributed.messages import Address
from prunus.treesearch.model import Work

__all__ = ["Hello", "WorkUnit", "WorkUnitResult", "checked_hello", "checked_result"]


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """A part of a tree to be explored for some time; to explore it twice does no harm.

    Attributes
    ----------
    ticket, copy
        Whose result it will be; how often it was sent before.
    factory, digest
        A pickled ``ExplorerFactory``, and what tells it from others.
    devices
        In words, as for `prunus.solve`.
    workers
        Those that are known, a pickled tuple of ``WorkerInfo``.
    work
        The part of the tree.
    cutoff
        Only solutions below this are sought.
    bound
        No solution in the part is below this; None if that is not known.
    seconds
        When to come back, at the latest; earlier if there is nothing left, or if it is asked to.
    address
        Where the coordinator is told what is found meanwhile, and says what is new.
    """

    ticket: int
    copy: int
    factory: bytes
    digest: str
    devices: str
    workers: bytes
    work: Work
    cutoff: int
    bound: int | None
    seconds: float
    address: Address | None = None


@dataclass(frozen=True, slots=True)
class WorkUnitResult:
    """What came of a work unit.

    Attributes
    ----------
    left
        What is left.
    fathomed
        How much is done.
    cutoff
        The least cutoff that nodes were pruned with: what was pruned holds only where the
        incumbent is at least as good.
    bound
        No solution in what is left is below this; None if that is not known.
    nodes, leaves
        Nodes branched; leaves reached, or for counting problems solutions.
    found
        The best solution that was found, if it beats what was known, with its objective.
    worker, devices
        Who, with what.
    search_s, total_s
        Seconds of search; seconds altogether; without those in which code was compiled.
    """

    left: Work
    fathomed: float
    cutoff: int
    bound: int | None
    nodes: int
    leaves: int
    found: tuple[int, Int64Array] | None
    worker: WorkerInfo
    devices: tuple[str, ...]
    search_s: float
    total_s: float


@dataclass(frozen=True, slots=True)
class Hello:
    """Who a worker is, and which version of prunus it has."""

    version: str
    worker: WorkerInfo


def checked_result(value: object) -> WorkUnitResult:
    """Return what a worker has sent as a result of which every field has its type.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    if not isinstance(value, WorkUnitResult):
        raise ValueError(f"a worker returned {type(value).__name__}, which is no result")
    try:
        for number in (value.cutoff, value.nodes, value.leaves):
            operator.index(number)
        if value.bound is not None:
            operator.index(value.bound)
        good = min(value.fathomed, value.nodes, value.leaves) >= 0 and value.fathomed < inf
        good = good and isfinite(value.search_s) and isfinite(value.total_s)
        good = good and _is_worker(value.worker)
        good = good and all(isinstance(name, str) for name in value.devices)
        if value.found is not None:
            objective, solution = value.found
            operator.index(objective)
            good = good and isinstance(solution, np.ndarray) and solution.dtype == np.int64
    except (TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"a worker returned a malformed result ({error})") from error
    if not good:
        raise ValueError("a worker returned a malformed result")
    return value


def checked_hello(value: object) -> Hello:
    """Do the same for a hello."""
    if not (isinstance(value, Hello) and isinstance(value.version, str)):
        raise ValueError(f"a worker returned {type(value).__name__}, which is no hello")
    if not _is_worker(value.worker):
        raise ValueError("a worker returned a malformed hello")
    return value


def _is_worker(value: object) -> bool:
    return (
        isinstance(value, WorkerInfo)
        and isinstance(value.host, str)
        and isinstance(value.gpus, tuple)
        and all(isinstance(name, str) for name in value.gpus)
        and all(isinstance(n, int) for n in (value.pid, value.concurrency, value.cores))
    )
