"""A long call of compiled code, made in another thread while this one asks whether to stop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from prunus.hardware.threads import start_task

T = TypeVar("T")

POLL_INTERVAL_S = 0.02
"""Seconds between two questions whether to stop."""


def polled_call(
    function: Callable[..., T],
    *arguments: Any,
    should_stop: Callable[[], bool],
    interrupt: Callable[[], None],
) -> T:
    """Call a function that holds no interpreter lock; return what it returns.

    Parameters
    ----------
    function, arguments
        What is called.
    should_stop
        Asked some fifty times a second.
    interrupt
        Makes the function return soon; called as often as ``should_stop`` returns True, and before
        an error of its leaves.
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
