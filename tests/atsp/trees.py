"""A walk through a whole tree of the branch and bound that holds it against all tours."""

from __future__ import annotations

import itertools

import numpy as np

BIG = 2**62


def all_tours(problem):
    """Return every tour's length and its arcs."""
    n = problem.cities
    tours = []
    for rest in itertools.permutations(range(1, n)):
        order = (0, *rest)
        arcs = [(order[k], order[(k + 1) % n]) for k in range(n)]
        tours.append((problem.evaluate(order), frozenset(arcs)))
    return tours


def arcs_of(tree, words):
    """Return the arcs that a node has left."""
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    tails, heads = tree.saved["tail"], tree.saved["head"]
    return {(int(tails[a]), int(heads[a])) for a in range(len(tails)) if bits[a]}


def walk(problem, tree, branch, ub, rows, *, hasty=False):
    """Branch every node with so many rows for children; return the best length found.

    Each better tour is in exactly one child, no bound is above the best tour of its node, and no
    child is its parent again.
    """
    tours = all_tours(problem)
    data, nodes = tree.data(), [(int(tree.root.bound[0]), tree.root.words[0])]
    children = np.zeros((rows, tree.words), np.int64)
    bounds, found = np.zeros(rows, np.int64), np.zeros(problem.cities + 1, np.int64)
    flag = np.array([int(hasty)])
    count = 0
    while nodes:
        bound, words = nodes.pop()
        count += 1
        assert count < 3000
        left = arcs_of(tree, words)
        better = [(length, arcs) for length, arcs in tours if length < ub and arcs <= left]
        assert not better or bound <= min(better)[0]
        found[0] = BIG
        size = branch(data, words, bound, ub, flag, children, bounds, found)
        if found[0] < BIG:
            assert problem.evaluate(found[1:]) == found[0] < ub
            ub = int(found[0])
        parts = [arcs_of(tree, children[c]) for c in range(size)]
        for length, arcs in better:
            if length < ub:
                assert sum(arcs <= part for part in parts) == 1
        for c in range(size):
            assert bounds[c] >= bound
            assert parts[c] < left or size == 1
            nodes.append((int(bounds[c]), children[c].copy()))
    return ub
