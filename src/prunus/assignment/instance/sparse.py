"""Sparse instances: the allowed pairs are the candidate lists, complete once and for all."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment.exact.candidate_lists import CandidateLists
from prunus.model.arrays import AnyArray, Int32Array, Int64Array

Arcs = tuple[Int64Array, Int32Array, AnyArray]


def complete_lists(arcs: Arcs, benefits: AnyArray, lowest: Any) -> CandidateLists:
    """Lay lists over the arcs of an instance, with the benefits that compiled code is to see."""
    start, heads, _ = arcs
    return CandidateLists(
        np.array(heads, np.int32),
        np.ascontiguousarray(benefits),
        start[:-1].copy(),
        np.diff(start),
        np.full(len(start) - 1, lowest, benefits.dtype),
        0,
        0,
    )


def transpose_arcs(arcs: Arcs, columns: int) -> Arcs:
    """Sort the arcs by their heads."""
    start, heads, data = arcs
    tails = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
    order = np.argsort(heads, kind="stable")
    transposed = np.zeros(columns + 1, np.int64)
    np.cumsum(np.bincount(heads, minlength=columns), out=transposed[1:])
    return transposed, tails[order], data[order]
