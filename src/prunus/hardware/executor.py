"""Calls on an executor: a process pool, a cluster, MPI.

Whatever offers ``concurrent.futures.Executor`` may answer a call, lose it, or break. Whoever makes
a call gives it a tag, gets one outcome for it, an answer or a failure, and decides what to do.
"""

from __future__ import annotations

import logging
import math
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from queue import Empty, SimpleQueue
from time import perf_counter, sleep
from typing import Any

from prunus.errors import InputError
from prunus.hardware.process_pool import kill_if_broken, shut_down

_log = logging.getLogger(__name__)

FAILURES_PER_ANSWER = 3
"""An executor counts as broken when more calls have failed for each that was answered, ..."""

EXECUTOR_SILENCE_S = 30.0
"""... and none was answered for so long: one worker of many may always fail."""

MAX_RENEWALS = 8
"""How often an executor is made anew without an answer of any in between."""

WORKER_COUNT_VALID_S = 5.0
"""For how long an executor's number of workers is believed."""

MAX_BACK_OFF_S = 1.0
"""The longest time for which a worker is kept idle."""

ASSUMED_WORKERS = 8
"""Workers of an executor that does not tell."""


def check_executor(executor: object) -> None:
    """Raise ``InputError`` unless something is an executor, makes one, or is a Dask client."""
    if not (hasattr(executor, "submit") or callable(executor)):
        raise InputError(
            f"executor={executor!r} is not an executor: it has no method submit and is not a "
            "function that creates one"
        )


def workers(executor: Executor) -> int:
    """Return how many workers an executor has, as far as it tells; a guess otherwise."""
    number = getattr(executor, "_max_workers", None)
    if isinstance(number, int) and number > 0:
        return number
    client = getattr(executor, "_client", None)
    try:
        return max(1, sum(client.ncores().values())) if client is not None else ASSUMED_WORKERS
    except Exception:
        return ASSUMED_WORKERS


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """What became of a call."""

    tag: Any
    """The tag that its caller gave it."""
    value: Any = None
    """The answer."""
    error: BaseException | None = None
    """Why there is none; None if there is."""


