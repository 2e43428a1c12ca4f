"""What a user can choose for a subset-sum instance, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prunus.errors import OptionError
from prunus.model.spec import AUTO, OptionValue
from prunus.subsetsum.problem import SubsetSum

__all__ = ["SubsetSumOptions", "settings"]


@dataclass(frozen=True, slots=True)
class SubsetSumOptions:
    """What can be chosen.

    Attributes
    ----------
    method
        One of the problem's methods, or ``"auto"``.
    memory
        Bytes that the lists or bit sets may take, in each process; None for what is usual.
    divisor_test
        Begin with the test that the greatest common divisor divides the target.
    """

    method: str
    memory: int | None
    divisor_test: bool


def settings(
    problem: SubsetSum, options: Mapping[str, OptionValue], *, method: str | None
) -> SubsetSumOptions:
    """Return what was chosen; raise ``OptionError`` if it does not go together."""
    method = method or AUTO
    if method == "lattice" and problem.objective != "sum":
        raise OptionError("method", "only looks for a subset with the sum; leave it out", "lattice")
    if method == "four-list" and problem.objective == "closest":
        raise OptionError(
            "method", "cannot find the closest sum; use two-list or bitset", "four-list"
        )
    memory = options["memory"]
    return SubsetSumOptions(
        method=method,
        memory=None if memory is None else int(memory),
        divisor_test=bool(options["divisor_test"]),
    )
