"""Turn whatever a user calls a matrix into a validated int64 matrix, or say what is wrong where.

Accepted: nested sequences, NumPy arrays (integer, float or object), anything with ``__array__``,
and data frames (recognised by having ``to_numpy`` and ``columns``; pandas is never imported).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.model.frame import as_frame, is_frame, is_masked, taken_apart
from prunus.model.labels import counted
from prunus.model.scalar import LIMIT, NOT_WHOLE, brief, natural
from prunus.model.scaling import scaling_hint
from prunus.model.sequence import check_sequence, is_listed


class Matrix(NamedTuple):
    """A validated matrix and the names a data frame gave to its rows and columns."""

    values: NDArray[np.int64]
    rows: tuple[str, ...] | None
    columns: tuple[str, ...] | None


def integer_matrix(source: Any, what: str, *, ignore_diagonal: bool = False) -> Matrix:
    """Validate and copy a matrix of non-negative integers.

    Raises ``InputError`` naming the row and the column of the first offender, counted from 0.

    The matrix has the shape (rows, columns), neither of them 0; floats are fine when they are whole
    numbers below 2**53 (beyond, neighbouring integers are the same float). ``what`` is its name in
    messages. Anything on an ignored diagonal becomes 0.
    """
    rows = columns = None
    source = as_frame(source)
    if is_frame(source):
        source, rows, columns = taken_apart(source, what)
    if is_masked(source):
        source = source.tolist()  # None where masked; np.asarray would show what the mask hides
    if hasattr(source, "__array__"):
        values = _from_array(np.asarray(source), what, ignore_diagonal)
    else:
        values = _from_rows(_nested_rows(source, what), what, ignore_diagonal)
    # Exact sums cost a pass in Python, so only where an overflow is possible at all.
    if int(values.max()) * values.size >= LIMIT and sum(values.ravel().tolist()) >= LIMIT:
        raise InputError(f"the values of {what} add up to 2**62 or more; scale them down")
    return Matrix(values, rows, columns)


def _from_array(array: NDArray[Any], what: str, ignore_diagonal: bool) -> NDArray[np.int64]:
    if array.ndim != 2:
        raise InputError(f"{what} must have two dimensions (rows and columns), got {array.ndim}")
    if 0 in array.shape:
        raise InputError(f"{what} is empty: its shape is {array.shape}")
    if array.dtype.kind not in "iuf":  # exotic numbers, or something to refuse: one by one
        return _from_rows([list(row) for row in array], what, ignore_diagonal)
    if array.dtype.kind == "f" and array.dtype.itemsize < 8:
        array = array.astype(np.float64)  # so that the limit below is a number of its type
    if ignore_diagonal:
        array = array.copy()
        np.fill_diagonal(array, 0)
    limit = 2.0**53 if array.dtype.kind == "f" else LIMIT
    bad = ~((array >= 0) & (array < limit))  # a NaN is neither, so it is bad too
    if array.dtype.kind == "f":
        bad |= np.floor(array) != array
    if bad.any():
        return _from_rows(array.tolist(), what, ignore_diagonal)  # which finds the first one
    return np.array(array, dtype=np.int64, order="C")


def _nested_rows(source: Any, what: str) -> list[list[Any]]:
    shape = f"{what} must be a matrix: a sequence of rows of numbers, an array or a data frame"
    check_sequence(source, shape)
    rows = []
    for number, row in enumerate(source):
        if not is_listed(row):
            raise InputError(f"{shape}; its row {number} (counted from 0) is {row!r}")
        rows.append(list(row))
    if not rows or not rows[0]:
        raise InputError(f"{what} is empty")
    for number, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{what} is ragged: row {number} (counted from 0) has "
                f"{counted(len(row), 'value')}, row 0 has {len(rows[0])}"
            )
    return rows


def _from_rows(rows: list[list[Any]], what: str, ignore_diagonal: bool) -> NDArray[np.int64]:
    values = np.zeros((len(rows), len(rows[0])), dtype=np.int64)
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            if ignore_diagonal and i == j:
                continue
            try:
                values[i, j] = natural(value)
            except ValueError as error:
                reason, every = str(error), (each for line in rows for each in line)
                hint = scaling_hint(every) if reason == NOT_WHOLE else ""
                raise InputError(
                    f"{what}, row {i}, column {j} (counted from 0): {brief(value)} {reason}; "
                    f"every value must be a whole number from 0 to 2**62 - 1{hint}"
                ) from None
    return values
