"""Beams on cores: native code goes from level to level, several threads share the pieces of one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator

from prunus._native.treesearch import Beam
from prunus.hardware.threads import Threads
from prunus.treesearch.beam.level_times import Widths
from prunus.treesearch.beam.model import BeamResult, Guide


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
    def begin(self, guide: Guide, cutoff: int) -> Beam:
        """Begin one beam."""

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
        beam, threads = self.begin(guide, cutoff), self._threads
        for level in range(beam.levels):
            beam.begin_level(widths(level))
            while pieces := beam.advance():
                for first in range(0, pieces, threads.cores):

                    def piece(number: int, thread: int, first: int = first) -> None:
                        beam.piece(first + number, thread)

                    threads.take_pieces(min(threads.cores, pieces - first), piece)
                    yield beam.take_rated()
            yield beam.take_rated()
            if not beam.nodes:
                break
        solution, cost = (beam.solution, beam.cost) if len(beam.solution) else (None, None)
        return BeamResult(solution, cost, beam.complete, beam.evaluated)
