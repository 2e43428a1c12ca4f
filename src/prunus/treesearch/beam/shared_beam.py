"""One beam that several threads go through together, each of which may leave and come back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from typing import TypeAlias

from prunus.treesearch.beam.model import BeamResult

Levels: TypeAlias = Generator[tuple[int, int, Callable[[int, int], None]], None, BeamResult]
"""The levels of a beam: the number of pieces, that of the children, and what rates a piece, given
its number, in a thread."""


class SharedBeam:
    """A beam of which threads take piece after piece; ``ended`` when there is nothing left of it.

    Then it has a ``result``, unless it has failed.
    """

    def __init__(self, levels: Levels) -> None:
        self.ended = False
        self.result: BeamResult | None = None
        self._levels = levels
        self._changed = threading.Condition()
        self._pieces = self._taken = self._running = self._children = 0
        self._rate: Callable[[int, int], None]

    def step(self, thread: int) -> int:
        """Rate a piece; return how many children it has. Each thread has a number of its own.

        Who finds none left waits for the others, or makes the next level if nobody is at work.
        """
        with self._changed:
            while not self.ended and self._taken == self._pieces:
                if self._running:
                    self._changed.wait()
                else:
                    self._go_on()
            if self.ended:
                return 0
            rate, piece, children = self._rate, self._taken, self._children // self._pieces
            self._taken += 1
            self._running += 1
        failed = True
        try:
            rate(piece, thread)
            failed = False
        finally:
            with self._changed:
                self._running -= 1
                self.ended = self.ended or failed
                self._changed.notify_all()
        return children

    def _go_on(self) -> None:
        self._taken = self._pieces = 0
        try:
            self._pieces, self._children, self._rate = next(self._levels)
        except StopIteration as end:
            self.result, self.ended = end.value, True
        except BaseException:
            self.ended = True
            raise
        finally:
            self._changed.notify_all()
