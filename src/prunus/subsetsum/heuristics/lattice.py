"""Lattice reduction: finds a subset of few, large weights fast, and can never prove that none is.

The basis of Coster, Joux, LaMacchia, Odlyzko, Schnorr and Stern (Computational Complexity
2:111-128, 1992), in which a subset is a vector of ones and minus ones; below a density
n / log2(largest weight) of about 0.94 it is likely to be the shortest. Needs the extra [lattice].
"""

from __future__ import annotations

import importlib
import importlib.util
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from prunus.errors import missing_extra

_BLOCKS = (2, 10, 16, 20, 24, 28, 32)
"""Block sizes of the BKZ reductions, one after another; 2 is LLL."""


def available() -> bool:
    """Tell whether the optional package is installed."""
    # Its wheels do not ask for cysignals, without which it cannot be imported.
    return all(importlib.util.find_spec(name) for name in ("fpylll", "cysignals"))


def density(weights: Sequence[int]) -> float:
    """Return the number of items by the bits of the largest weight."""
    return len(weights) / max(1.0, math.log2(max(weights, default=1)))


def reduced_subset(
    weights: Sequence[int],
    target: int,
    keep_going: Callable[[int], bool],
    *,
    largest_block: int = _BLOCKS[-1],
) -> tuple[int, ...] | None:
    """Look for a subset with the target as its sum; None says nothing.

    Raises ``MissingExtraError`` if fpylll is not installed.

    ``keep_going`` is called with the number of reductions done, between two of them and after each
    block of one, which takes some milliseconds; it ends all by returning False. Blocks have at most
    the size ``largest_block``.
    """
    try:
        package: Any = importlib.import_module("fpylll")
        blockwise: Any = importlib.import_module("fpylll.algorithms.bkz")
    except ImportError:
        raise missing_extra("lattice reduction", "lattice") from None
    n = len(weights)
    scale = 1 << (max(weights, default=1).bit_length() // 8 + n)
    rows = [[2 * (i == j) for j in range(n)] + [scale * weights[i]] for i in range(n)]
    rows.append([1] * n + [scale * target])
    basis = package.IntegerMatrix.from_matrix(rows)
    for done, block in enumerate(_BLOCKS):
        if block > min(largest_block, n + 1) or not keep_going(done):
            return None
        if block == _BLOCKS[0]:
            package.LLL.reduction(basis)
            reduction = blockwise.BKZReduction(basis)
        elif not _reduce(package.BKZ, reduction, block, partial(keep_going, done)):
            return None
        for row in range(basis.nrows):
            found = _read([basis[row, column] for column in range(n + 1)], weights, target)
            if found is not None:
                return found
    return None


def _reduce(bkz: Any, reduction: Any, size: int, keep_going: Callable[[], bool]) -> bool:
    """Do what ``BKZ.reduction`` does, which nothing can interrupt; return False if told to end."""
    rows = reduction.A.nrows
    # No pruning strategies: their file is not in every build of the package.
    limits = bkz.Param(block_size=size)
    ends = bkz.AutoAbort(reduction.M, rows)
    clean = False
    while not clean and not ends.test_abort():
        clean = True
        for first in range(rows - 1):
            clean &= bool(reduction.svp_reduction(first, min(size, rows - first), limits))
            if not keep_going():
                return False
    return True


def _read(row: list[int], weights: Sequence[int], target: int) -> tuple[int, ...] | None:
    """Return the subset that a vector of the lattice stands for, if it stands for one."""
    if row[-1] != 0 or any(abs(entry) != 1 for entry in row[:-1]):
        return None
    for sign in (1, -1):
        chosen = tuple(item for item, entry in enumerate(row[:-1]) if entry == sign)
        if sum(weights[item] for item in chosen) == target:
            return chosen
    return None
