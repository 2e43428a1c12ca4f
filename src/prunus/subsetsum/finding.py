"""What the search of some pieces of work has found."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Finding"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of pieces [first, last).

    Attributes
    ----------
    first, last : int
        The pieces that are done.
    subset : tuple of int, or None
        The items of a subset that was found: with the target as its sum, or, where the closest
        sum is sought, with the largest one among these pieces that is not above the target.
    count : int
        The number of subsets found, where all are counted.
    """

    first: int
    last: int
    subset: tuple[int, ...] | None = None
    count: int = 0
