"""The cores of one machine, each with a pool of its own: gifts, standstills, the end.

A thread drives each core. Everything that several threads touch is touched under one lock, a few
times in a hundredth of a second: what each core has open, nodes on their way, who waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Condition

from prunus.hardware.crew import start
from prunus.runtime import clock
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.trace import Recorder
from prunus.treesearch.bestfirst import kernel as k
from prunus.treesearch.bestfirst.core import Core
from prunus.treesearch.bestfirst.store import Nodes

__all__ = ["Snapshot", "Team"]

FIRST, LONGEST = 0.002, 0.02
"""Seconds between two looks of a core around: at first, at most."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of the team at one moment; ``bound`` is the least of an open node."""

    nodes: int
    leaves: int
    active: int
    open: int
    bound: int
    explored: float


class Team:
    """Cores that search one tree together.

    Parameters
    ----------
    cores
        At least one.
    incumbent
        The best solution known; improved in place.

    Attributes
    ----------
    recorder
        Samples over time.
    """

    def __init__(self, cores: Sequence[Core], incumbent: Incumbent) -> None:
        self.cores = cores
        self.incumbent = incumbent
        self.recorder = Recorder(tuple(core.name for core in cores))
        self._changed = Condition()
        self._gifts: list[Nodes] = []
        self._waiting = 0
        self._still = 0
        self._hold = False
        self._stopping = False
        self._error: BaseException | None = None
        self._shown = [(k.NOTHING, 0)] * len(cores)
        self._began = clock.seconds()
        self._before = 0.0

    def run(self, nodes: Nodes, look: Callable[[Snapshot], bool], every: float = 0.12) -> bool:
        """Search nodes until nothing is open or ``look`` returns True; return which.

        Parameters
        ----------
        nodes
            Open nodes; the cores share them.
        look
            Called in this thread, about once every ``every`` seconds.

        Raises
        ------
        KeyboardInterrupt
            After all cores have stopped; what is open still is in ``open_nodes``.
        """
        self._before = 1.0 - float(nodes.share.sum())
        count = len(self.cores)
        for i, core in enumerate(self.cores):
            core.take(nodes.part(slice(i, None, count)))
            self._show(i)
        jobs = [start(self._drive, i) for i in range(count)]
        pause = FIRST
        try:
            while any(job.running for job in jobs):
                with self._changed:
                    self._changed.wait_for(lambda: self._stopping, pause)
                pause = min(every, 2 * pause)
                self._note()
                if look(self.snapshot()):
                    break
        finally:
            self._stop()
            for job in jobs:
                job.join()
        self._note()
        if self._error is not None:
            raise self._error
        return not self._gifts and all(core.store.count == 0 for core in self.cores)

    def snapshot(self) -> Snapshot:
        """Return the team's figures at this moment."""
        with self._changed:
            least, counts = zip(*self._shown, strict=True)
            gifts = list(self._gifts)
            active = len(self.cores) - self._waiting
        return Snapshot(
            nodes=sum(core.nodes for core in self.cores),
            leaves=sum(core.leaves for core in self.cores),
            active=active,
            open=sum(counts) + sum(gift.size for gift in gifts),
            bound=min([*least, *(int(gift.bound.min()) for gift in gifts)]),
            explored=min(
                1.0, self._before + sum(float(core.store.room.done[0]) for core in self.cores)
            ),
        )

    def survey(self) -> Nodes:
        """Return all open nodes of a search that goes on, which stands still meanwhile."""
        with self._changed:
            self._hold = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._still == len(self.cores) or self._stopping)
            nodes = self.open_nodes()
            self._hold = False
            self._changed.notify_all()
        return nodes

    def open_nodes(self) -> Nodes:
        """Return all open nodes when nothing moves."""
        return Nodes.join([*(core.store.all() for core in self.cores), *self._gifts])

    def _drive(self, i: int) -> None:
        """Drive one core until the search is over; runs in the core's thread."""
        core = self.cores[i]
        seconds = FIRST
        try:
            while self._has_work(i):
                core.explore(self.incumbent, seconds)
                seconds = min(LONGEST, 2 * seconds)
                with self._changed:
                    if self._waiting > len(self._gifts) and core.store.count > 1:
                        gift = core.store.give()
                        if gift.size:
                            self._gifts.append(gift)
                            self._changed.notify_all()
                    self._show(i)
        except BaseException as error:
            self._error = error
            self._stop()
        finally:
            with self._changed:
                self._still += 1
                self._changed.notify_all()

    def _has_work(self, i: int) -> bool:
        """Return whether to go on; stand still while that is wanted.

        Without work it waits for a gift; when all wait, the search is over.
        """
        core = self.cores[i]
        with self._changed:
            while not self._stopping:
                if self._hold:
                    self._still += 1
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: not self._hold or self._stopping)
                    self._still -= 1
                elif core.store.count:
                    return True
                elif self._gifts:
                    core.take(self._gifts.pop())
                    core.steals += 1
                    self._show(i)
                else:
                    since = clock.seconds()
                    self._waiting += 1
                    if self._waiting == len(self.cores):
                        self._stopping = True
                        self._changed.notify_all()
                    self._changed.wait_for(lambda: self._gifts or self._hold or self._stopping)
                    self._waiting -= 1
                    core.idle_time += clock.seconds() - since
        return False

    def _show(self, i: int) -> None:
        """Note what a core has open."""
        store = self.cores[i].store
        self._shown[i] = (store.least(), store.count)

    def _stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for core in self.cores:
            core.flag[0] = 1

    def _note(self) -> None:
        self.recorder.note(
            clock.seconds() - self._began,
            [(c.nodes, c.steals, int(c.store.count > 0), c.idle_time) for c in self.cores],
        )
