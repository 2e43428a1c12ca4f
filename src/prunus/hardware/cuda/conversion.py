"""Values of others on a GPU as arrays that kernels take: of other types, or with a limit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from prunus.hardware.cuda.borrowed import Borrowed
from prunus.hardware.cuda.structs import Field, Structure
from prunus.model.arrays import Number

CONVERSION = Structure(
    "Conversion",
    Field("from", "const value_t*", "(i, j) of matrix b at b * whole + i * down + j * across"),
    Field("whole", "i64"),
    Field("down", "i64"),
    Field("across", "i64"),
    Field("matrices", "u64"),
    Field("rows", "u64"),
    Field("columns", "u64"),
    Field("into", "wide_t*", "side by side"),
    Field("limit", "price_t"),
)

STRUCTURES = (CONVERSION,)

_THREADS = 256
_TURNS = 8
"""Blocks for each that runs at a time."""

NAMES = {"f4": "float", "f8": "double", "i4": "int", "i8": "i64"}
"""What kernels call the types that all of them take."""

_HELD = {
    "half_t": "f4", "bfloat_t": "f4", "u8": "i4", "u16": "i4", "signed char": "i4", "short": "i4",
    "u32": "i8", "u64": "i8", **{name: kind for kind, name in NAMES.items()},
}  # fmt: skip
"""The smallest of these that holds all values of a type, but for integers of 2^63 and more."""


def held_by(kind: str) -> np.dtype[Any]:
    """Return the type as which values are taken of which kernels call the type ``kind``."""
    return np.dtype(_HELD[kind])


def converted(
    held: Borrowed, kind: DTypeLike, limit: Number | None = None, *, at_least: bool = False
) -> Any:
    """Return a copy of a matrix, or of a stack of them, as a type that holds its values.

    Unsigned integers of 2^63 and more become 2^63 - 1. With a ``limit``, which is a number of that
    type, values above it become the limit, or those below it if it is what they are ``at_least``.
    It is there when this returns.
    """
    kind, device = np.dtype(kind), held.device
    matrices, rows, columns = (1, *held.shape)[-3:]
    whole, down, across = (0, *held.strides)[-3:]
    price = "i64" if kind.kind == "i" else "double"
    bound = 0 if limit is None else -1 if at_least else 1
    constants: dict[str, int | str] = {
        "VALUE": held.kind, "WIDE": NAMES[kind.str[1:]], "PRICE": price, "BOUND": bound,
        "THREADS": _THREADS,
    }  # fmt: skip
    module = device.compile("hardware/cuda/convert.cu", constants)
    kernel, resident = device.prepare(module, "convert", _THREADS, 0)
    array = device.empty(matrices * rows * columns, kind)
    number = np.array(limit or 0, np.int64 if price == "i64" else np.float64)
    words = np.array(
        [
            *(held.address, whole, down, across, matrices, rows, columns),
            *(device.address(array), number.view(np.int64)),
        ],
        np.int64,
    )
    blocks = min(matrices * rows, max(1, resident) * device.multiprocessors * _TURNS)
    device.launch_with(kernel, blocks, _THREADS, words, 0)
    device.finish()
    return array[: matrices * rows * columns].reshape(*held.shape)
