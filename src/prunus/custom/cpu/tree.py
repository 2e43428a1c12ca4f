"""The tree of a user's problem on cores."""

from __future__ import annotations

from prunus.custom.costs import CostProblem
from prunus.treesearch.interval.cpu.tree import Tree, items_in_order


def core_tree(costs: CostProblem) -> Tree:
    """Prepare a problem for explorers on cores.

    Raises ``InputError`` if a function cannot be compiled.
    """
    return Tree(
        radix=costs.problem.radix,
        search=costs.native.search,
        solution=items_in_order,
        evaluate=costs.evaluate,
    )
