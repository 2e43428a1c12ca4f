"""Rows of totals, as spreadsheets end with: the sum of the rows above, and nothing of its own."""

from __future__ import annotations

from collections.abc import Sequence

from prunus.files.textfile import TextFile

_NAMES = ("total", "totals", "sum", "grand total")


def refuse_total(
    file: TextFile, names: Sequence[str], rows: Sequence[Sequence[int]], line: int, what: str
) -> None:
    """Refuse a last row that is called a total and is one; ``line`` is where it stands.

    Raises ``InputError`` saying that it is not one more of ``what`` the rows are.
    """
    *above, last = rows
    sums = [sum(column) for column in zip(*above, strict=True)]
    if names and names[-1].casefold() in _NAMES and list(last) == sums:
        raise file.error(f"{names[-1]!r} is the sum of the rows above, not {what}; remove it", line)
