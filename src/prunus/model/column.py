"""Turn whatever a user calls a column of numbers into validated int64 values and labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.model import scalar
from prunus.model.frame import is_frame, is_masked
from prunus.model.labels import frame_labels
from prunus.model.scalar import LIMIT, brief, integer
from prunus.model.scaling import scaling_hint
from prunus.model.sequence import check_sequence, without_views


class Column(NamedTuple):
    """Validated values and the names that a pandas Series gave to them."""

    values: NDArray[np.int64]
    labels: tuple[str, ...] | None


def integer_column(source: Any, what: str) -> Column:
    """Validate and copy a sequence of non-negative integers whose sum is below 2**62.

    The source is as for `as_column`, of integers or of whole floats, and may be empty.

    Raises ``InputError`` naming the first offender, counted from 0.
    """
    source, labels = as_column(source, what)
    whole = isinstance(source, np.ndarray) and source.dtype.kind in "iu" and source.size > 0
    if whole and source.min() >= 0 and source.max() < LIMIT:
        values = source.astype(np.int64)
    else:
        values = _one_by_one(source, what)
    # Exact sums cost a pass in Python, so only where an overflow is possible at all.
    largest = int(values.max()) if values.size else 0
    if largest * values.size >= LIMIT and sum(values.tolist()) >= LIMIT:
        raise InputError(f"the {what} add up to 2**62 or more; scale them down")
    return Column(values, labels)


def as_column(source: Any, what: str) -> tuple[Any, tuple[str, ...] | None]:
    """Return a sequence, an array, or a Series or an Arrow array as values one after another.

    Returns the labels of a pandas Series, too. ``what`` is what the values are called in messages,
    e.g. ``"weights"``.

    Raises ``InputError`` if it is none of these, or has several columns.
    """
    labels = None
    if is_frame(source):
        raise InputError(f"{what} must be one column; give a Series, not a data frame")
    if hasattr(source, "to_pylist"):  # pyarrow's, whose ``index`` is a method
        source = source.to_pylist()
    elif hasattr(source, "to_numpy") and hasattr(source, "index"):
        labels = frame_labels(source.index, f"name of {what}")
        source = source.to_numpy()
    source = without_views(source)
    check_sequence(source, f"{what} must be a sequence of numbers")
    if is_masked(source):
        source = source.tolist()
    dimensions = getattr(source, "ndim", 1)
    if dimensions != 1:
        raise InputError(f"{what} must have one dimension, got {dimensions}")
    return source, labels


def natural(value: Any, what: str) -> int:
    """Validate one whole number from 0 to 2**62 - 1."""
    try:
        number = integer(value)
    except ValueError as error:
        raise InputError(f"{what}: {brief(value)} {error}") from None
    if not 0 <= number < LIMIT:
        raise InputError(f"{what} must be from 0 to 2**62 - 1, got {brief(number)}")
    return number


def _one_by_one(source: Iterable[Any], what: str) -> NDArray[np.int64]:
    values = []
    for position, value in enumerate(source):
        try:
            values.append(scalar.natural(value))
        except ValueError as error:
            hint = scaling_hint(source) if str(error) == scalar.NOT_WHOLE else ""
            raise InputError(
                f"{what}, position {position} (counted from 0): {brief(value)} {error}; "
                f"every value must be a whole number from 0 to 2**62 - 1{hint}"
            ) from None
    return np.array(values, dtype=np.int64)
