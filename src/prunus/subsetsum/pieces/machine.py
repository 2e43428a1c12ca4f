"""Search the pieces on the devices of this machine: cores and GPUs take ranges from one ledger.

Every member takes a few pieces at a time, as many as it does in a spell, so that the shares follow
the measured speeds; near the end it takes what lets all end together. Cores beside GPUs join in
when there is enough left to be worth making lists, and if they do more than they cost the threads
that drive the GPUs; and they leave a last piece to the GPUs: together they are never slower than
the faster alone.

The caller's thread is the first member's: a short search takes less time than a thread to start and
to be given a core. If a piece takes so long that nobody would look at the clock, a thread of its
own takes over.
"""

from __future__ import annotations

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
from prunus.subsetsum.pieces.description import PreparedCpuSearch, PreparedSearch
from prunus.subsetsum.pieces.portions import final_portion, portion_seconds

__all__ = ["POLL_S", "Worker", "search_on_cores", "search_on_machine"]

POLL_S = 0.1
"""Seconds between two looks at the clock."""

_MANY = 2**60
_WORTH_JOINING = 0.5
"""Seconds the GPUs still need that make the cores join in."""
_SHARE = 0.02
"""What the cores must do of what the GPUs do to join in; 32 beside an H200 cost it 0.06."""

Held = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Worker:
    """A device that searches.

    Attributes
    ----------
    name
        As in ``devices=``.
    make
        Makes the lists; called in the member's own thread.
    rate
        Pieces a second that it is expected to do; 0 for unknown.
    least
        Pieces that it can do at the same time.
    helper
        Joins in only if the others need long, and if helpers are of use to them.
    """

    name: str
    make: Callable[[], PreparedSearch]
    rate: float = 0.0
    least: int = 1
    helper: bool = False


def search_on_cores(
    plan: PreparedCpuSearch,
    ledger: PieceAccounting,
    cores: int,
    look: Callable[[], bool],
    held: Held = nullcontext,
    time_left: Callable[[], float] = lambda: math.inf,
) -> None:
    """Search on some cores, see ``search_on_machine``."""
    members = [Worker(f"cpu:{core}", lambda: plan, plan.rate) for core in range(cores)]
    search_on_machine(members, ledger, look, held, time_left)


def search_on_machine(
    members: Sequence[Worker],
    ledger: PieceAccounting,
    look: Callable[[], bool],
    held: Held = nullcontext,
    time_left: Callable[[], float] = lambda: math.inf,
) -> dict[str, int]:
    """Search until all is done or `look`, called about ten times a second, says to stop.

    Parameters
    ----------
    held
        Keeps Ctrl-C from being raised in the caller's thread while books are kept.
    time_left
        Seconds until `look` will say so; it is asked then.

    Returns
    -------
    dict
        How many pieces each member did.

    Raises
    ------
    DeviceError
        What a GPU has raised, if no other member could do its work.
    Exception
        What else a thread has raised.
    """
    return _MachineSearch(members, ledger, held, time_left).search(look)


