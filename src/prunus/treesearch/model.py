"""The contracts of a tree search: what a problem says of a node, what explores, what moves.

A problem says what a node is (see the compiled searches of ``interval`` and ``bestfirst``), an
`Explorer` holds open work of one tree on one device and explores it, an `ExplorerFactory` makes the
explorers of a problem. What work is (intervals of leaves, or open nodes) the `SearchSpace` knows.
Everything around them (stealing between devices, the time limit, progress, checkpoints) is written
against these contracts alone.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Protocol

from prunus.model.arrays import Int64Array, Number
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.options import StealingPolicy

if TYPE_CHECKING:
    from prunus.hardware.device import Device
    from prunus.runtime.checkpoint import Checkpoint


class SolutionEvaluator(Protocol):
    """A problem, as far as a search must know it: plain code that checks every solution."""

    def evaluate(self, solution: Int64Array, /) -> Number:
        """Return a solution's objective."""


class Work(Protocol):
    """A part of a tree that is open: what moves between explorers. See `SearchSpace`."""

    def __len__(self) -> int:
        """Return how many intervals or nodes it is."""


def least_bound(bounds: Sequence[int | None]) -> int | None:
    """Return the least of some bounds; None if one is not known, or if there is none."""
    known = [bound for bound in bounds if bound is not None]
    return min(known) if known and len(known) == len(bounds) else None


class SearchSpace(Protocol):
    """A tree as those see it who hand its parts about: what work is, and how much of it.

    Sizes are leaves, exactly, where work is intervals; of open nodes they are shares of the tree,
    which add up to one but for rounding.
    """

    @property
    def size(self) -> float:
        """How large the whole tree is."""

    def begin(self, resumed: Checkpoint | None) -> tuple[Work, float]:
        """Return what is open, and how much is fathomed, at the beginning or in a checkpoint.

        Raises ``InputError`` if the checkpoint does not fit the tree.
        """

    def distribute(self, work: Work, count: int) -> list[Work]:
        """Divide work into so many parts, for equals; some may be empty."""

    def join(self, parts: Sequence[Work]) -> Work:
        """Return several pieces of work as one; they may be read only when it is used."""

    def on_host(self, work: Work) -> Work:
        """Return work that no device can lose; may wait for a copy and may raise a DeviceError."""
        return work

    def measure(self, work: Work) -> float:
        """Return how large work is.

        Raises ``ValueError`` if something in it is no part of the tree, or nothing like it.
        """

    def bound(self, work: Work) -> int | None:
        """Return the least lower bound in packed work, or None if it does not carry any."""

    def is_same(self, one: float, other: float) -> bool:
        """Return whether two sizes are the same but for rounding."""

    def is_whole(self, fathomed: float, work: Work) -> bool:
        """Return whether what is fathomed and what is open are the whole tree."""
        return self.is_same(fathomed + self.measure(work), self.size)

    def pack(self, work: Work) -> Work:
        """Return work as it travels between processes."""
        return work

    def count(self, work: Work) -> int:
        """Return the pieces that packed work can be divided into: intervals, nodes or tasks."""
        return len(work)

    def take(self, work: Work, count: int) -> tuple[Work, Work]:
        """Divide packed work: so many pieces, and the rest."""

    def refine(self, work: Work, pieces: int) -> Work:
        """Return the same work in so many pieces, or in as many as it has without a search."""
        return work

    def saved(self, work: Work, fathomed: float) -> dict[str, Any]:
        """Return what a checkpoint keeps of them."""


@dataclass(frozen=True, slots=True)
class ExplorerStatistics:
    """What one call of ``Explorer.explore`` did."""

    nodes: int
    """Branched nodes."""
    leaves: int
    """Leaves reached; for counting problems, solutions counted (with their weights)."""
    active: int
    explorers: int
    """How many of the device's explorers have work, of how many."""
    exhausted: bool
    """No open interval is left."""
    steals: int = 0
    """Steals inside the device."""
    remaining: float = math.nan
    """The open fraction of the whole tree, roughly; not a number if the device cannot tell."""
    has_spare_work: bool = True
    """There is work to spare: others may ask for some. It may say so wrongly."""
    bound: int | None = None
    """No open node here has a lower bound below this; None if that is not known."""


class Explorer(Protocol):
    """One device's share of a search. All methods but ``interrupt`` are called by one thread."""

    name: str
    power: float
    """Rough relative speed: a core is 1, a GPU a few hundred."""
    reliable: bool
    """False for a device that can fail on its own, by a ``DeviceError``, while others go on."""

    @property
    def space(self) -> SearchSpace:
        """The tree."""

    def load(self, work: Work) -> None:
        """Add work to what is open."""

    def explore(self, incumbent: Incumbent, seconds: float) -> ExplorerStatistics:
        """Explore for about so long; return earlier when out of work or interrupted.

        Better solutions are offered to the incumbent as they are found, re-evaluated by plain code.
        """

    def interrupt(self) -> None:
        """Make a running ``explore`` return soon; may be called by any thread."""

    def stop(self) -> None:
        """Do the same at the end of a search, whatever is left half done by that."""
        self.interrupt()

    def clear(self) -> None:
        """Forget all open work: another search of the same tree begins."""

    def split(self, fraction: float) -> Work:
        """Give away about this fraction of the open work, possibly nothing."""

    def state(self) -> tuple[list[Work], float]:
        """Return all open work, which stays here, and how much of the tree is fathomed here.

        Leaves are fathomed when they are visited or pruned, and accounted for from the ends of the
        explorer's own intervals, or by the shares of its nodes: over all explorers of a finished
        search they add up to the whole tree, which proves that nothing was lost or done twice. What
        is returned stays what it is while the search goes on.
        """

    def bound(self) -> int | None:
        """Return the least lower bound over all open nodes, or None if it is not known."""

    def statistics(self) -> Mapping[str, object]:
        """Return figures of its own for a result's statistics, by default none.

        Numbers of the same name are added up over the explorers.
        """
        return {}


@dataclass(frozen=True)
class ExplorerFactory(ABC):
    """A problem with what defines its tree: makes the explorers, in any process.

    It is sent to worker processes: its fields are small, and what it makes is not sent along.
    """

    problem: SolutionEvaluator
    """What is solved."""
    policy: StealingPolicy
    """How work moves between the devices of a machine."""

    def __reduce__(self) -> tuple[object, ...]:
        """Send the fields, and nothing that was made of them."""
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    @property
    @abstractmethod
    def space(self) -> SearchSpace:
        """The tree."""

    @property
    @abstractmethod
    def prefers_cores(self) -> bool:
        """Whether cores are done before a GPU has started, or a GPU cannot search this tree."""

    @abstractmethod
    def on_core(self, name: str) -> Explorer:
        """Make an explorer on a core."""

    @abstractmethod
    def on_gpu(self, device: Device) -> Explorer:
        """Make an explorer on a GPU."""
