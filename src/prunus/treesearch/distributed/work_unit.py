"""What travels between the coordinator and its workers: work units, their results, hellos."""

from __future__ import annotations

from dataclasses import dataclass

from prunus.model.arrays import Int64Array
from prunus.treesearch.distributed.device_sharing import WorkerInfo
from prunus.treesearch.distributed.messages import Address
from prunus.treesearch.model import Work

__all__ = ["Hello", "WorkUnit", "WorkUnitResult"]


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
