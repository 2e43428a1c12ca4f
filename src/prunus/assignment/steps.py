"""Work that pauses: generators that yield often and return an answer at the end."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

__all__ = ["exhaust"]

T = TypeVar("T")


def exhaust(steps: Generator[Any, None, T]) -> T:
    """Go on to the end without a pause; return the answer."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            answer: T = end.value
            return answer
