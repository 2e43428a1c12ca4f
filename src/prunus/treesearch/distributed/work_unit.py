"""What travels between the coordinator and its workers: work units, their results, hellos."""

from __future__ import annotations

from dataclasses import dataclass

from prunus.model.arrays import Int64Array
from prunus.treesearch.distributed.device_sharing import WorkerInfo
from prunus.treesearch.distributed.messages import Address
from prunus.treesearch.model import Work


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """A part of a tree to be explored for some time; to explore it twice does no harm."""

    ticket: int
    copy: int
    """Whose result it will be; how often it was sent before."""
    factory: bytes
    digest: str
    """A pickled ``ExplorerFactory``, and what tells it from others."""
    devices: str
    """In words, as for `prunus.solve`."""
    workers: bytes
    """Those that are known, a pickled tuple of ``WorkerInfo``."""
    work: Work
    """The part of the tree."""
    cutoff: int
    """Only solutions below this are sought."""
    bound: int | None
    """No solution in the part is below this; None if that is not known."""
    seconds: float
    """When to come back, at the latest; earlier if there is nothing left, or if it is asked to."""
    address: Address | None = None
    """Where the coordinator is told what is found meanwhile, and says what is new."""


@dataclass(frozen=True, slots=True)
class WorkUnitResult:
    """What came of a work unit."""

    left: Work
    """What is left."""
    fathomed: float
    """How much is done."""
    cutoff: int
    """The least cutoff that nodes were pruned with: what was pruned holds only where the incumbent
    is at least as good."""
    bound: int | None
    """No solution in what is left is below this; None if that is not known."""
    nodes: int
    leaves: int
    """Nodes branched; leaves reached, or for counting problems solutions."""
    found: tuple[int, Int64Array] | None
    """The best solution that was found, if it beats what was known, with its objective."""
    worker: WorkerInfo
    devices: tuple[str, ...]
    """Who, with what."""
    search_s: float
    total_s: float
    """Seconds of search; seconds altogether; without those in which code was compiled."""


@dataclass(frozen=True, slots=True)
class Hello:
    """Who a worker is, and which version of prunus it has."""

    version: str
    worker: WorkerInfo
