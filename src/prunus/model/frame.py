"""Data frames of any library, taken apart: values, names of rows, names of columns.

A frame is what has ``to_numpy`` and ``columns``; neither pandas nor polars is imported.
"""

from __future__ import annotations

import sys
from typing import Any

from prunus.model.labels import frame_labels, meaningful, one_name
from prunus.model.sequence import without_views

_ID_WORDS = {
    *("id", "name", "key", "label", "job", "jobs", "task", "order"),
    *("machine", "station", "city", "agent", "item"),
}
"""What a first column of names, numbers too, may be called."""


def as_frame(source: Any) -> Any:
    """Return a two-dimensional ``xarray.DataArray`` as a data frame, a memoryview as an array."""
    is_labelled = hasattr(source, "to_pandas") and len(getattr(source, "dims", ())) == 2
    return source.to_pandas() if is_labelled else without_views(source)


def is_masked(source: object) -> bool:
    """Tell whether something is a masked array: who has one has imported NumPy's part for it."""
    masked = sys.modules.get("numpy.ma")
    return masked is not None and isinstance(source, masked.MaskedArray)


def is_frame(source: object) -> bool:
    """Tell a data frame from other things."""
    return hasattr(source, "to_numpy") and hasattr(source, "columns")


def taken_apart(
    frame: Any, what: str
) -> tuple[Any, tuple[str, ...] | None, tuple[str, ...] | None]:
    """Return the values as an array, and the names of rows and columns where they have any.

    Rows without labels take them from a first column that holds text beside numbers, or is called
    ``id`` or ``job``, for example.
    """
    rows = frame_labels(getattr(frame, "index", None), f"row name of {what}")
    columns = [one_name(each, f"column name of {what}") for each in frame.columns]
    values = frame.to_numpy()
    if rows is None and len(columns) > 1 and getattr(values, "ndim", 0) == 2:
        first, others = values[:, 0], values[:, 1:].flat
        words = all(isinstance(each, str) for each in first)
        words = words and not all(isinstance(each, str) for each in others)
        if len(first) and (words or columns[0].lower() in _ID_WORDS):
            numbers = (int(each) if _whole(each) else each for each in first)
            rows = tuple(one_name(each, f"row name of {what}") for each in numbers)
            values, columns = values[:, 1:], columns[1:]
            rows = meaningful(rows)
    return values, rows, meaningful(columns)


def _whole(value: Any) -> bool:
    return isinstance(value, float) and value.is_integer()
