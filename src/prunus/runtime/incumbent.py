"""The best solution known, and how it came to be."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from prunus.hardware import clock
from prunus.model.arrays import Int64Array, Number
from prunus.model.scalar import plain_number

NO_INCUMBENT = 2**62
"""The incumbent's objective while there is none: larger than any bound."""


@dataclass(frozen=True, slots=True)
class Improvement:
    """A better solution: when it was found (by ``clock``), its objective, and by whom."""

    time: float
    objective: Number
    solution: Int64Array
    source: str


class Incumbent:
    """The best solution known, shared by everything that works on a problem.

    ``shared_cutoff[0]`` is the cutoff: a tree search prunes a node iff its lower bound is at least
    that. Compiled code reads the array without a lock; the cutoff only ever decreases. It starts at
    the upper bound that a user may have given without a solution, and then is the objective of the
    best solution, negated when maximising.
    """

    def __init__(self, upper_bound: int | None = None, *, maximise: bool = False) -> None:
        self.maximise = maximise
        sign = -1 if maximise else 1
        start = NO_INCUMBENT if upper_bound is None else sign * upper_bound
        self.shared_cutoff = np.array([start], np.int64)
        self.improvements: list[Improvement] = []
        self._watchers: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    @property
    def cutoff(self) -> int:
        """Only solutions below this are better; ``NO_INCUMBENT`` while all are."""
        return int(self.shared_cutoff[0])

    @property
    def proven(self) -> int | None:
        """What holds of every solution once all is searched: the cutoff; None while all are."""
        return None if self.cutoff == NO_INCUMBENT else self.cutoff

    @property
    def best(self) -> Improvement | None:
        """The best solution, if there is one; it need not be below a given upper bound."""
        return self.improvements[-1] if self.improvements else None

    @property
    def objective(self) -> Number | None:
        """The best solution's objective, if there is one."""
        return self.improvements[-1].objective if self.improvements else None

    def bound_of_all(self, bound: Number) -> Number:
        """Return a bound on all solutions, given one on those that are better than the best."""
        sign, objective = -1 if self.maximise else 1, self.objective
        least = min(sign * bound, math.inf if objective is None else sign * objective)
        return sign * (least if self.proven is None else min(least, self.cutoff))

    def offer(self, objective: Number, solution: Int64Array, source: str) -> bool:
        """Take a solution if it is better than the best one; return whether it was."""
        sign, objective = -1 if self.maximise else 1, plain_number(objective)
        with self._lock:
            best = self.best
            if best is not None and sign * objective >= sign * best.objective:
                return False
            self.improvements.append(Improvement(clock.seconds(), objective, solution, source))
            # Objectives of any size and floats: the cutoff is for searches whose objectives fit it.
            if isinstance(objective, int):
                self.shared_cutoff[0] = max(-NO_INCUMBENT, min(sign * objective, self.cutoff))
        self._tell()
        return True

    def lower_cutoff(self, cutoff: int) -> None:
        """Take over the cutoff of another process, which has a better solution."""
        with self._lock:
            self.shared_cutoff[0] = min(cutoff, self.cutoff)
        self._tell()

    def watch(self, tell: Callable[[], None]) -> None:
        """Call a function after every improvement, in the thread that made it."""
        self._watchers.append(tell)

    def _tell(self) -> None:
        for tell in self._watchers:
            tell()


class IncumbentView(Incumbent):
    """An incumbent as a search sees it that seeks only some solutions, or has other objectives.

    Better solutions go to the whole incumbent, which keeps them.
    """

    def __init__(self, whole: Incumbent, cutoff: int) -> None:
        super().__init__(cutoff)
        self.improvements = whole.improvements
        self._whole = whole

    def _follow(self, taken: bool, cutoff: int) -> bool:
        """Lower the cutoff after an offer to the whole incumbent; return whether it was taken."""
        with self._lock:
            self.shared_cutoff[0] = min(cutoff, self.cutoff)
        if taken:
            self._tell()
        return taken


class TargetIncumbent(IncumbentView):
    """An incumbent as a search sees it that looks only for solutions below a target."""

    def __init__(self, whole: Incumbent, target: int) -> None:
        super().__init__(whole, min(target, whole.cutoff))

    def offer(self, objective: Number, solution: Int64Array, source: str) -> bool:
        taken = self._whole.offer(objective, solution, source)
        return self._follow(taken, self._whole.cutoff)
