"""Instances made by the library: of a name, for `prunus bench`, to compile what others need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from prunus.model.spec.methods import OptionValue

P = TypeVar("P")
"""The class of a problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorSpec(Generic[P]):
    """A kind of instances that are generated from a name, e.g. ``crane:15:1``."""

    form: str
    """The name with its parameters in words: ``"crane:CITIES:SEED"``. A parameter ``CLASS`` is
    text, every other a whole number from 0."""
    example: str
    """A name that works."""
    meaning: str
    """What it is, for help texts."""
    make: Callable[..., P]
    """Builds the problem from its canonical name and its parameters."""

    @property
    def kind(self) -> str:
        """What the name begins with."""
        return self.form.partition(":")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceSet(Generic[P]):
    """A published set of instances that are generated from their names, e.g. ``ta056``."""

    form: str
    """Which names there are, in words: ``"ta001 to ta120"``."""
    meaning: str
    """What they are, for help texts."""
    names: tuple[str, ...]
    """All of them."""
    pattern: str
    """A regular expression, with one group for the number, that a name of such an instance has even
    if it is misspelt or out of range."""
    canonical: Callable[[int], str]
    """Returns the name for a number, e.g. ``"ta056"`` for 56."""
    make: Callable[[str], P]
    """Builds the problem of a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchCase(Generic[P]):
    """An instance that ``prunus bench`` solves, and what must come out."""

    instance: str
    """How it is shown."""
    make: Callable[[], P]
    """Generates it."""
    unit: str = "nodes"
    """In what its speed is measured: ``"nodes"``."""
    work: Callable[[P, int], float] = lambda problem, nodes: nodes
    """How much of that a solve of a problem with so many nodes has done."""
    objective: int | None = None
    """The optimum, or the count; None where the proof is that there is nothing."""
    nodes: int | None = None
    """How many nodes the proof branches, on any devices, where that is fixed."""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """Of ``prunus.solve``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WarmUp(Generic[P]):
    """An instance whose solve compiles what others of its kind need."""

    instance: str
    """How it is shown."""
    make: Callable[[], P]
    """Generates it."""
