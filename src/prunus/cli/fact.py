"""What ``prunus info`` tells: in words for people, under a name and as a value for machines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["Fact", "as_dict", "as_lines"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known.

    Attributes
    ----------
    label, words
        What people read; a fact without words is for machines alone.
    value
        The same as plain types that JSON knows; a fact without a name is for people alone.
    name
        The field that the value gets, by default the label with underscores.
    """

    label: str
    words: str | None
    value: Any = None
    name: str | None = None

    @property
    def field(self) -> str:
        """The name of the field."""
        return self.label.replace(" ", "_") if self.name is None else self.name


def as_lines(facts: Iterable[Fact]) -> list[str]:
    """Return a line for each fact, aligned."""
    told = [(fact.label, fact.words) for fact in facts if fact.words is not None]
    width = max(len(label) for label, _ in told)
    return [f"{label:<{width}}  {words}" for label, words in told]


def as_dict(facts: Iterable[Fact]) -> dict[str, Any]:
    """Return the values by their names."""
    return {fact.field: fact.value for fact in facts if fact.field}
