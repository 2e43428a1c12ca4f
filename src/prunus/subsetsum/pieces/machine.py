"""Search the pieces on the devices of this machine: cores and GPUs take ranges from one accounting.

Every worker takes pieces for some hundredths of a second at a time, so that shares follow
measured speeds; near the end portions shrink so that all workers finish together. Cores join GPUs
when enough work is left to be worth building their lists, and when they contribute more than they
slow down the threads that drive the GPUs. The last piece is left to the GPUs: together they are
never slower than the faster alone.

The caller's thread is the first worker's: a short search takes less time than a thread to start and
to be given a core. If a piece takes so long that nobody would look at the clock, a thread of its
own takes over.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from prunus.errors import DeviceError
from prunus.hardware.threads import Task, start_task
from prunus.subsetsum.pieces.accounting import PieceAccounting
from prunus.subsetsum.pieces.portions import final_portion, portion_seconds
from prunus.subsetsum.pieces.preparation import PreparedCpuSearch, PreparedSearch
from prunus.subsetsum.tuning import TUNING

_log = logging.getLogger(__name__)

_MANY = 2**60
"""Larger numbers of pieces are treated as this one."""

Held = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Worker:
    """A device that searches."""

    name: str
    """As in ``devices=``."""
    make: Callable[[], PreparedSearch]
    """Makes the lists; called in the worker's own thread."""
    rate: float = 0.0
    """Pieces a second that it is expected to do; 0 for unknown."""
    least: int = 1
    """Pieces that it can do at the same time."""
    helper: bool = False
    """Joins only if the others need long enough for it to pay."""


def core_workers(plan: PreparedCpuSearch, cores: int) -> list[Worker]:
    """Return cores that search in the same lists."""
    return [Worker(f"cpu:{core}", lambda: plan, plan.rate) for core in range(cores)]


