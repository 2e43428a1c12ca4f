"""Whether a user's functions agree with one another: on one solution, on a random walk."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

from prunus.custom.plain_tree import INFEASIBLE, Node, PlainTree, cost_of, cost_sign
from prunus.errors import InputError


def check_solution(tree: PlainTree, solution: Iterable[int], cost: int | None = None) -> None:
    """Raise ``InputError`` unless ``feasible`` and ``bound`` agree with ``evaluate``.

    The solution has an item or a value a level; ``cost`` is what ``evaluate`` says, if it is known.
    """
    order = [int(item) for item in solution]
    if cost is None:
        cost = cost_of(tree.problem, np.array(order, np.int64))
    node = tree.root()
    path = [(node, tree.cost(node))]
    for item in order:
        if path[-1][1] >= INFEASIBLE:
            break
        node = tree.child(node, item)
        path.append((node, tree.cost(node)))
    if path[-1][1] >= INFEASIBLE:
        if cost < INFEASIBLE:
            raise InputError(_describe_refusal(tree, node, order, cost))
        return
    kind = type(tree.problem).__name__
    for prefix, bound in path[:-1]:
        if bound > cost:
            side = "below" if tree.problem.maximise else "above"
            raise InputError(
                f"{kind}.bound says {_describe_cost(tree, bound)} for {_prefix(prefix)}, {side} "
                f"what is possible: {order} is a solution, {_of_objective(tree, cost)}"
            )
    _check_leaf(tree, node, path[-1][1])


def _describe_refusal(tree: PlainTree, refused: Node, solution: list[int], cost: int) -> str:
    """Say that ``feasible`` refuses what ``evaluate`` takes for a solution."""
    kind = type(tree.problem).__name__
    remedy = "False" if tree.problem.counts_solutions else "None"
    return (
        f"{kind}.feasible refuses {_prefix(refused)}, but {solution} is a solution, "
        f"{_of_objective(tree, cost)}; evaluate must return {remedy} for what is not feasible"
    )


def _prefix(node: Node) -> str:
    return f"the prefix {list(node.prefix)}" if node.prefix else "the root"


def _of_objective(tree: PlainTree, cost: int) -> str:
    if tree.problem.counts_solutions:
        return "evaluate says"
    return f"of objective {_describe_cost(tree, cost)}"


def random_walk(tree: PlainTree, random: Any) -> list[tuple[Node, int]]:
    """Walk from the root to a leaf, or until nothing is feasible; return the nodes and costs.

    Raises ``InputError`` if a function is wrong, or if the leaf's bound is not what ``evaluate``
    says.
    """
    node = tree.root()
    found = [(node, tree.cost(node))]
    while node.depth < len(tree.problem.radix) and found[-1][1] < INFEASIBLE:
        node = tree.child(node, int(random.choice(node.free)))
        found.append((node, tree.cost(node)))
        if found[-1][1] < INFEASIBLE:
            tree.guide(node)
    if found[-1][1] < INFEASIBLE:
        _check_leaf(tree, node, found[-1][1])
        return found
    missing = len(tree.problem.radix) - node.depth
    rest = [0] * missing if tree.problem.repeating else list(node.free)
    order = [*node.prefix, *rest]
    cost = cost_of(tree.problem, np.array(order, np.int64))
    if cost < INFEASIBLE:
        raise InputError(_describe_refusal(tree, node, order, cost))
    return found


def explain_raised(tree: PlainTree, path: list[int]) -> NoReturn:
    """Raise the ``InputError`` for compiled functions that raised at or below a node."""
    node = tree.root()
    for item in path:
        node = tree.child(node, item)
        if tree.cost(node) < INFEASIBLE:
            tree.guide(node)
    for item in node.free:
        child = tree.child(node, item)
        if tree.cost(child) < INFEASIBLE:
            tree.guide(child)
    kind = type(tree.problem).__name__
    raise InputError(
        f"a function of {kind}, compiled, raises an exception at {_prefix(node)}, where plain "
        "Python does not; is there a float, or a number of more than 62 bits?"
    )


def _check_leaf(tree: PlainTree, leaf: Node, cost: int) -> None:
    """Raise ``InputError`` unless the cost of a leaf is what ``evaluate`` says."""
    plain = tree.objective(leaf)
    if plain != cost:
        kind = type(tree.problem).__name__
        raise InputError(
            f"{list(leaf.prefix)}: descend and bound of {kind} say {_describe_cost(tree, cost)}, "
            f"evaluate says {_describe_cost(tree, plain)}; one of them is wrong"
        )


def _describe_cost(tree: PlainTree, cost: int) -> str:
    """Say what a cost means to the user."""
    if cost >= INFEASIBLE:
        return "that it is not feasible"
    if tree.problem.counts_solutions:
        return "that it is a solution"
    return str(cost_sign(tree.problem) * cost)
