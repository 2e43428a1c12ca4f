"""How a problem and its instances read where people see them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

P = TypeVar("P")
"""The class of a problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Words(Generic[P]):
    """How a problem reads where people see it."""

    noun: str
    """With its article: ``"a flow shop"``."""
    plural: str
    """``"flow shops"``."""
    objective: Callable[[P], str]
    """What the field calls the objective: ``"makespan"``."""
    solution: str
    """What the field calls a solution: ``"schedule"``."""
    size: Callable[[P], str]
    """Says how large a problem is: ``"20 jobs × 5 machines"``; empty for nothing."""
    sizes: tuple[str, ...] = ()
    """The attributes that are its sizes, for machines: ``("jobs", "machines")``."""
    bound: Callable[[P], str | None] | None = None
    """Names the bound of a problem: ``"lower bound"``; None where its question has none. By default
    it follows from whether one maximises."""
    names: Callable[[P], tuple[str, ...] | None] = lambda problem: None
    """Returns the names of what a solution consists of, such as jobs; None where there are none."""
    classes: str = ""
    """What a user makes an instance of, with its article, where that is not the class itself."""
    branches: bool = True
    """Whether every method branches nodes, so that their number is worth showing from the start."""
    others: Callable[[P], str | None] = lambda problem: None
    """Says how to learn whether other solutions are as good, where people would like to know."""
    explores: bool = True
    """Whether a space is searched, of which a fraction is done at each moment."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of an instance, for people and for machines."""

    label: str
    """What it is called before a colon; empty for what only machines are told."""
    words: str | None
    """How it reads; None for what only machines are told."""
    value: object = None
    """What machines read."""
    name: str | None = None
    """What it is called in JSON, by default the label with underscores; empty for what only people
    are told."""

    @property
    def field(self) -> str:
        """What it is called in JSON."""
        return self.label.replace(" ", "_") if self.name is None else self.name
