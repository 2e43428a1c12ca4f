"""A tree of permutations as a forward beam on a GPU sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from prunus.model.arrays import Int64Array, UInt32Array


@dataclass(frozen=True, slots=True)
class BeamProgram:
    """What a problem supplies."""

    levels: int
    """Items to fix, one a level."""
    file: str
    """The kernel file in the package."""
    constants: Mapping[str, int | str]
    """What specialises it."""
    tables: UInt32Array
    """What ``load_tables`` reads."""
    state_words: int
    """Words of a node's state, a multiple of four."""
    state_numbers: int
    """Numbers of it that ``state_print`` multiplies."""
    number_bytes: int
    """Bytes of a key."""
    shared_bytes: int
    """Bytes of shared memory that a block needs for tables."""
    evaluate: Callable[[Int64Array], int]
    """The problem's own plain evaluation of a solution."""
