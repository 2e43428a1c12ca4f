"""Facts of an instance as most problems tell them: a range, a spread, what is largest."""

from __future__ import annotations

from prunus.model.arrays import AnyArray
from prunus.model.spec import Fact


def value_range(label: str, values: AnyArray) -> Fact:
    """Tell from where to where values go."""
    value = {"least": values.min().item(), "greatest": values.max().item()}
    return Fact(label, f"{values.min()} to {values.max()}", value)


def spread(label: str, values: AnyArray) -> Fact:
    """Tell from where to where whole numbers go, and their sum."""
    value = {"least": int(values.min()), "greatest": int(values.max()), "sum": int(values.sum())}
    return Fact(label, f"{values.min()} to {values.max()}, sum {values.sum()}", value)


def largest(label: str, names: tuple[str, ...] | None, totals: AnyArray) -> Fact:
    """Tell which has the largest total, and how much that is."""
    index = int(totals.argmax())
    name = names[index] if names else f"number {index} (0-based)"
    value = {"index": index, "name": names[index] if names else None, "total": int(totals[index])}
    return Fact(label, f"{name}, {totals[index]}", value)
