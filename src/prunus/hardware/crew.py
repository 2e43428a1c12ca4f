"""Threads that are kept for the next search: starting one takes as long as a small search."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from typing import Any

__all__ = ["Job", "ready", "start", "together"]


class Job:
    """Something that runs in a thread.

    Parameters
    ----------
    function, arguments
        What is called.
    """

    def __init__(self, function: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        self._call: tuple[Callable[..., object], tuple[Any, ...]] | None = (function, arguments)
        self._ended = threading.Event()

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return not self._ended.is_set()

    def join(self, timeout: float | None = None) -> None:
        """Wait until it ends, or so many seconds."""
        self._ended.wait(timeout)

    def do(self) -> None:
        """Run it once, in whatever thread this is called; what it was called with is let go."""
        assert self._call is not None, "a job is done once"
        function, arguments = self._call
        self._call = None
        try:
            function(*arguments)
        finally:
            del function, arguments
            self._ended.set()


_idle: SimpleQueue[SimpleQueue[Job]] = SimpleQueue()
"""The letter boxes of the threads that wait for a job."""


def ready(count: int) -> None:
    """See to it that so many threads wait for a job."""
    for _ in range(count - _idle.qsize()):
        _idle.put(_hire())


def start(function: Callable[..., object], *arguments: Any) -> Job:
    """Call a function in a thread that waits, or in a new one; it must not raise."""
    job = Job(function, arguments)
    try:
        box = _idle.get_nowait()
    except Empty:
        box = _hire()
    box.put(job)
    return job


def together(function: Callable[[int], object], numbers: Iterable[int]) -> None:
    """Call a function for some numbers at the same time, for the first one in this thread.

    Comes back when all calls have ended; raises what one of them has raised.
    """
    first, *others = numbers
    failed: list[BaseException] = []

    def call(number: int) -> None:
        try:
            function(number)
        except BaseException as error:
            failed.append(error)

    jobs = [start(call, number) for number in others]
    try:
        function(first)
    finally:
        for job in jobs:
            job.join()
    if failed:
        raise failed[0]


def _hire() -> SimpleQueue[Job]:
    """Start a thread; return its letter box."""
    box: SimpleQueue[Job] = SimpleQueue()

    def work() -> None:
        while True:
            box.get().do()
            _idle.put(box)

    threading.Thread(target=work, daemon=True, name="prunus").start()
    return box


def _forget() -> None:
    """Begin anew in a forked process, which has none of the threads."""
    global _idle
    _idle = SimpleQueue()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
