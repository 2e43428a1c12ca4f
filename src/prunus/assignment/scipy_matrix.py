"""What SciPy's function takes for a matrix, and says where one has no answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.errors import InputError
from prunus.model.arrays import AnyArray

INFEASIBLE = "cost matrix is infeasible"
NOT_FINITE = "matrix contains invalid numeric entries"

_ARRAY = ("__array__", "__array_interface__", "__array_struct__", "__buffer__")


def numbers(cost_matrix: Any) -> AnyArray:
    """Return a matrix or a stack of float32, float64, int64 or uint64; other kinds as float64.

    As in SciPy, an array must be of a kind that float64 can hold safely; whatever else NumPy makes
    an array of, it makes one of float64 of, strings and None and all.
    """
    try:
        if hasattr(cost_matrix, "__dlpack__") and not _is_array(cost_matrix):
            cost_matrix = np.from_dlpack(cost_matrix)
        try:
            matrix = np.asarray(cost_matrix)
        except (TypeError, ValueError):
            matrix = np.asarray(cost_matrix, dtype=np.float64)
        if matrix.dtype.kind not in "biuf" or not np.can_cast(matrix.dtype, np.float64):
            # Not bytes, buffers since Python 3.12: they are text, to NumPy. Nor data frames, whose
            # columns of whole numbers with a place for missing ones are objects to it.
            frame = matrix.dtype == object and not isinstance(cost_matrix, np.ndarray)
            if _is_array(cost_matrix) and not frame and not isinstance(cost_matrix, bytes):
                matrix = matrix.astype(np.float64, casting="safe")
            else:
                matrix = np.asarray(cost_matrix, dtype=np.float64)
    except ValueError as error:
        raise InputError(str(error)) from None
    if matrix.ndim not in (2, 3):
        raise InputError(f"expected a matrix (2-D array), got a {matrix.ndim} array")
    if not matrix.flags.aligned:
        matrix = matrix.copy()
    if matrix.dtype.kind == "i" and matrix.dtype.itemsize == 8:
        return matrix.astype(np.int64, copy=False)
    if matrix.dtype.kind == "u" and matrix.dtype.itemsize == 8:
        whole = np.uint64 if matrix.max(initial=0) >= 2**63 else np.int64
        return matrix.astype(whole, copy=False)
    if matrix.dtype != np.float32 or not matrix.dtype.isnative:
        return matrix.astype(np.float64, copy=False)
    return matrix


def _is_array(given: Any) -> bool:
    """Tell whether NumPy takes something for an array."""
    return any(hasattr(given, name) for name in _ARRAY)
