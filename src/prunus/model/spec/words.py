"""How a problem and its instances read where people see them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["Fact", "Words"]

P = TypeVar("P")
"""The class of a problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words(Generic[P]):
    """How a problem reads where people see it.

    Attributes
    ----------
    noun
        With its article: ``"a flow shop"``.
    plural
        ``"flow shops"``.
    objective
        What the field calls the objective: ``"makespan"``.
    solution
        What the field calls a solution: ``"schedule"``.
    size
        Says how large a problem is: ``"20 jobs × 5 machines"``; empty for nothing.
    sizes
        The attributes that are its sizes, for machines: ``("jobs", "machines")``.
    bound
        Names the bound of a problem: ``"lower bound"``; None where its question has none. By
        default it follows from whether one maximises.
    names
        Returns the names of what a solution consists of, such as jobs; None where there are none.
    classes
        What a user makes an instance of, with its article, where that is not the class itself.
    branches
        Whether every method branches nodes, so that their number is worth showing from the start.
    explores
        Whether a space is searched, of which a fraction is done at each moment.
    """

    noun: str
    plural: str
    objective: Callable[[P], str]
    solution: str
    size: Callable[[P], str]
    sizes: tuple[str, ...] = ()
    bound: Callable[[P], str | None] | None = None
    names: Callable[[P], tuple[str, ...] | None] = lambda problem: None
    classes: str = ""
    branches: bool = True
    explores: bool = True


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of an instance, for people and for machines.

    Attributes
    ----------
    label
        What it is called before a colon; empty for what only machines are told.
    words
        How it reads; None for what only machines are told.
    value
        What machines read.
    name
        What it is called in JSON, by default the label with underscores; empty for what only
        people are told.
    """

    label: str
    words: str | None
    value: object = None
    name: str | None = None

    @property
    def field(self) -> str:
        """What it is called in JSON."""
        return self.label.replace(" ", "_") if self.name is None else self.name
