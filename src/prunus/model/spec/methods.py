"""The methods of a problem, where they run, and the options they take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

AUTO = "auto"
"""The method that a solver with several chooses by itself."""

OptionValue: TypeAlias = str | int | float | bool | None
"""What an option may be set to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionSpec:
    """One option of a problem."""

    name: str
    """The keyword of ``prunus.solve``."""
    meaning: str
    """One sentence that says what it does."""
    type: type[str] | type[bool] | type[int] | type[float] = str
    """``str`` for a choice, ``bool``, ``int`` or ``float``."""
    choices: tuple[str, ...] = ()
    """The words that a choice may be."""
    default: OptionValue = None
    """What holds where the user says nothing; None leaves it to the solver."""
    default_below: OptionValue = None
    """What holds instead where an upper bound is given; None for the same."""
    unit: str = ""
    """Of a number, e.g. ``"bytes"``."""
    least: int | None = None
    """The smallest number that is allowed."""
    methods: tuple[str, ...] = ()
    """The methods that take it; all if empty."""
    when_counting: bool = True
    """Whether it means anything for a problem whose solutions are counted."""

    def taken_by(self, method: str) -> bool:
        return not self.methods or method == AUTO or method in self.methods


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodSpec:
    """One way to solve a problem, and where it runs."""

    name: str
    """As given for ``method=``."""
    meaning: str
    """One sentence that says how it works."""
    cpu: bool = True
    gpu: bool = False
    several_gpus: bool = False
    """Whether cores, one GPU and several GPUs of a machine can do it."""
    executor: bool = False
    """Whether the workers of an executor can do it, on one machine or on many."""
    checkpoint: bool = False
    """Whether its state can be kept in a file and resumed."""
    deadline: str = "solution and bound"
    """What an expired time limit leaves, e.g. ``"solution and bound"``."""
