"""Names of jobs, machines, cities and problems: one line of printable text each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from prunus.errors import InputError
from prunus.model.sequence import check_sequence


def one_name(value: Any, what: str) -> str:
    """Return a name with runs of white space made one blank; refuse what cannot be printed."""
    parts = value if isinstance(value, tuple) else (value,)  # a level of a pandas MultiIndex each
    text = " / ".join(" ".join(str(part).split()) for part in parts)
    missing = value is None or (isinstance(value, float) and value != value)
    if missing or not text:
        raise InputError(f"{what} is empty; name all of them or none")
    if not text.isprintable():
        raise InputError(f"{what} {text!r} holds characters that cannot be printed; rename it")
    return text


def names(values: Any, count: int, what: str) -> tuple[str, ...] | None:
    """Validate user-given names.

    Values are any iterable of ``count`` names (anything that ``str`` turns into text), or None for
    none; ``what`` is what they are called in messages, e.g. ``"job_names"``.
    """
    if values is None:
        return None
    check_sequence(values, f"{what} must be a sequence of names")
    result = tuple(one_name(value, f"{what}[{k}]") for k, value in enumerate(values))
    if len(result) != count:
        raise InputError(f"{what} must hold {count} names, got {len(result)}")
    return result


def frame_labels(labels: Any, what: str) -> tuple[str, ...] | None:
    """Return the labels of a data frame's axis as names, or None if they only number it."""
    if labels is None:
        return None
    return meaningful(one_name(label, f"{what} number {k}") for k, label in enumerate(labels))


def meaningful(labels: Iterable[str]) -> tuple[str, ...] | None:
    """Return the labels, or None if they are 0, 1, 2, …, which is what no names look like."""
    result = tuple(labels)
    return None if result == tuple(map(str, range(len(result)))) else result


def counted(number: int, noun: str, many: str | None = None) -> str:
    """Return a number with its noun: ``"1 job"``, ``"20 jobs"``."""
    return f"{number} {noun if number == 1 else many or noun + 's'}"


def headings(noun: str, given: Sequence[str] | None) -> tuple[str, ...]:
    """Return what stands above ``cells`` in a table: ``"job"``, and ``"job_name"`` with names."""
    return (noun, f"{noun}_name") if given else (noun,)


def cells(number: int, given: Sequence[str] | None) -> tuple[int | str, ...]:
    """Return a number, -1 for none, and the name that goes with it where names were given."""
    return (number, given[number] if number >= 0 else "") if given else (number,)
