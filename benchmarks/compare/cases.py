"""The instances of the comparison: generated, and small enough for every peer to try."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import prunus
from prunus.model.problem import Problem


@dataclass(frozen=True)
class Case:
    """An instance."""

    kind: str
    """Which problem."""
    name: str
    """How it is shown and asked for."""
    make: Callable[[], Problem]
    """Generates it."""


def _matrix(n: int, high: int) -> Callable[[], Problem]:
    return lambda: prunus.Assignment(np.random.default_rng(1).integers(0, high, (n, n)))


def _machol_wien(n: int) -> Callable[[], Problem]:
    return lambda: prunus.Assignment(np.outer(np.arange(n), np.arange(n)))


def _distances(cities: int, high: int) -> Callable[[], Problem]:
    return lambda: prunus.ATSP(np.random.default_rng(2).integers(1, high, (cities, cities)))


def _named(name: str) -> Callable[[], Problem]:
    return lambda: prunus.read(name)


CASES = (
    *(Case("flow shop", name, _named(name)) for name in ("ta001", "ta011", "ta021", "ta031")),
    Case("assignment", "uniform 0..99, 1000", _matrix(1000, 100)),
    Case("assignment", "uniform 0..10^6, 1000", _matrix(1000, 10**6)),
    Case("assignment", "uniform 0..10^6, 3000", _matrix(3000, 10**6)),
    Case("assignment", "Machol-Wien, 1000", _machol_wien(1000)),
    *(
        Case("knapsack", f"{kind}, {items} items", _named(f"knapsack:{kind}:{items}:1000000:1"))
        for kind in ("uncorrelated", "strongly", "circle")
        for items in (1_000, 10_000)
    ),
    Case("subset sum", "36 items of 36 bits", _named("subsetsum:36:36:1")),
    Case("subset sum", "44 items of 44 bits", _named("subsetsum:44:44:1")),
    *(Case("ATSP", name, _named(name)) for name in ("crane:30:1", "tsmat:40:2")),
    Case("ATSP", "uniform, 200 cities", _distances(200, 10_000)),
)
