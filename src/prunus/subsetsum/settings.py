"""What a user can choose for a subset-sum instance, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from prunus.errors import InputError
from prunus.model.scalar import truth
from prunus.runtime.options import refuse_unknown
from prunus.subsetsum.problem import SubsetSum

__all__ = ["METHODS", "SubsetSumOptions", "settings"]

METHODS = ("auto", "four-list", "two-list", "two-list-unsplit", "bitset", "lattice")


@dataclass(frozen=True, slots=True)
class SubsetSumOptions:
    """What can be chosen.

    Attributes
    ----------
    method
        One of ``METHODS``.
    memory
        Bytes that the lists or bit sets may take, in each process; None for what is usual.
    divisor_test
        Begin with the test that the greatest common divisor divides the target.
    """

    method: str
    memory: int | None
    divisor_test: bool


def settings(
    problem: SubsetSum, options: Mapping[str, Any], *, method: str | None, upper_bound: int | None
) -> SubsetSumOptions:
    """Check options given by keyword; raise ``InputError`` for the first that is wrong."""
    refuse_unknown(options, ("memory", "divisor_test"), "a subset sum")
    if upper_bound is not None:
        raise InputError("upper_bound: subset sum has none; its target says what is sought")
    method = method or METHODS[0]
    if method == "lattice" and problem.objective != "sum":
        raise InputError("method='lattice' only looks for a subset with the sum; leave it out")
    if method == "four-list" and problem.objective == "closest":
        raise InputError("method='four-list' cannot find the closest sum; use two-list or bitset")
    memory = options.get("memory")
    if memory is not None and (
        isinstance(memory, bool) or not isinstance(memory, (int, np.integer)) or memory < 2**20
    ):
        raise InputError(f"memory={memory!r} is not a number of bytes of at least 2**20")
    return SubsetSumOptions(
        method=method,
        memory=None if memory is None else int(memory),
        divisor_test=truth("divisor_test", options.get("divisor_test", True)),
    )
