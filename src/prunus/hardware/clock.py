"""The clock of every solve: it is paused while code is compiled or loaded.

A time limit is for solving. The first solve of a kind on a machine compiles for seconds, the first
one of a process loads what is compiled; a limit that ran meanwhile would be over before anything is
solved. So limits, criteria, runtimes and the times of incumbents are read from here, and whatever
compiles does so in ``paused``. There is one clock for a process: while one of its threads compiles,
the others wait, or gain what they can do meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

listeners: list[Callable[[bool], None]] = []
"""Called by the thread that compiles: with True when the clock has just stopped, with False when it
goes again."""

_lock = threading.Lock()
_open: dict[int, int] = {}
"""How many ``paused`` contexts are open in each thread that has some."""

_state: tuple[float | None, float] = None, 0.0
"""Since when the clock is paused, and how long it was before: one object, read without the lock."""


def seconds() -> float:
    """Return the time in seconds, from an arbitrary moment on."""
    since, before = _state
    return (perf_counter() if since is None else since) - before


def time_paused() -> float:
    """Return for how many seconds the clock has been paused in this process."""
    since, before = _state
    return before if since is None else before + perf_counter() - since


def paused_since() -> float | None:
    """Return when (``perf_counter``) the clock was paused, None if it goes."""
    return _state[0]


@contextmanager
def paused() -> Iterator[None]:
    """Pause the clock; contexts of several threads, and inside one another, count once."""
    own = threading.get_ident()
    _change(own, 1)
    try:
        for tell in tuple(listeners):
            tell(True)
        yield
    finally:
        _change(own, -1)
        if _state[0] is None:
            for tell in tuple(listeners):
                tell(False)


def close_all() -> None:
    """Close what an interrupt may have left open in this thread, which compiles nothing now."""
    own = threading.get_ident()
    if own in _open:
        _change(own, -_open[own])


def _change(thread: int, by: int) -> None:
    global _state
    with _lock:
        count = _open.pop(thread, 0) + by
        if count > 0:
            _open[thread] = count
        since, before = _state
        if _open and since is None:
            _state = perf_counter(), before
        elif not _open and since is not None:
            _state = None, before + perf_counter() - since
