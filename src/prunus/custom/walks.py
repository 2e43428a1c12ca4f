"""Random walks down the tree of a user's problem, in plain Python."""

from __future__ import annotations

from typing import Any

from prunus.custom.plain import INFEASIBLE, Node, PlainTree
from prunus.errors import InputError

__all__ = ["random_walk", "words"]


def random_walk(tree: PlainTree, random: Any) -> list[tuple[Node, int]]:
    """Walk from the root to a leaf, or until nothing is feasible; return the nodes and costs.

    Raises
    ------
    InputError
        If a function is wrong, or if the leaf's bound is not what ``evaluate`` says.
    """
    node = tree.root()
    found = [(node, tree.cost(node))]
    while node.depth < len(tree.problem.radix) and found[-1][1] < INFEASIBLE:
        node = tree.child(node, int(random.choice(node.free)))
        found.append((node, tree.cost(node)))
    if node.depth == len(tree.problem.radix) and found[-1][1] < INFEASIBLE:
        compare(tree, node, found[-1][1])
    return found


def compare(tree: PlainTree, leaf: Node, cost: int) -> None:
    """Raise ``InputError`` unless the cost of a leaf is what ``evaluate`` says."""
    plain = tree.objective(leaf)
    if plain != cost:
        kind = type(tree.problem).__name__
        raise InputError(
            f"{list(leaf.prefix)}: descend and bound of {kind} say {words(tree, cost)}, "
            f"evaluate says {words(tree, plain)}; one of them is wrong"
        )


def words(tree: PlainTree, cost: int) -> str:
    """Say what a cost means to the user."""
    if cost >= INFEASIBLE:
        return "that it is not feasible"
    if tree.problem.counts_solutions:
        return "that it is a solution"
    return str(-cost if tree.problem.maximise else cost)
