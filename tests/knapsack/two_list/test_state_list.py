"""A list of states is what plain Python makes of all subsets: its Pareto front."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from prunus.knapsack.bounds.relaxation import relax
from prunus.knapsack.expanding_core.core import ExpandingCore
from prunus.knapsack.expanding_core.merge import BITS, COUNT_ZERO
from prunus.knapsack.expanding_core.state import deviations
from prunus.knapsack.two_list import pending, state_list
from prunus.knapsack.two_list.pieces import Workspace, empty_states
from prunus.knapsack.two_list.state_list import Aim, StateList
from prunus.knapsack.two_list.tangents import TangentBound
from prunus.knapsack.two_list.workers import PieceWorkers


def front(pairs):
    """Return the pairs of weight and profit that no other one dominates."""
    best, kept = None, []
    for w, p in sorted(pairs, key=lambda pair: (pair[0], -pair[1])):
        if best is None or p > best:
            kept.append((w, p))
            best = p
    return kept


def relaxation_of(core, others, state, room):
    """The bound of a state in plain Python: the items given, in order of efficiency."""
    w, value = room - state[0], float(state[1])
    if w >= 0:
        for j in others:
            if j >= core.middle:
                share = min(1.0, w / core.w[j])
                value, w = value + share * core.q[j], w - share * core.w[j]
        return value
    for j in reversed(others):
        if j < core.middle:
            share = min(1.0, -w / core.w[j])
            value, w = value - share * core.q[j], w + share * core.w[j]
    return value if w >= -1e-9 else -np.inf


@pytest.mark.parametrize("few", [0.0, 0.4, 9.0])
@pytest.mark.parametrize("threads", [1, 2])
def test_pareto_front_of_all_subsets(monkeypatch, few, threads):
    """With nothing to aim at, a list holds the Pareto front, and each state's word its items."""
    for name, value in (("_CROWD", 4), ("_PIECE", 5)):
        monkeypatch.setattr(state_list, name, value)
    for name, value in (("_FEW", few), ("_MANY", 2), ("_SCAN", 16)):
        monkeypatch.setattr(pending, name, value)
    rng = np.random.default_rng(3)
    crew = PieceWorkers(threads, lambda: False)
    for _ in range(20):
        n = 9
        w, p = rng.integers(1, 60, n), rng.integers(1, 60, n)
        core = ExpandingCore(
            relax(w, p, np.ones_like(w), int(w.sum()) // 2), -1000, lambda: 1 << 30
        ).state_of_search()
        first = empty_states(8)
        first[0][0], first[1][0], first[2][0] = 0, 0, COUNT_ZERO << BITS
        found = StateList(crew, Workspace(threads), first, 1, [], 0, [])
        aim, rest = Aim(np.int64(core.room), 0.0, -1e18), TangentBound(n)
        owner = np.zeros(n, dtype=np.uint8)
        signs = np.where(np.arange(n) < core.middle, -1, 1)
        for j in rng.permutation(n):
            owner[j] = 1
            rest.of(core, owner, 1)
            word = np.uint64(int(found.bit(rest, aim)))
            found.add(rest, aim, int(j), int(signs[j] * core.w[j]), int(signs[j] * core.p[j]), word)
        found.settle(rest, aim)
        shifts = [(int(signs[j] * core.w[j]), int(signs[j] * core.p[j])) for j in range(n)]
        every = [
            (sum(s[0] for s in part), sum(s[1] for s in part))
            for size in range(n + 1)
            for part in combinations(shifts, size)
        ]
        # What can neither be filled up nor emptied any more is left out.
        expected = [pair for pair in front(every) if pair[0] <= core.room]
        got = list(zip(found.W[: found.count], found.P[: found.count], strict=True))
        assert [(int(a), int(b)) for a, b in got] == expected
        for x in range(found.count):
            items = deviations(
                found.order, lambda j, s=shifts: s[j][0], [], 0, n, int(found.W[x]), int(found.B[x])
            )
            assert sum(shifts[j][1] for j in items) == found.P[x]


def test_tangents_bound_the_relaxation():
    """A look-up is never below the relaxation by plain Python, and meets it in a fine table."""
    rng = np.random.default_rng(4)
    for _ in range(60):
        n = int(rng.integers(2, 12))
        w, p = rng.integers(1, 50, n), rng.integers(1, 50, n)
        capacity = int(rng.integers(1, w.sum() + 1))
        core = ExpandingCore(
            relax(w, p, np.ones_like(w), capacity), -1000, lambda: 1 << 30
        ).state_of_search()
        owner = (rng.random(n) < 0.4).astype(np.uint8)
        others = [j for j in range(n) if not owner[j]]
        rest = TangentBound(n)
        rest.of(core, owner, 1)
        for low, high, fine in ((-300, 300, True), (-(10**6), 10**6, False)):
            slope, constant, base, shift = rest.table(int(core.room), low, high)
            for weight in rng.integers(-300, 300, 40):
                b = (weight - base) >> shift
                bound = 7 + (core.room - weight) * slope[b] + constant[b]
                exact = relaxation_of(core, others, (weight, 7), core.room)
                assert bound >= exact - 1e-6
                if fine:
                    assert bound == pytest.approx(exact)
