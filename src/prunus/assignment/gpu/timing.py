"""How time under a deadline is divided: kernels have most of it, the host needs some at the end."""

from __future__ import annotations

_ANSWER_SECONDS: dict[int, float] = {}
"""Seconds that the last answer took the host after the kernels, by size."""


def answer_seconds(rows: int) -> float:
    """Return about how many seconds the answer takes the host once the kernels are done."""
    guess = 8e-4 + 1e-7 * rows
    known = _ANSWER_SECONDS.get(rows.bit_length())
    return guess if known is None else min(guess, 1.25 * known + 3e-4)


def note_answer(rows: int, seconds: float) -> None:
    """Remember what an answer took."""
    _ANSWER_SECONDS[rows.bit_length()] = seconds


def nanoseconds(left: float, part: float) -> int:
    """Return a part of the seconds that are left; very many where there is no deadline."""
    return int(part * min(1e9 * max(left, 0.0), 2.0**61))
