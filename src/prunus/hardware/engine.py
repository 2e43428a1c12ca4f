"""Calls that are out on an executor: a process pool, a cluster, MPI.

Whatever offers ``concurrent.futures.Executor`` may answer a call, lose it, or break. Who made a
call knows it by its tag, hears of each answer and each loss once, and decides what to do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from time import perf_counter, sleep
from typing import Any

from prunus.errors import InputError, OptionError

__all__ = ["Engine", "Heard", "check_executor", "workers"]

TRIES = 3
"""Calls may fail so many times as often as they are answered,"""

SILENCE = 30.0
"""or while some are answered within so many seconds: one worker of many may always fail."""

RENEWALS = 8
"""How often an executor is made anew without an answer of any in between."""

REFRESH = 5.0
"""Seconds for which an executor's number of workers is believed."""

SLUMBER = 1.0
"""Nobody is sent to sleep for longer than so many seconds."""

GUESS = 8
"""Workers of an executor that does not tell."""


def check_executor(executor: object) -> None:
    """Raise ``InputError`` unless something is an executor, makes one, or is a Dask client."""
    if not (hasattr(executor, "submit") or callable(executor)):
        raise OptionError(
            "executor",
            "is no executor: it has no method submit, and it is no function that makes one",
            executor,
        )


def workers(executor: Executor) -> int:
    """Return how many workers an executor has, as far as it tells; a guess otherwise."""
    number = getattr(executor, "_max_workers", None)
    if isinstance(number, int) and number > 0:
        return number
    client = getattr(executor, "_client", None)
    try:
        return max(1, sum(client.ncores().values())) if client is not None else GUESS
    except Exception:
        return GUESS


@dataclass(frozen=True, slots=True)
class Heard:
    """What was heard of a call: its tag, and its value or why there is none."""

    tag: Any
    value: Any = None
    error: BaseException | None = None


