"""The methods of a problem, where they run, and the options they take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["AUTO", "MethodSpec", "OptionSpec", "OptionValue"]

AUTO = "auto"
"""The method that a solver with several chooses by itself."""

OptionValue: TypeAlias = str | int | bool | None
"""What an option may be set to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionSpec:
    """One option of a problem.

    Attributes
    ----------
    name
        The keyword of ``prunus.solve``.
    meaning
        One sentence that says what it does.
    type
        ``str`` for a choice, ``bool`` or ``int``.
    choices
        The words that a choice may be.
    default
        What holds where the user says nothing; None leaves it to the solver.
    default_below
        What holds instead where an upper bound is given; None for the same.
    unit
        Of a number, e.g. ``"bytes"``.
    least
        The smallest number that is allowed.
    methods
        The methods that take it; all if empty.
    when_counting
        Whether it means anything for a problem whose solutions are counted.
    """

    name: str
    meaning: str
    type: type[str] | type[bool] | type[int] = str
    choices: tuple[str, ...] = ()
    default: OptionValue = None
    default_below: OptionValue = None
    unit: str = ""
    least: int | None = None
    methods: tuple[str, ...] = ()
    when_counting: bool = True

    def taken_by(self, method: str) -> bool:
        """Return whether a method takes this option."""
        return not self.methods or method == AUTO or method in self.methods


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodSpec:
    """One way to solve a problem, and where it runs.

    Attributes
    ----------
    name
        As given for ``method=``.
    meaning
        One sentence that says how it works.
    cpu, gpu, several_gpus
        Whether cores, one GPU and several GPUs of a machine can do it.
    executor
        Whether the workers of an executor can do it, on one machine or on many.
    checkpoint
        Whether its state can be kept in a file and resumed.
    deadline
        What an expired time limit leaves, e.g. ``"solution and bound"``.
    """

    name: str
    meaning: str
    cpu: bool = True
    gpu: bool = False
    several_gpus: bool = False
    executor: bool = False
    checkpoint: bool = False
    deadline: str = "solution and bound"