class _MachineSearch:
    def __init__(
        self,
        members: Sequence[Worker],
        ledger: PieceAccounting,
        held: Held,
        time_left: Callable[[], float],
    ) -> None:
        self._members, self._ledger, self._held = members, ledger, held
        self._time_left = time_left
        self._stop = np.zeros(1, np.int64)
        self._rates: dict[str, float] = {}
        self._free: dict[str, float] = {}
        self._done = {member.name: 0 for member in members}
        self._failed: list[BaseException] = []
        self._lost: list[DeviceError] = []
        self._begun = self._seen = perf_counter()
        self._stopped = False
        self._jobs: list[Task[PreparedSearch | None]] = []
        self._helpers = [member for member in members if member.helper]
        self._lock = threading.Lock()

    def search(self, look: Callable[[], bool]) -> dict[str, int]:
        ledger = self._ledger
        first, *others = [member for member in self._members if not member.helper]
        for member in others:
            self._start(member)
        try:
            slow = self._work(first, look)
            if slow is not None:
                self._start(first, slow)
            while any(job.running for job in self._jobs) and not self._stop[0]:
                ledger.ended.wait(max(0.0, min(POLL_S, self._time_left())))
                ledger.ended.clear()
                if self._must_stop(look):
                    break
        finally:
            self._stop[0] = 1
            # Others may still be joining in.
            for job in self._jobs:
                job.join()
        if self._failed:
            raise self._failed[0]
        if self._lost and not ledger.finished and not self._stopped:
            raise self._lost[0]
        return self._done

    def _start(self, member: Worker, plan: PreparedSearch | None = None) -> None:
        """Give a member a thread of its own."""
        self._jobs.append(start_task(self._work, member, None, plan))

    def _must_stop(self, look: Callable[[], bool]) -> bool:
        """Look if it is time to; tell all and return whether a look has said to stop."""
        if perf_counter() - self._seen >= POLL_S or self._time_left() <= 0:
            self._seen = perf_counter()
            self._stopped = look()
            if self._stopped:
                self._stop[0] = 1
        return self._stopped

    def _work(
        self,
        member: Worker,
        look: Callable[[], bool] | None = None,
        plan: PreparedSearch | None = None,
    ) -> PreparedSearch | None:
        """Search as a member; return its lists if its pieces take too long to look in between."""
        try:
            plan = plan or member.make()
            if self._take_pieces(member, plan, look):
                return plan
        except DeviceError as error:
            self._lost.append(error)
            self._rates.pop(member.name, None)
            self._call_helpers()
        except BaseException as error:
            self._failed.append(error)
            self._stop[0] = 1
        self._ledger.ended.set()
        return None

    def _call_helpers(self) -> None:
        """Start the helpers, if the speed of all others is known and leaves enough to them."""
        with self._lock:
            others = len(self._members) - len(self._helpers)
            if not self._helpers or len(self._rates) + len(self._lost) < others:
                return
            together = sum(member.rate for member in self._helpers)
            useful = not together or together > _SHARE * sum(self._rates.values())
            if useful and not self._stop[0] and self._seconds_left() > _WORTH_JOINING:
                helpers, self._helpers = self._helpers, []
                for member in helpers:
                    self._start(member)

    def _left(self) -> int:
        """Return how many pieces are left; many, where there are more than a float can tell."""
        return min(self._ledger.pieces - self._ledger.done, _MANY)

    def _seconds_left(self) -> float:
        left = self._left()
        total = sum(self._rates.values())
        return left / total if total else float("inf")

    def _take_pieces(
        self, member: Worker, plan: PreparedSearch, look: Callable[[], bool] | None = None
    ) -> bool:
        """Search piece by piece; look in between, if that is left to this thread.

        Return whether it was given up because a piece takes too long for that.
        """
        ledger, most = self._ledger, 1
        rate = self._rates.get(member.name, member.rate)
        held = nullcontext if look is None else self._held
        while not self._stop[0]:
            if member.helper and rate and 1 / rate > self._seconds_left():
                return False
            size = self._size(member, rate) if rate else 1
            with held():
                # A member of unknown speed begins with one piece, and goes on with twice as many.
                taken = ledger.take(size if member.rate else min(size, most))
            if taken is None:
                return False
            ticket, first, last = taken
            most, begun = 2 * (last - first), perf_counter()
            if rate:
                self._free[member.name] = begun + (last - first) / rate
            try:
                finding = plan.run(first, last, self._stop)
            except BaseException:
                ledger.give_back(ticket)
                raise
            with held():
                ledger.note(ticket, finding)
            done = finding.last - first
            self._done[member.name] += done
            rate = max(1, done) / max(1e-9, perf_counter() - begun)
            self._rates[member.name] = rate
            if self._helpers:
                self._call_helpers()
            if ledger.finished:
                self._stop[0] = 1
            elif look is not None and self._must_stop(look):
                return False
            elif look is not None and 1 / rate > POLL_S:
                return True
        return False

    def _size(self, member: Worker, rate: float) -> int:
        """Return how many pieces to take: a spell's, and fewer towards the end."""
        now = perf_counter()
        seconds = min(portion_seconds(now - self._begun, member.least), max(0.0, self._time_left()))
        usual = int(seconds * rate)
        others = [
            (max(now, self._free.get(other.name, now)), speed)
            for other in self._members
            if other is not member and (speed := self._speed(other, rate))
        ]
        if not others:
            return max(1, usual)
        left = min(self._ledger.waiting, _MANY)
        return max(1, member.least, min(usual, final_portion(left, (now, rate), others)))

    def _speed(self, member: Worker, usual: float) -> float:
        """Return the pieces a second that a member does, or is expected to do; 0 if it is idle."""
        if member.helper:
            return self._rates.get(member.name, 0.0)
        return self._rates.get(member.name, member.rate or usual)
