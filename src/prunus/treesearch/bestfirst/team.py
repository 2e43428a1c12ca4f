"""The cores of one machine, each with open nodes of its own: donations, pauses, termination.

A thread drives each core. Everything that several threads touch is touched under one lock, a few
times in a hundredth of a second: what each core has open, nodes on their way, who waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Condition

from prunus.hardware import clock
from prunus.hardware.threads import start_task
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.trace import Recorder
from prunus.treesearch.bestfirst.compiled_search import NO_BOUND
from prunus.treesearch.bestfirst.explorer import BestFirstExplorer
from prunus.treesearch.bestfirst.open_nodes import NodeBatch

__all__ = ["BestFirstTeam", "TeamStatus"]

FIRST_SLICE_S, MAX_SLICE_S = 0.002, 0.02
"""How long a core searches before it looks whether others need nodes: at first, at most."""


@dataclass(frozen=True, slots=True)
class TeamStatus:
    """The state of the team at one moment; ``bound`` is the least of an open node."""

    nodes: int
    leaves: int
    active: int
    open: int
    bound: int
    explored: float


class BestFirstTeam:
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

    def __init__(self, cores: Sequence[BestFirstExplorer], incumbent: Incumbent) -> None:
        self.cores = cores
        self.incumbent = incumbent
        self.recorder = Recorder(tuple(core.name for core in cores))
        self._changed = Condition()
        self._donations: list[NodeBatch] = []
        self._waiting = 0
        self._paused = 0
        self._pausing = False
        self._stopping = False
        self._error: BaseException | None = None
        self._published = [(NO_BOUND, 0)] * len(cores)
        self._began = clock.seconds()
        self._before = 0.0

    def run(
        self, nodes: NodeBatch, look: Callable[[TeamStatus], bool], every: float = 0.12
    ) -> bool:
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
            core.load(nodes.part(slice(i, None, count)))
            self._publish(i)
        jobs = [start_task(self._drive, i) for i in range(count)]
        pause = FIRST_SLICE_S
        try:
            while any(job.running for job in jobs):
                with self._changed:
                    self._changed.wait_for(lambda: self._stopping, pause)
                pause = min(every, 2 * pause)
                self._record()
                if look(self.status()):
                    break
        finally:
            self._stop()
            for job in jobs:
                job.join()
        self._record()
        if self._error is not None:
            raise self._error
        return not self._donations and all(core.open.count == 0 for core in self.cores)

    def status(self) -> TeamStatus:
        """Return the team's figures at this moment."""
        with self._changed:
            least, counts = zip(*self._published, strict=True)
            donations = list(self._donations)
            active = len(self.cores) - self._waiting
        return TeamStatus(
            nodes=sum(core.nodes for core in self.cores),
            leaves=sum(core.leaves for core in self.cores),
            active=active,
            open=sum(counts) + sum(donation.size for donation in donations),
            bound=min([*least, *(int(donation.bound.min()) for donation in donations)]),
            explored=min(
                1.0, self._before + sum(float(core.open.counts.fathomed) for core in self.cores)
            ),
        )

    def paused_open_nodes(self) -> NodeBatch:
        """Return all open nodes of a search that goes on, which stands still meanwhile."""
        with self._changed:
            self._pausing = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._paused == len(self.cores) or self._stopping)
            nodes = self.open_nodes()
            self._pausing = False
            self._changed.notify_all()
        return nodes

    def open_nodes(self) -> NodeBatch:
        """Return all open nodes when nothing moves."""
        return NodeBatch.join([*(core.open.all() for core in self.cores), *self._donations])

    def _drive(self, i: int) -> None:
        """Drive one core until the search is over; runs in the core's thread."""
        core = self.cores[i]
        seconds = FIRST_SLICE_S
        try:
            while self._has_work(i):
                core.explore(self.incumbent, seconds)
                seconds = min(MAX_SLICE_S, 2 * seconds)
                with self._changed:
                    if self._waiting > len(self._donations) and core.open.count > 1:
                        donation = core.open.donate()
                        if donation.size:
                            self._donations.append(donation)
                            self._changed.notify_all()
                    self._publish(i)
        except BaseException as error:
            self._error = error
            self._stop()
        finally:
            with self._changed:
                self._paused += 1
                self._changed.notify_all()

    def _has_work(self, i: int) -> bool:
        """Return whether to go on; stand still while that is wanted.

        Without work it waits for a donation; when all wait, the search is over.
        """
        core = self.cores[i]
        with self._changed:
            while not self._stopping:
                if self._pausing:
                    self._paused += 1
                    self._changed.notify_all()
                    self._changed.wait_for(lambda: not self._pausing or self._stopping)
                    self._paused -= 1
                elif core.open.count:
                    return True
                elif self._donations:
                    core.load(self._donations.pop())
                    core.steals += 1
                    self._publish(i)
                else:
                    since = clock.seconds()
                    self._waiting += 1
                    if self._waiting == len(self.cores):
                        self._stopping = True
                        self._changed.notify_all()
                    self._changed.wait_for(
                        lambda: self._donations or self._pausing or self._stopping
                    )
                    self._waiting -= 1
                    core.idle_time += clock.seconds() - since
        return False

    def _publish(self, i: int) -> None:
        """Note what a core has open."""
        store = self.cores[i].open
        self._published[i] = (store.least(), store.count)

    def _stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for core in self.cores:
            core.stop_flag[0] = 1

    def _record(self) -> None:
        self.recorder.note(
            clock.seconds() - self._began,
            [(c.nodes, c.steals, int(c.open.count > 0), c.idle_time) for c in self.cores],
        )
