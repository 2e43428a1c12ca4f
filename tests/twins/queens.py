"""N-Queens by plain recursion over permutations of columns."""

from __future__ import annotations

from collections.abc import Iterator


def placements(n: int, rows: int | None = None) -> Iterator[tuple[int, ...]]:
    """Yield every way to place the queens of the first rows, as the column of each."""

    def fill(columns: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(columns) == (n if rows is None else rows):
            yield columns
            return
        for column in range(n):
            if all(
                column != other and abs(column - other) != len(columns) - row
                for row, other in enumerate(columns)
            ):
                yield from fill((*columns, column))

    return fill(())


def count(n: int) -> tuple[int, int]:
    """Return the number of complete placements, and that of all partial ones (not the empty)."""
    solutions = sum(1 for _ in placements(n))
    return solutions, sum(sum(1 for _ in placements(n, rows)) for rows in range(1, n + 1))


def images(columns: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return the different images of a placement under the symmetries of the square."""
    n = len(columns)
    found = set()
    cells = list(enumerate(columns))
    for _ in range(4):
        cells = [(column, n - 1 - row) for row, column in cells]
        for mirrored in (cells, [(row, n - 1 - column) for row, column in cells]):
            found.add(tuple(column for _, column in sorted(mirrored)))
    return found


def centre(columns: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return where the queens of the four lines next to the middle stand in them."""
    n = len(columns)
    low, high = n // 2 - 1, n - n // 2
    return columns[low], columns[high], columns.index(low), columns.index(high)
