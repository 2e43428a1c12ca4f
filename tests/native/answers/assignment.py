"""Columns and prices of assignments: whole rows in every type, lists, sparse problems."""

import numpy as np

from prunus._native.assignment import match_in_order, plain_pairs, solve_dense
from prunus.assignment.exact.solver import ExactSolver
from prunus.assignment.exact.sparse import SparseSolver
from prunus.assignment.instance.prepared import prepare
from prunus.assignment.problem import Assignment
from prunus.hardware.threads import Threads


def answers():
    """Return what is found of matrices that tie and do not, of many shapes and types."""
    rng = np.random.default_rng(4)
    found = []
    for n, m in ((5, 5), (30, 30), (64, 64), (100, 100), (40, 77), (90, 30), (450, 450)):
        points = rng.random((n + m, 2))
        floats = np.sqrt(((points[:n, None] - points[n:]) ** 2).sum(2))
        products = np.outer(rng.random(n), rng.random(m))
        for matrix in (
            floats,
            products,
            products.astype(np.float32),
            np.where(rng.random((n, m)) < 0.2, np.inf, floats),
            rng.integers(0, 60, (n, m)),
            rng.integers(0, 10**6, (n, m), np.int32),
            rng.integers(-(10**14), 10**14, (n, m)),
            (products * 1e6).astype(np.int64),
            rng.random((n, m)) < 0.1,
        ):
            for maximise in (False, True):
                if maximise and np.isinf(matrix).any():
                    continue
                _, *parts = solve_dense(matrix, maximise)
                found.append([part.tolist() for part in parts])
                found.append([part.tolist() for part in plain_pairs(matrix, maximise, 10**6)])
    ties = rng.integers(0, 5, (40, 50))
    found.append(match_in_order(ties, False)[1].tolist())
    large = rng.integers(-(2**63), 2**63 - 1, (30, 40))
    found.append([list(map(str, part)) for part in solve_dense(large, True, wide=True)[1:]])
    for matrix in (floats, ties, large, np.where(floats < 0.7, floats, np.inf)):
        prepared = prepare(Assignment(matrix), Threads(1))
        if prepared.huge:
            continue
        exact = ExactSolver(prepared, Threads(1))
        for _ in exact.steps(lambda: 2**40):
            pass
        found.append([exact.column.tolist(), exact.prices.tolist(), exact.figures()])
    tails, heads = np.nonzero(rng.random((300, 300)) < 0.2)
    for values in (rng.random(len(tails)), rng.integers(0, 9, len(tails))):
        problem = Assignment.from_arcs(300, 300, tails, heads, values)
        sparse = SparseSolver(prepare(problem, Threads(1)))
        for _ in sparse.steps(lambda: 2**28):
            pass
        found.append([sparse.column.tolist(), sparse.prices.tolist(), sparse.figures()])
    return found
