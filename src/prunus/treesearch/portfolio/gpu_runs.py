"""What heuristics on a GPU have in common: a GPU that fails, and solutions to be offered."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from prunus.errors import DeviceError
from prunus.hardware import clock
from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent

_log = logging.getLogger(__name__)


class GpuRuns(ABC):
    """A heuristic on one GPU; an ``Activity``.

    ``evaluate`` is the problem's plain evaluation; the incumbent's cost is what must be beaten.
    ``failure`` is why the GPU runs it no more, if it has failed; ``in_vain_s`` how long it has
    searched since it found something. See ``take_turns`` and ``follow_one_another`` where a GPU has
    several.
    """

    name = source = ""
    _on_same_gpu: Sequence[GpuRuns] = ()
    _in_order = False

    def __init__(self, evaluate: Callable[[Int64Array], int], incumbent: Incumbent) -> None:
        self.share = 1.0
        self._ended = False
        self.failure: str | None = None
        self.in_vain_s, self._found = 0.0, 0
        self._evaluate, self._incumbent = evaluate, incumbent

    @property
    def urgent(self) -> bool:
        """Whether it is the next to run on its GPU.

        Of several that follow one another that is the first one that is not done; of several that
        take turns, the one that has searched in vain for the shortest time.
        """
        left = [each for each in self._on_same_gpu if not each.done]
        if self._in_order:
            return self is next(iter(left), self)
        return self is min(left, key=lambda each: each.in_vain_s, default=self)

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""
        return self._ended

    @property
    def complete(self) -> bool:
        """No solution is better than the incumbent."""
        return False

    def step(self) -> float:
        """Run a slice; see ``Activity``. A GPU that fails costs what it has not told."""
        began, before = clock.seconds(), self._found
        try:
            self._run(began)
        except DeviceError as error:
            _log.warning("device lost: %s; no more %s runs on it", error, self.source)
            self.failure, self._ended = str(error), True
        seconds = clock.seconds() - began
        self.in_vain_s = self.in_vain_s + seconds if self._found == before else 0.0
        return 0.0 if self._ended else 1e9 * seconds

    @abstractmethod
    def _run(self, began: float) -> None:
        """Run a slice, which began at that time."""

    def _offer(self, solution: Int64Array) -> int:
        """Offer a solution if it is better, and return its cost."""
        # Plainly: what a device has counted is not believed.
        cost = self._evaluate(solution)
        if cost < self._incumbent.cutoff:
            self._found += self._incumbent.offer(cost, solution, self.source)
        return cost

    @abstractmethod
    def release(self) -> None:
        """Give the GPU's memory back, when nothing runs any more."""

    @abstractmethod
    def interrupt(self) -> None:
        """End a running slice soon."""


def take_turns(runs: Sequence[GpuRuns]) -> None:
    """Have some heuristics on one GPU take turns, whatever their shares."""
    for each in runs:
        each._on_same_gpu, each.share = runs, 0.0


def follow_one_another(runs: Sequence[GpuRuns]) -> None:
    """Have each of some heuristics on one GPU begin when those before it are done."""
    take_turns(runs)
    for each in runs:
        each._in_order = True