class MachineSearch:
    """A search by some workers.

    ``held`` keeps Ctrl-C from being raised in the caller's thread while the accounting is changed.
    ``time_left`` gives the seconds until the time is up; the search looks at the clock then.
    """

    def __init__(
        self,
        workers: Sequence[Worker],
        accounting: PieceAccounting,
        held: Held = nullcontext,
        time_left: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self._workers, self._accounting, self._held = workers, accounting, held
        self._time_left = time_left
        self._stop = np.zeros(1, np.int64)
        self._rates: dict[str, float] = {}
        self._free: dict[str, float] = {}
        self._done = {worker.name: 0 for worker in workers}
        self._failed: list[BaseException] = []
        self._lost: list[DeviceError] = []
        self._begun = self._seen = perf_counter()
        self._stopped = False
        self._jobs: list[Task[PreparedSearch | None]] = []
        self._helpers = [worker for worker in workers if worker.helper]
        self._lock = threading.Lock()

    def search(self, look: Callable[[], bool]) -> dict[str, int]:
        """Search until all is done or `look`, called about ten times a second, says to stop.

        Returns how many pieces each worker did. Raises ``DeviceError`` as a GPU has if no other
        worker could do its work, and what else a thread has raised.
        """
        accounting = self._accounting
        first, *others = [worker for worker in self._workers if not worker.helper]
        for worker in others:
            self._start(worker)
        try:
            slow = self._work(first, look)
            if slow is not None:
                self._start(first, slow)
            while any(job.running for job in self._jobs) and not self._stop[0]:
                accounting.ended.wait(max(0.0, min(TUNING.poll_s, self._time_left())))
                accounting.ended.clear()
                if self._must_stop(look):
                    break
        finally:
            self._stop[0] = 1
            # Others may still be joining in.
            for job in self._jobs:
                job.join()
        if self._failed:
            raise self._failed[0]
        if self._lost and not accounting.finished and not self._stopped:
            raise self._lost[0]
        return self._done

    def _start(self, worker: Worker, plan: PreparedSearch | None = None) -> None:
        """Give a worker a thread of its own."""
        self._jobs.append(start_task(self._work, worker, None, plan))

    def _must_stop(self, look: Callable[[], bool]) -> bool:
        """Poll if it is due; tell all workers and return whether to stop."""
        if perf_counter() - self._seen >= TUNING.poll_s or self._time_left() <= 0:
            self._seen = perf_counter()
            self._stopped = look()
            if self._stopped:
                self._stop[0] = 1
        return self._stopped

    def _work(
        self,
        worker: Worker,
        look: Callable[[], bool] | None = None,
        plan: PreparedSearch | None = None,
    ) -> PreparedSearch | None:
        """Search as a worker; return its lists if its pieces take too long to look in between."""
        try:
            plan = plan or worker.make()
            if look is not None and plan.piece_s > TUNING.poll_s:
                return plan
            if self._take_pieces(worker, plan, look):
                return plan
        except DeviceError as error:
            _log.warning("device lost: %s: %s", worker.name, error)
            self._lost.append(error)
            self._rates.pop(worker.name, None)
            self._call_helpers()
        except BaseException as error:
            self._failed.append(error)
            self._stop[0] = 1
        self._accounting.ended.set()
        return None

    def _call_helpers(self) -> None:
        """Start the helpers, if the speed of all others is known and leaves enough to them."""
        with self._lock:
            others = len(self._workers) - len(self._helpers)
            if not self._helpers or len(self._rates) + len(self._lost) < others:
                return
            together = sum(worker.rate for worker in self._helpers)
            useful = not together or together > TUNING.cores_share * sum(self._rates.values())
            if useful and not self._stop[0] and self._seconds_left() > TUNING.cores_join_from_s:
                helpers, self._helpers = self._helpers, []
                for worker in helpers:
                    self._start(worker)

    def _left(self) -> int:
        """Return how many pieces are left; many, where there are more than a float can tell."""
        return min(self._accounting.pieces - self._accounting.done, _MANY)

    def _seconds_left(self) -> float:
        left = self._left()
        total = sum(self._rates.values())
        return left / total if total else float("inf")

    def _take_pieces(
        self, worker: Worker, plan: PreparedSearch, look: Callable[[], bool] | None
    ) -> bool:
        """Search piece by piece; look in between, if that is left to this thread.

        Return whether it was given up because a piece takes too long for that.
        """
        accounting, most = self._accounting, 1
        rate = self._rates.get(worker.name, worker.rate)
        held = nullcontext if look is None else self._held
        while not self._stop[0]:
            if worker.helper and rate and 1 / rate > self._seconds_left():
                return False
            size = self._size(worker, rate) if rate else 1
            with held():
                # A worker of unknown speed begins with one piece and doubles.
                taken = accounting.take(size if worker.rate else min(size, most))
            if taken is None:
                return False
            ticket, first, last = taken
            most, begun = 2 * (last - first), perf_counter()
            if rate:
                self._free[worker.name] = begun + (last - first) / rate
            try:
                finding = plan.run(first, last, self._stop)
            except BaseException:
                accounting.give_back(ticket)
                raise
            with held():
                accounting.note(ticket, finding)
            done = finding.last - first
            self._done[worker.name] += done
            rate = max(1, done) / max(1e-9, perf_counter() - begun)
            self._rates[worker.name] = rate
            if self._helpers:
                self._call_helpers()
            if accounting.finished:
                self._stop[0] = 1
            elif look is not None and self._must_stop(look):
                return False
            elif look is not None and 1 / rate > TUNING.poll_s:
                return True
        return False

    def _size(self, worker: Worker, rate: float) -> int:
        """Return how many pieces to take: a full portion, or fewer near the end."""
        now = perf_counter()
        seconds = min(
            portion_seconds(now - self._begun, worker.least),
            max(0.0, self._time_left()),
        )
        usual = int(seconds * rate)
        others = [
            (max(now, self._free.get(other.name, now)), speed)
            for other in self._workers
            if other is not worker and (speed := self._speed(other, rate))
        ]
        if not others:
            return max(1, usual)
        left = min(self._accounting.waiting, _MANY)
        return max(1, worker.least, min(usual, final_portion(left, (now, rate), others)))

    def _speed(self, worker: Worker, usual: float) -> float:
        """Return the pieces a second that a worker does, or is expected to do; 0 if it is idle."""
        if worker.helper:
            return self._rates.get(worker.name, 0.0)
        return self._rates.get(worker.name, worker.rate or usual)
