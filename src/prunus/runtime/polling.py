"""A long call of compiled code, made in another thread while this one asks whether to stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

from prunus.hardware.threads import start_task

Arguments = TypeVarTuple("Arguments")
T = TypeVar("T")

POLL_INTERVAL_S = 0.02
"""Seconds between two questions whether to stop."""


def polled_call(
    function: Callable[[*Arguments], T],
    *arguments: *Arguments,
    should_stop: Callable[[], bool],
    interrupt: Callable[[], None],
) -> T:
    """Call a function that holds no interpreter lock; return what it returns.

    ``should_stop`` is asked some fifty times a second. As often as it returns True, and before an
    error of its leaves, ``interrupt`` is called, which makes the function return soon.
    """
    task = start_task(function, *arguments)
    try:
        task.join(POLL_INTERVAL_S)
        while task.running:
            if should_stop():
                interrupt()
            task.join(POLL_INTERVAL_S)
    finally:
        while task.running:
            interrupt()
            task.join(POLL_INTERVAL_S)
    return task.result()
