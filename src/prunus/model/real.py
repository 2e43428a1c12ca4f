"""Turn whatever numbers a user has into an array of one of four kinds, changing none of them."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.model.frame import is_masked
from prunus.model.scalar import NOT_WHOLE, brief, integer
from prunus.model.sequence import check_sequence

_ARRAY = "__array__", "__array_interface__", "__dlpack__", "__buffer__"
_KINDS = (np.float32, np.float64, np.int32, np.int64)


def as_array(source: Any, what: str) -> NDArray[Any]:
    """Return an array of what somebody calls ``what``: of any kind, and perhaps not a copy."""
    if is_masked(source):
        raise InputError(f"{what} is a masked array; put infinity where a pair is forbidden")
    listed = not any(hasattr(source, name) for name in _ARRAY)
    if listed:
        source = _listed(source, what)
    try:
        if hasattr(source, "__dlpack__") and not hasattr(source, "__array__"):
            return np.from_dlpack(source)
        array = np.asarray(source)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise InputError(
            f"{what} cannot be read as an array on the host: {str(error).splitlines()[0]}"
        ) from None
    if listed and array.dtype == np.float64:
        # NumPy makes floats of integers some of which are that large.
        large = np.isfinite(array) & (np.abs(array) >= 2**63)
        if large.any() and any(isinstance(value, int) for value in np.array(source, object)[large]):
            raise InputError(f"{what} holds an integer of 2**63 or more")
    return array


def _listed(source: Any, what: str) -> list[Any]:
    """Return rows of numbers, whatever holds them, as lists; refuse what holds none."""
    check_sequence(
        source, f"{what} must be a sequence of numbers or of rows of them, an array or a data frame"
    )
    rows = [list(row) if isinstance(row, Iterator) else row for row in source]
    sizes = [len(row) if isinstance(row, Sized) else -1 for row in rows]
    for number, size in enumerate(sizes):
        if size != sizes[0]:
            has = "is no row" if size < 0 else "has 1 value" if size == 1 else f"has {size} values"
            first = "is none" if sizes[0] < 0 else f"has {sizes[0]}"
            raise InputError(
                f"{what} is ragged: row {number} (counted from 0) {has}, row 0 {first}"
            )
    return rows


def numeric(array: NDArray[Any], what: str) -> NDArray[Any]:
    """Convert to one of the four kinds without changing a value."""
    if array.dtype in _KINDS and array.dtype.isnative:
        return array
    kind = array.dtype.kind
    if kind == "i" or (kind == "u" and array.dtype.itemsize < 8):
        return array.astype(np.int64)
    if kind == "u":
        if array.size > 0 and int(array.max()) >= 2**63:
            raise InputError(f"{what} holds an integer of 2**63 or more")
        return array.astype(np.int64)
    if kind == "f" and array.dtype.itemsize <= 8:
        return array.astype(np.float64)
    if array.size == 0:
        return array.astype(np.float64)
    if kind in "OSU":
        return _from_objects(array, what)
    if kind == "V" and np.can_cast(array.dtype, np.float64):  # bfloat16
        return array.astype(np.float64)
    raise InputError(
        f"{what} must be real numbers of at most 64 bits, got an array of {array.dtype}"
    )


def _from_objects(array: NDArray[Any], what: str) -> NDArray[Any]:
    """Convert what is an array of Python's objects, as a data frame of mixed columns."""
    whole, floats = np.zeros(array.shape, dtype=np.int64), False
    for place, value in np.ndenumerate(array):
        try:
            number = integer(value)
        except ValueError as error:
            if not isinstance(value, float | np.floating):
                position = ", ".join(map(str, place))
                hint = "; make it a float" if str(error) == NOT_WHOLE else ""
                raise InputError(f"{what}[{position}]: {brief(value)} {error}{hint}") from None
            floats = True
            continue
        if isinstance(value, float | np.floating):
            floats = True
        if not -(2**63) <= number < 2**63:
            raise InputError(f"{what} holds an integer beyond 64 bits")
        whole[place] = number
    if not floats:
        return whole
    if np.abs(whole).max(initial=0) > 2**53:
        raise InputError(
            f"{what} holds floats and an integer beyond 2**53, which a float may not "
            "represent exactly"
        )
    return array.astype(np.float64)
