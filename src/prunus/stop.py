"""When to stop: one-method criteria that look at the progress of a search.

A search asks its criterion several times a second and, once told to stop, hands back its best
solution with the bound proven so far. Any callable from `Progress` to bool will do; those here
are validated and say in their ``str`` why they fired, which becomes `Result.stopped_by`.
"""

from __future__ import annotations

import math
import numbers

from prunus.errors import InputError
from prunus.runtime.progress import Progress
from prunus.runtime.stop_criterion import StoppingCriterion, describe
from prunus.view import text

__all__ = [
    "AnyOf",
    "MaxNodes",
    "MaxRuntime",
    "NoImprovement",
    "StoppingCriterion",
    "TargetGap",
    "TargetObjective",
    "describe",
]


class MaxRuntime:
    """Stop after a given time.

    Parameters
    ----------
    seconds
        The time since the start of the solve, not counting compilation.

    Raises
    ------
    InputError
        If it is not a non-negative number.
    """

    __slots__ = ("seconds",)

    def __init__(self, seconds: float) -> None:
        self.seconds = _number("MaxRuntime", "seconds", seconds)

    def __call__(self, progress: Progress) -> bool:
        return progress.elapsed >= self.seconds

    def __str__(self) -> str:
        return f"maximum runtime of {self.seconds:g} s"


class MaxNodes:
    """Stop once a number of nodes has been branched.

    The count is checked several times a second, so a search may exceed it slightly.

    Parameters
    ----------
    nodes
        The number of nodes.

    Raises
    ------
    InputError
        If it is not a non-negative integer.
    """

    __slots__ = ("nodes",)

    def __init__(self, nodes: int) -> None:
        _number("MaxNodes", "nodes", nodes)
        if not float(nodes).is_integer():
            raise InputError(f"MaxNodes: nodes must be a whole number, not {nodes!r}")
        self.nodes = int(nodes)

    def __call__(self, progress: Progress) -> bool:
        return progress.nodes >= self.nodes

    def __str__(self) -> str:
        return f"maximum of {text.count(self.nodes)} nodes"


class TargetObjective:
    """Stop once the incumbent reaches a target.

    Parameters
    ----------
    objective
        The worst objective that is good enough: the largest, or when maximising the smallest.

    Raises
    ------
    InputError
        If it is not a finite number.
    """

    __slots__ = ("objective",)

    def __init__(self, objective: int | float) -> None:
        self.objective: int | float
        if isinstance(objective, numbers.Integral) and not isinstance(objective, bool):
            self.objective = int(objective)  # of any size
        else:
            self.objective = _finite("TargetObjective", "objective", objective)

    def __call__(self, progress: Progress) -> bool:
        if progress.objective is None:
            return False
        if progress.maximise:
            return progress.objective >= self.objective
        return progress.objective <= self.objective

    def __str__(self) -> str:
        return f"target objective {self.objective}"


class TargetGap:
    """Stop once the incumbent is proven to be within a relative gap of the optimum.

    Parameters
    ----------
    gap
        The largest gap that is good enough, e.g. 0.01 for 1 %.

    Raises
    ------
    InputError
        If it is not a non-negative number.
    """

    __slots__ = ("gap",)

    def __init__(self, gap: float) -> None:
        self.gap = _number("TargetGap", "gap", gap)

    def __call__(self, progress: Progress) -> bool:
        return progress.gap is not None and progress.gap <= self.gap

    def __str__(self) -> str:
        return f"target gap of {100 * self.gap:g} %"


class NoImprovement:
    """Stop when the incumbent has not improved for some time.

    It restarts with every solve, so one object can be used for several solves in turn.

    Parameters
    ----------
    seconds
        The time without improvement, counted from the first incumbent.

    Raises
    ------
    InputError
        If it is not a non-negative number.
    """

    __slots__ = ("_elapsed", "_objective", "_since", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = _number("NoImprovement", "seconds", seconds)
        self._objective: int | float | None = None
        self._since = 0.0
        self._elapsed = 0.0

    def __call__(self, progress: Progress) -> bool:
        restarted = progress.elapsed < self._elapsed
        self._elapsed = progress.elapsed
        if restarted or progress.objective != self._objective:
            self._objective = progress.objective
            self._since = progress.elapsed
        return self._objective is not None and progress.elapsed - self._since >= self.seconds

    def __str__(self) -> str:
        return f"no improvement for {self.seconds:g} s"


class AnyOf:
    """Stop as soon as one of several criteria is met.

    Parameters
    ----------
    *criteria
        The criteria, at least one. All of them see every progress report.

    Raises
    ------
    InputError
        If there are none, or one is not callable.
    """

    __slots__ = ("_fired", "criteria")

    def __init__(self, *criteria: StoppingCriterion) -> None:
        if not criteria:
            raise InputError("AnyOf needs at least one criterion")
        for criterion in criteria:
            if not callable(criterion):
                raise InputError(
                    f"AnyOf: each criterion is a callable that takes a Progress, not {criterion!r}"
                )
        self.criteria = criteria
        self._fired: StoppingCriterion | None = None

    def __call__(self, progress: Progress) -> bool:
        # No short cut: a criterion with a memory must see every report.
        fired = [criterion for criterion in self.criteria if criterion(progress)]
        self._fired = fired[0] if fired else None
        return self._fired is not None

    def __str__(self) -> str:
        if self._fired is not None:
            return describe(self._fired)
        return " or ".join(describe(criterion) for criterion in self.criteria)


def _finite(owner: str, field: str, value: float) -> float:
    number = _float(owner, field, value)
    if number is None or not math.isfinite(number):
        raise InputError(f"{owner}: {field} must be a finite number, not {value!r}")
    return number


def _number(owner: str, field: str, value: float) -> float:
    number = _float(owner, field, value)
    if number is None or math.isnan(number):
        raise InputError(f"{owner}: {field} must be a number, not {value!r}")
    if number < 0:
        raise InputError(f"{owner}: {field} must be 0 or more, not {value!r}")
    return number


def _float(owner: str, field: str, value: float) -> float | None:
    """Return a number as a float, None for what is none."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return None
    try:
        return float(value)
    except OverflowError:
        raise InputError(f"{owner}: {field} is beyond all floats") from None
