"""Beams on cores: the nodes of a level are shared out among threads, in pieces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from functools import partial
from typing import TypeAlias

from prunus.hardware.threads import Threads
from prunus.treesearch.beam.level_times import Widths
from prunus.treesearch.beam.model import BeamResult, Guide

Levels: TypeAlias = Generator[tuple[int, int, Callable[[int, int], None]], None, BeamResult]
"""The levels of a beam: the number of pieces, that of the children, and what rates a piece, given
its number, in a thread."""


class CoreBeam(ABC):
    """Beam search of one instance on cores.

    The result does not depend on the number of threads.
    """

    def __init__(self, threads: int) -> None:
        self._threads = Threads(threads)

    @property
    @abstractmethod
    def widest(self) -> int:
        """Nodes a level for which there is memory."""

    @abstractmethod
    def _levels(self, widths: Widths, guide: Guide, cutoff: int) -> Levels:
        """Go from level to level; who calls rates the children of each in pieces."""

    def search(
        self,
        width: int,
        *,
        guide: Guide,
        cutoff: int,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> BeamResult:
        """Run one beam; see ``DeviceBeam``."""
        steps, evaluated = self.steps(lambda _: width, guide=guide, cutoff=cutoff), 0
        while True:
            try:
                evaluated += next(steps)
            except StopIteration as end:
                result: BeamResult = end.value
                return result
            if should_stop():
                return BeamResult(None, None, False, evaluated, stopped=True)

    def steps(
        self, widths: Widths, *, guide: Guide, cutoff: int
    ) -> Generator[int, None, BeamResult]:
        """Run one beam in steps of some milliseconds; yields the children rated in each.

        With several threads a step is a part of a level for each of them.
        """
        levels, threads = self._levels(widths, guide, cutoff), self._threads
        while True:
            try:
                pieces, children, rate = next(levels)
            except StopIteration as end:
                result: BeamResult = end.value
                return result
            for first in range(0, pieces, threads.cores):
                some = min(threads.cores, pieces - first)
                threads.take_pieces(some, partial(_shifted, rate, first))
                yield children * some // pieces


def _shifted(rate: Callable[[int, int], None], first: int, piece: int, thread: int) -> None:
    """Rate a piece that is counted from another one."""
    rate(first + piece, thread)
