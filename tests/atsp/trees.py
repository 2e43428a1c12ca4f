"""A walk through a whole tree of the branch and bound that holds it against all tours."""

from __future__ import annotations

import itertools

import numpy as np

from prunus.treesearch.bestfirst.space import NodeBatch

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


def children_of(search, bound, words, ub, *, hasty=False):
    """Branch a node; return its children, and the length of a better tour and the tour, or None."""
    search.clear()
    search.put(np.array([bound]), np.ones(1), words[None])
    search.explore(np.array([ub]), np.array([2 * hasty]), 1, False)
    found = search.found
    return NodeBatch(*search.all()), found if found[0] < BIG else None


def walk(problem, tree, ub, *, hasty=False):
    """Branch every node; return the best length found.

    Each better tour is in exactly one child, no bound is above the best tour of its node, and no
    child is its parent again.
    """
    tours = all_tours(problem)
    search, nodes = tree.search(), [(int(tree.root.bound[0]), tree.root.words[0])]
    count = 0
    while nodes:
        bound, words = nodes.pop()
        count += 1
        assert count < 3000
        left = arcs_of(tree, words)
        better = [(length, arcs) for length, arcs in tours if length < ub and arcs <= left]
        assert not better or bound <= min(better)[0]
        children, found = children_of(search, bound, words, ub, hasty=hasty)
        if found is not None:
            assert problem.evaluate(found[1:]) == found[0] < ub
            ub = int(found[0])
        parts = [arcs_of(tree, child) for child in children.words]
        for length, arcs in better:
            if length < ub:
                assert sum(arcs <= part for part in parts) == 1
        for c, part in enumerate(parts):
            assert bound <= children.bound[c] < ub
            assert part < left or len(parts) == 1
            nodes.append((int(children.bound[c]), children.words[c]))
    return ub
