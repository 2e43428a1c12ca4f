"""Search the pieces over any ``concurrent.futures.Executor``: a process pool, a cluster.

A task is a pure function of a few hundred bytes. It may fail, be lost with its worker, or be done
twice by an engine that repeats it: its range counts when its answer arrives, once, and a range of
which no answer comes is handed out again. When the executor itself is broken, as a process pool is
after one of its processes was killed, what is left is searched on the cores of this machine.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from dataclasses import dataclass
from time import perf_counter

from prunus.subsetsum.finding import Finding
from prunus.subsetsum.ledger import Ledger
from prunus.subsetsum.on_machine import LOOK
from prunus.subsetsum.work import Description, explore

__all__ = ["Course", "on_executor", "workers"]

_SPELL = 0.4
_AHEAD = 3
_TRIES = 3


@dataclass
class Course:
    """How the tasks went.

    Attributes
    ----------
    tasks, failures : int
        Answers that came, and tasks that failed.
    broken : bool
        The executor takes no more tasks.
    """

    tasks: int = 0
    failures: int = 0
    broken: bool = False


def workers(executor: Executor) -> int:
    """Return how many workers an executor has, as far as it tells; a guess otherwise."""
    number = getattr(executor, "_max_workers", None)
    if isinstance(number, int):
        return number
    client = getattr(executor, "_client", None)
    try:
        return max(1, sum(client.ncores().values())) if client is not None else 8
    except Exception:
        return 8


def on_executor(
    executor: Executor,
    work: Description,
    ledger: Ledger,
    look: Callable[[], bool],
    *,
    size: int = 1,
) -> Course:
    """Search until all is done, `look` says to stop, or the executor is broken.

    Parameters
    ----------
    size
        Pieces in the first tasks; later ones take about half a second.
    """
    course = Course()
    out: dict[Future[tuple[Finding, float]], int] = {}
    window = _AHEAD * workers(executor)
    seen = perf_counter()
    try:
        while not ledger.finished and not course.broken:
            while len(out) < window and (taken := ledger.take(size)) is not None:
                ticket, first, last = taken
                try:
                    out[executor.submit(explore, work, first, last)] = ticket
                except RuntimeError:  # broken, or shut down
                    ledger.give_back(ticket)
                    course.broken = True
                    break
            answered, _ = wait(out, LOOK, FIRST_COMPLETED)
            for future in answered:
                seconds = _take_in(future, out.pop(future), ledger, course)
                if seconds is not None:
                    pieces, spent = seconds
                    wanted = int(_SPELL * pieces / max(spent, 1e-6))
                    share = -(-(ledger.pieces - ledger.done) // (2 * window))
                    size = max(1, min(wanted, 4 * size, share))
            if perf_counter() - seen >= LOOK:
                seen = perf_counter()
                if look():
                    break
    finally:
        for future, ticket in out.items():
            future.cancel()
            ledger.give_back(ticket)
    return course


def _take_in(
    future: Future[tuple[Finding, float]], ticket: int, ledger: Ledger, course: Course
) -> tuple[int, float] | None:
    """Note an answer, or open the range again; return the number of pieces and the seconds."""
    try:
        finding, seconds = future.result()
    except (Exception, CancelledError) as error:
        ledger.give_back(ticket)
        course.failures += 1
        # Not all engines say that they are broken; one that only fails is no better.
        hopeless = course.failures > _TRIES * (course.tasks + _TRIES)
        course.broken = course.broken or isinstance(error, BrokenExecutor) or hopeless
        return None
    course.tasks += 1
    ledger.note(ticket, finding)
    return finding.last - finding.first, seconds
