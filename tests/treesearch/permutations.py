"""A tree without bounds: all permutations of n items, every leaf of which must be reached once."""

from __future__ import annotations

import numpy as np

from prunus._native.treesearch import permutations
from prunus.treesearch.interval.cpu.tree import Tree


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
        search=lambda: permutations(n),
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