class ExecutorEngine:
    """An executor and the calls that are out on it; for one thread at a time.

    The source is an executor, which remains its owner's; or a function that makes one, which is
    called again when that breaks, and whose executors are shut down by ``close``; or a Dask client.
    Calls were ``answered``, or ``failed``: of these no answer will come. ``broken`` is why no more
    calls are taken; None while they are.
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
        self._ended: SimpleQueue[Future[Any] | None] = SimpleQueue()
        self._workers, self._counted = 0, -WORKER_COUNT_VALID_S
        self._renewals = 0
        self._at_close: list[Callable[[], None]] = []
        self._sleeping: set[Future[Any]] = set()
        self.answered = self.failed = 0
        self._last_answer = -math.inf
        self._unjudged_answers = 0
        self.broken: str | None = None

    def __len__(self) -> int:
        return len(self._out)

    def now(self) -> float:
        """Return the time in seconds by which everything here waits; a simulation has its own."""
        return perf_counter()

    @property
    def executor(self) -> Executor:
        """The executor, made if need be."""
        if self._executor is None:
            assert self._make is not None
            made = self._make()
            if not hasattr(made, "submit"):
                raise InputError(
                    f"executor: the function returned {made!r}, which is not an executor"
                )
            self._executor = made
        return self._executor

    @property
    def kind(self) -> str:
        """The name of the executor's class."""
        return type(self.executor).__name__

    @property
    def workers(self) -> int:
        """How many workers there are, by now."""
        if self.now() > self._counted + WORKER_COUNT_VALID_S:
            self._workers, self._counted = workers(self.executor), self.now()
        return self._workers

    @property
    def workers_awake(self) -> int:
        """How many workers ``back_off`` does not keep idle."""
        return self.workers - len(self._sleeping)

    @property
    def name(self) -> str:
        """What a result calls it: ``ProcessPoolExecutor:4``."""
        return f"{self.kind}:{self.workers}"

    def start_processes(self) -> None:
        """Have a pool fork its processes now, before this one has threads and ports for them."""
        if self.broken is None and isinstance(self.executor, ProcessPoolExecutor):
            with suppress(Exception):  # whatever it is, the next call tells
                self.executor.submit(int)

    def submit(self, tag: object, function: Callable[..., Any], *arguments: Any) -> bool:
        """Send a call out; return whether it was taken."""
        while self.broken is None:
            try:
                future = self.executor.submit(function, *arguments)
            except InputError:
                raise
            except Exception as error:  # broken, shut down, or no longer connected
                self._replace_or_give_up(error)
                continue
            self._out[future] = tag
            future.add_done_callback(self._ended.put)
            return True
        return False

    def back_off(self, seconds: float) -> None:
        """Keep one worker idle for a while, whichever is free first, but never the last one.

        A worker that fails at once is the first to be free again, and would take whatever there is
        from workers that could do it: an executor lets nobody choose which worker takes a call.
        """
        if self.workers_awake > 1 and self.broken is None:
            with suppress(Exception):  # whatever it is, the next call tells
                future = self.executor.submit(sleep, min(seconds, MAX_BACK_OFF_S))
                self._sleeping.add(future)
                future.add_done_callback(self._ended.put)

    def collect(self, seconds: float) -> list[CallOutcome]:
        """Return the outcomes there are; wait for the first for so long, or until ``wake``."""
        if self._unjudged_answers > 0:  # not all of the last ones were counted as failed
            self._last_answer = self.now()
        self._unjudged_answers = 0
        found: list[CallOutcome] = []
        wait = max(0.0, seconds)
        while True:
            try:
                future = self._ended.get(block=wait > 0, timeout=wait or None)
            except Empty:
                return found
            wait = 0.0
            if future in self._sleeping:
                self._sleeping.remove(future)
            elif future is not None and future in self._out:
                found.append(self._outcome(future, self._out.pop(future)))

    def _outcome(self, future: Future[Any], tag: object) -> CallOutcome:
        error = CancelledError("cancelled") if future.cancelled() else future.exception()
        if error is None:
            self.answered += 1
            self._unjudged_answers += 1
            self._renewals = 0
            return CallOutcome(tag, future.result())
        self.failed += 1
        _log.warning("work unit lost: %s", reason(error))
        if not isinstance(error, BrokenExecutor):
            self._give_up_if_it_only_fails(reason(error))
        elif self._is_broken():
            self._replace_or_give_up(error)
        return CallOutcome(tag, error=error)

    def count_as_failed(self, why: str) -> None:
        """Count an answer that makes no sense as a failure."""
        _log.warning("work unit lost: %s", why)
        self.answered -= 1
        self.failed += 1
        self._unjudged_answers -= 1
        self._give_up_if_it_only_fails(why)

    def _give_up_if_it_only_fails(self, why: str) -> None:
        """Take an executor for broken that only fails: not all of them say that they are."""
        silent = self.now() > self._last_answer + EXECUTOR_SILENCE_S
        if silent and self.failed > FAILURES_PER_ANSWER * (self.answered + FAILURES_PER_ANSWER):
            self.broken = self.broken or f"{self.kind} only fails: {why}"

    def _is_broken(self) -> bool:
        """Whether the present executor is broken, and not one that was replaced."""
        if self._make is None:
            return True
        return self._executor is not None and bool(getattr(self._executor, "_broken", True))

    def _replace_or_give_up(self, error: BaseException) -> None:
        """Replace a broken executor if there is a function that makes another."""
        sentence = f"{self.kind} takes no more work: {reason(error)}"
        kill_if_broken(self._executor)
        if self._make is None or self._renewals == MAX_RENEWALS:
            self.broken = self.broken or sentence
            return
        self._renewals += 1
        self._shut_down()

    def wake(self) -> None:
        """Let ``collect`` return at once; from any thread."""
        self._ended.put(None)

    def cancel_queued(self, keep: int = 0) -> list[Any]:
        """Cancel all calls but the oldest so many; return the tags of those that it could."""
        return [self._out.pop(future) for future in list(self._out)[keep:][::-1] if future.cancel()]

    def abandon(self) -> list[Any]:
        """Cancel all calls, take no outcome of those that run, and return the tags of all."""
        self._sleeping = {future for future in self._sleeping if not future.cancel()}
        tags = [*self.cancel_queued(), *self._out.values()]
        self._out.clear()
        return tags

    def call_at_close(self, function: Callable[[], None]) -> None:
        self._at_close.append(function)

    def close(self) -> None:
        """Abandon all calls; shut down what was made here."""
        self.abandon()
        for function in self._at_close:
            function()
        if self._make is not None:
            self._shut_down()

    def _shut_down(self) -> None:
        """Shut down the present executor without waiting for it."""
        if self._executor is not None:
            shut_down(self._executor)
        self._sleeping.clear()
        self._executor, self._counted = None, -WORKER_COUNT_VALID_S


def reason(error: BaseException) -> str:
    """Return the kind of an error and what it says, in one line."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


@cache
def end_with_parent() -> None:
    """End this process when the one that started it as a worker of a pool is gone.

    A pool's process waits for its next call for ever if the pool's owner was killed.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:

        def wait() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=wait, daemon=True, name="prunus-parent").start()
