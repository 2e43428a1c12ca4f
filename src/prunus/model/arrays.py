"""Short names for the types of arrays that functions take and return."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

BoolArray: TypeAlias = NDArray[np.bool_]
FloatArray: TypeAlias = NDArray[np.float64]
Int8Array: TypeAlias = NDArray[np.int8]
Int32Array: TypeAlias = NDArray[np.int32]
Int64Array: TypeAlias = NDArray[np.int64]
IntArray: TypeAlias = NDArray[np.integer[Any]]
UInt8Array: TypeAlias = NDArray[np.uint8]
UInt32Array: TypeAlias = NDArray[np.uint32]
UInt64Array: TypeAlias = NDArray[np.uint64]
AnyArray: TypeAlias = NDArray[Any]
"""An array of whatever type: numbers that are only handed on."""

Number: TypeAlias = int | float
"""An objective or a bound: whole for most problems, a float for assignments of floats."""

Integer: TypeAlias = int | np.integer[Any]
"""A whole number, Python's or of NumPy's types, as compiled functions take it."""
