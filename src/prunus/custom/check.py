"""Look for a counterexample to the functions of a user: a bound that is too high, a wrong state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from prunus.custom.agreement import check_solution, random_walk
from prunus.custom.costs import CostProblem
from prunus.custom.plain_tree import INFEASIBLE, Node, PlainTree
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError
from prunus.model.scalar import brief, integer
from prunus.runtime.limits import check_limits

MOST_LEAVES = 130
"""All leaves below a node are looked at if there are so few: those of five free items."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What `prunus.check` examined and found correct.

    Attributes
    ----------
    walks, nodes, leaves
        Random walks from the root, the nodes on them, and the complete solutions that were
        compared with bounds.
    feasible
        Leaves that are solutions.
    """

    walks: int
    nodes: int
    leaves: int
    feasible: int


def check(problem: CustomProblem, *, walks: int = 100, seed: int = 0) -> Checked:
    """Look for mistakes in the functions of your own problem, on random solutions.

    It walks down the tree at random, in plain Python. On each walk, bounds must not exceed (when
    maximising, fall below) the objective of any solution seen below them, the bound of a complete
    solution must equal what ``evaluate`` returns, nothing infeasible may become a solution, and
    the compiled functions must agree with Python. Use a small instance of about eight items: on
    it the walks see most solutions.

    Parameters
    ----------
    problem
        An instance of a class of yours.
    walks
        The number of walks.
    seed
        The seed of the walks.

    Returns
    -------
    Checked
        What was examined.

    Raises
    ------
    InputError
        With a counterexample, if one was found, or if a function is wrong in another way, for
        example cannot be compiled.
    """
    check_limits(None, None, None, seed, None)
    try:
        count = integer(walks)
    except ValueError as error:
        raise InputError(f"walks: {brief(walks)} {error}") from None
    if not isinstance(problem, CustomProblem):
        raise InputError(f"check takes a problem of your own, not {type(problem).__name__}")
    tree, random = PlainTree(problem), np.random.default_rng(seed)
    nodes = leaves = feasible = 0
    paths = []
    for _ in range(max(1, count)):
        path = random_walk(tree, random)
        nodes += len(path)
        paths.append(path)
        for leaf, cost in _leaves(tree, path):
            leaves += 1
            feasible += cost < INFEASIBLE
            check_solution(tree, leaf.prefix, cost)
    _compare_compiled(problem, paths)
    return Checked(len(paths), nodes, leaves, feasible)


def _leaves(tree: PlainTree, path: list[tuple[Node, int]]) -> Iterable[tuple[Node, int]]:
    """Give all leaves below the highest node of a walk that has few, with what evaluate says."""
    levels = len(tree.problem.radix)
    for node, _ in path:
        below = int(np.prod([float(r) for r in tree.problem.radix[node.depth :]]))
        if below <= MOST_LEAVES or node.depth == levels:
            return [(leaf, tree.objective(leaf)) for leaf in tree.leaves_below(node)]
    # It ended where nothing is feasible: any leaf below must be none.
    node = path[-1][0]
    while node.depth < levels:
        node = tree.child(node, node.free[0])
    return [(node, tree.objective(node))]


def _compare_compiled(problem: CustomProblem, paths: list[list[tuple[Node, int]]]) -> None:
    """Raise ``InputError`` if the compiled functions compute something else than Python."""
    native = CostProblem(problem, 0).native
    for path in paths:
        order = np.array(path[-1][0].prefix, np.int64)
        states = np.zeros((len(order), problem.state), np.int64)
        costs = np.zeros(len(order), np.int64)
        native.trace(order, states, costs)
        for state, found, (node, cost) in zip(states, costs, path[1:], strict=True):
            if found != cost or state.tolist() != list(node.state):
                raise InputError(
                    f"the functions of {type(problem).__name__}, compiled, differ from plain "
                    f"Python at {list(node.prefix)}: state {state.tolist()} instead of "
                    f"{list(node.state)}, cost {found} instead of {cost}; "
                    "is there a float, or a number of more than 62 bits?"
                )
