"""The entries of a matrix on a GPU that are within a limit, as a sparse matrix on the host."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from prunus.hardware.cuda.conversion import NAMES
from prunus.hardware.cuda.structs import Field, Structure
from prunus.hardware.device import Device
from prunus.model.arrays import AnyArray, Int32Array, Int64Array, Number

WITHIN = Structure(
    "Within",
    Field("matrix", "const value_t*", "row i begins at i * stride"),
    Field("stride", "u64"),
    Field("rows", "u64"),
    Field("columns", "u64"),
    Field("limit", "price_t"),
    Field("count", "u32*", "of each row: its entries within the limit"),
    Field("start", "const u64*", "of each row: where these begin among all"),
    Field("heads", "int*", "their columns"),
    Field("values", "value_t*"),
)

STRUCTURES = (WITHIN,)

Rows: TypeAlias = tuple[Int64Array, Int32Array, AnyArray]
"""A sparse matrix in row format: ``indptr``, ``indices``, ``data``."""

_THREADS = 256


def entries_within(
    device: Device, array: Any, limit: Number, *, at_least: bool, most: float
) -> Rows | None:
    """Return the entries that are at most a limit, or ``at_least`` it; None if more than ``most``.

    The matrix has one of the four types, and the entries of a row lie side by side.
    """
    rows, columns = array.shape
    kind = np.dtype(array.dtype)
    price = np.dtype(np.int64 if kind.kind == "i" else np.float64)
    constants: dict[str, int | str] = {
        "VALUE": NAMES[kind.str[1:]], "PRICE": NAMES[price.str[1:]], "AT_LEAST": int(at_least),
        "THREADS": _THREADS,
    }  # fmt: skip
    module = device.compile("hardware/cuda/within_limit.cu", constants)
    blocks = -(-rows * device.warp // _THREADS)

    def run(name: str, heads: int, values: int) -> None:
        kernel, resident = device.prepare(module, name, _THREADS, 0)
        words = np.array(
            [
                *(device.address(array), array.strides[0] // kind.itemsize, rows, columns),
                np.array(limit, price).view(np.int64),
                *(device.address(counts), device.address(starts), heads, values),
            ],
            np.int64,
        )
        whole = max(1, resident) * device.multiprocessors
        device.launch_with(kernel, min(blocks, whole), _THREADS, words, 0)

    counts, starts = device.empty(rows, np.uint32), device.empty(rows, np.int64)
    run("count_within", 0, 0)
    start = np.zeros(rows + 1, np.int64)
    np.cumsum(device.read(counts), out=start[1:])
    total = int(start[-1])
    if total > most:
        return None
    device.write(starts, start[:-1])
    heads, values = device.empty(total, np.int32), device.empty(total, kind)
    run("list_within", device.address(heads), device.address(values))
    return start, device.read(heads)[:total], device.read(values)[:total]
