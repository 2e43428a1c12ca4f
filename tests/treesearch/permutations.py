"""A tree without bounds: all permutations of n items, every leaf of which must be reached once."""

from __future__ import annotations

from functools import cache

import numpy as np

from prunus.hardware.jit.compiled import inlined
from prunus.treesearch.interval.cpu.compiled_search import compile_search
from prunus.treesearch.interval.cpu.tree import Tree


@inlined
def descend(data, state, level, item, direction):
    """Mix the path into a number that ``branch`` takes its direction from."""
    state[level + 1, 0] = (state[level, 0] * 31 + item + 7 * direction) & 0xFFFF


@inlined
def branch(data, state, level, free, todo, bounds, ub, forced):
    """Keep every child; take a direction that only the path and the number of calls decide.

    Like a rule that depends on the incumbent, it may choose otherwise when asked again: the
    directions recorded in an interval are the only way to walk the same tree.
    """
    data[0] += 1
    for w in range(free.shape[1]):
        todo[level, w] = free[level, w]
    if forced >= 0:
        return forced
    return (state[level, 0] + data[0]) & 1


@cache
def _search():
    return compile_search("permutations", branch, descend)


def path_to_permutation(items, directions):
    """Place the items from the outside in."""
    return np.concatenate([items[directions == 0], items[directions == 1][::-1]])


def permutation_tree(n, visit):
    """Return the tree; ``visit`` is called with each leaf's permutation."""

    def evaluate(permutation):
        visit(tuple(permutation.tolist()))
        return 0

    return Tree(
        radix=tuple(range(n, 0, -1)),
        items=n,
        search=_search(),
        root=np.zeros(1, np.int64),
        data=lambda: np.zeros(1, np.int64),
        solution=path_to_permutation,
        evaluate=evaluate,
    )


class Indifferent:
    """An incumbent that no solution improves, so that nothing is ever pruned."""

    def __init__(self):
        self.shared_cutoff = np.array([1], np.int64)
        self.cutoff = 1

    def offer(self, objective, solution, source):
        """Take nothing."""
        return False
