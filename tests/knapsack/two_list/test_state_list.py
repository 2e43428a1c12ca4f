"""A list of states is what plain Python makes of all subsets: its Pareto front."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from prunus.knapsack.bounds.relaxation import relax
from prunus.knapsack.expanding_core.core import ExpandingCore
from prunus.knapsack.expanding_core.state import StateHistory
from prunus.knapsack.expanding_core.states import (
    COUNT_ZERO,
    DECISION_BITS,
    Shift,
    Threshold,
    empty_states,
)
from prunus.knapsack.tuning import TwoListTuning
from prunus.knapsack.two_list.pieces import Workspace
from prunus.knapsack.two_list.state_list import StateList
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
            if j >= core.items.middle:
                share = min(1.0, w / core.items.w[j])
                value, w = value + share * core.q[j], w - share * core.items.w[j]
        return value
    for j in reversed(others):
        if j < core.items.middle:
            share = min(1.0, -w / core.items.w[j])
            value, w = value - share * core.q[j], w + share * core.items.w[j]
    return value if w >= -1e-9 else -np.inf


def started(w, p, capacity):
    """Return a core that has no item yet, as another search gets it."""
    relaxed = relax(w, p, np.ones_like(w), capacity)
    return ExpandingCore(relaxed, -1000, lambda: 1 << 30).state()


@pytest.mark.parametrize("few", [0.0, 0.4, 9.0])
@pytest.mark.parametrize("threads", [1, 2])
def test_pareto_front_of_all_subsets(few, threads):
    """With nothing to aim at, a list holds the Pareto front, and each state's word its items."""
    tuning = TwoListTuning(
        shared_states=4, piece_states=5, few_share=few, sampled_states=2, scan_states=16
    )
    rng = np.random.default_rng(3)
    workers = PieceWorkers(threads, lambda: False)
    for _ in range(20):
        n = 9
        w, p = rng.integers(1, 60, n), rng.integers(1, 60, n)
        core = started(w, p, int(w.sum()) // 2)
        items, room = core.items, core.goal.room
        first = empty_states(8)
        first.weight[0], first.profit[0], first.word[0] = 0, 0, COUNT_ZERO << DECISION_BITS
        found = StateList(workers, Workspace(threads), first, 1, StateHistory([], 0, []), tuning)
        threshold, outside = Threshold(room, 0.0, -1e18), TangentBound(n)
        owner = np.zeros(n, dtype=np.uint8)
        signs = np.where(np.arange(n) < items.middle, -1, 1)
        shifts = [(int(signs[j] * items.w[j]), int(signs[j] * items.p[j])) for j in range(n)]
        for j in rng.permutation(n).tolist():
            owner[j] = 1
            outside.take_all_but(core, owner, 1)
            word = np.uint64(found.bit(outside, threshold))
            found.add(outside, threshold, j, Shift(*shifts[j], word))  # type: ignore[call-arg]
        found.settle(outside, threshold)
        every = [
            (sum(s[0] for s in part), sum(s[1] for s in part))
            for size in range(n + 1)
            for part in combinations(shifts, size)
        ]
        # What can neither be filled up nor emptied any more is left out.
        expected = [pair for pair in front(every) if pair[0] <= room]
        weights, profits, words = (column[: found.count].tolist() for column in found.states)
        assert list(zip(weights, profits, strict=True)) == expected
        for weight, profit, word in zip(weights, profits, words, strict=True):
            deviating = found.history.deviations(items, weight, word, n)
            assert sum(shifts[j][1] for j in deviating) == profit


def test_tangents_bound_the_relaxation():
    """A look-up is never below the relaxation by plain Python, and meets it in a fine table."""
    rng = np.random.default_rng(4)
    for _ in range(60):
        n = int(rng.integers(2, 12))
        w, p = rng.integers(1, 50, n), rng.integers(1, 50, n)
        capacity = int(rng.integers(1, w.sum() + 1))
        core = started(w, p, capacity)
        owner = (rng.random(n) < 0.4).astype(np.uint8)
        others = [j for j in range(n) if not owner[j]]
        rest = TangentBound(n)
        rest.take_all_but(core, owner, 1)
        for low, high, fine in ((-300, 300, True), (-(10**6), 10**6, False)):
            slope, constant, base, shift = rest.table(int(core.goal.room), low, high)
            for weight in rng.integers(-300, 300, 40):
                b = (weight - base) >> shift
                bound = 7 + (core.goal.room - weight) * slope[b] + constant[b]
                exact = relaxation_of(core, others, (weight, 7), core.goal.room)
                assert bound >= exact - 1e-6
                if fine:
                    assert bound == pytest.approx(exact)