class Engine:
    """An executor and the calls that are out on it; for one thread at a time.

    Parameters
    ----------
    source
        An executor, which remains its owner's; or a function that makes one, which is called again
        when that breaks, and whose executors are shut down by ``close``; or a Dask client.

    Attributes
    ----------
    answered, failed
        Calls that were, and those of which nothing will come.
    broken
        Why no more calls are taken; None while they are.
    """

    def __init__(self, source: Any) -> None:
        check_executor(source)
        if hasattr(source, "get_executor"):
            source = source.get_executor(pure=False)
        self._make: Callable[[], Executor] | None = None
        if isinstance(source, type) or not hasattr(source, "submit"):
            self._make = source
        self._executor: Executor | None = None if self._make else source
        self._out: dict[Future[Any], Any] = {}
        self._arrived: SimpleQueue[Future[Any] | None] = SimpleQueue()
        self._workers, self._counted = 0, -REFRESH
        self._renewals = 0
        self._at_end: list[Callable[[], None]] = []
        self._beds: set[Future[Any]] = set()
        self.answered = self.failed = 0
        self._answer = -math.inf
        self.broken: str | None = None

    def __len__(self) -> int:
        """Return how many calls are out."""
        return len(self._out)

    @property
    def executor(self) -> Executor:
        """The executor, made if need be."""
        if self._executor is None:
            assert self._make is not None
            made = self._make()
            if not hasattr(made, "submit"):
                raise OptionError("executor", f"the function made {made!r}, which is no executor")
            self._executor = made
        return self._executor

    @property
    def kind(self) -> str:
        """The name of the executor's class."""
        return type(self.executor).__name__

    @property
    def workers(self) -> int:
        """How many workers there are, by now."""
        if perf_counter() > self._counted + REFRESH:
            self._workers, self._counted = workers(self.executor), perf_counter()
        return self._workers

    @property
    def name(self) -> str:
        """What a result calls it: ``ProcessPoolExecutor:4``."""
        return f"{self.kind}:{self.workers}"

    def submit(self, tag: object, function: Callable[..., Any], *arguments: Any) -> bool:
        """Send a call out; return whether it was taken."""
        while self.broken is None:
            try:
                future = self.executor.submit(function, *arguments)
            except InputError:
                raise
            except Exception as error:  # broken, shut down, or no longer connected
                self._break(error)
                continue
            self._out[future] = tag
            future.add_done_callback(self._arrived.put)
            return True
        return False

    @property
    def awake(self) -> int:
        """How many workers have not been sent to sleep."""
        return self.workers - len(self._beds)

    def lull(self, seconds: float) -> None:
        """Send a worker to sleep, whichever comes first, unless it is the last one awake.

        Who has failed at once is the first to come again, and takes whatever there is from workers
        that could do it: an executor does not say who shall take a call, and need not be fair.
        """
        if self.awake > 1 and self.broken is None:
            with suppress(Exception):  # whatever it is, the next call tells
                future = self.executor.submit(sleep, min(seconds, SLUMBER))
                self._beds.add(future)
                future.add_done_callback(self._arrived.put)

    def heard(self, seconds: float) -> list[Heard]:
        """Return what has been heard of calls; wait for the first for so long, or until woken."""
        found: list[Heard] = []
        wait = max(0.0, seconds)
        while True:
            try:
                future = self._arrived.get(block=wait > 0, timeout=wait or None)
            except Empty:
                return found
            wait = 0.0
            if future in self._beds:
                self._beds.remove(future)
            elif future is not None and future in self._out:
                found.append(self._hear(future, self._out.pop(future)))

    def _hear(self, future: Future[Any], tag: object) -> Heard:
        error = CancelledError("cancelled") if future.cancelled() else future.exception()
        if error is None:
            self.answered += 1
            self._answer = perf_counter()
            self._renewals = 0
            return Heard(tag, future.result())
        self.failed += 1
        if not isinstance(error, BrokenExecutor):
            self._doubt(reason(error))
        elif self._is_broken():
            self._break(error)
        return Heard(tag, error=error)

    def reject(self, why: str) -> None:
        """Count an answer that makes no sense as a failure."""
        self.answered -= 1
        self.failed += 1
        self._doubt(why)

    def _doubt(self, why: str) -> None:
        """Take an executor for broken that only fails: not all of them say that they are."""
        silent = perf_counter() > self._answer + SILENCE
        if silent and self.failed > TRIES * (self.answered + TRIES):
            self.broken = self.broken or f"{self.kind} only fails: {why}"

    def _is_broken(self) -> bool:
        """Whether the present executor is broken, and not one that was replaced."""
        if self._make is None:
            return True
        return self._executor is not None and bool(getattr(self._executor, "_broken", True))

    def _break(self, error: BaseException) -> None:
        """Replace a broken executor if there is somebody who makes another."""
        sentence = f"{self.kind} takes no more work: {reason(error)}"
        if self._make is None or self._renewals == RENEWALS:
            self.broken = self.broken or sentence
            return
        self._renewals += 1
        self._discard()

    def wake(self) -> None:
        """Have whoever waits in ``heard`` look around; from any thread."""
        self._arrived.put(None)

    def recall(self, keep: int = 0) -> list[Any]:
        """Cancel all calls but the oldest so many; return the tags of those that it could."""
        return [self._out.pop(future) for future in list(self._out)[keep:][::-1] if future.cancel()]

    def forget(self) -> list[Any]:
        """Cancel what can be, hear nothing of the rest, and return the tags of all."""
        self._beds = {future for future in self._beds if not future.cancel()}
        tags = [*self.recall(), *self._out.values()]
        self._out.clear()
        return tags

    def at_end(self, function: Callable[[], None]) -> None:
        """Have something called by ``close``."""
        self._at_end.append(function)

    def close(self) -> None:
        """Cancel what is out; shut down what was made here."""
        self.forget()
        for function in self._at_end:
            function()
        if self._make is not None:
            self._discard()

    def _discard(self) -> None:
        """Shut down the present executor without waiting for it."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)
        self._beds.clear()
        self._executor, self._counted = None, -REFRESH


def reason(error: BaseException) -> str:
    """Return the kind of an error and what it says, in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
