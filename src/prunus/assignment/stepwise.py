"""Work that pauses: generators that yield often and return an answer at the end."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeVar

T = TypeVar("T")

RowBudget = Callable[[], int]
"""Says how much to do until the next pause."""

CheckTime = Callable[[], None]
"""Is called between two parts of something that has no answer before its end; raises
``StoppedError`` to end it."""


def run_to_end(
    steps: Generator[Any, None, T], must_stop: Callable[[], bool] = lambda: False
) -> T | None:
    """Go on to the end and return the answer; None if it must stop before, as asked at pauses."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            answer: T = end.value
            return answer
        if must_stop():
            return None
