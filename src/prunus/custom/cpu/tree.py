"""A user's problem as the search on cores sees it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from prunus.custom.costs import CostProblem
from prunus.custom.cpu.compile_errors import explaining_compile_errors, first_fault
from prunus.custom.cpu.compiled_functions import CompiledFunctions, SearchData, compile_functions
from prunus.treesearch.interval.cpu.ivm import IVM
from prunus.treesearch.interval.cpu.numba_search import NumbaTree, numba_tree
from prunus.treesearch.interval.cpu.tree import items_in_order


def data_of(costs: CostProblem) -> SearchData:
    """Return what the compiled functions read."""
    return SearchData(costs.problem.data, len(costs.problem.radix), costs.base)


def root_state(costs: CostProblem, functions: CompiledFunctions) -> NDArray[np.int64]:
    """Return the root's state; one that is empty has a number that nobody reads."""
    state = np.zeros((1, max(1, costs.problem.state)), np.int64)
    functions.heuristics.root(data_of(costs), state)
    return state.ravel()


def core_tree(costs: CostProblem) -> NumbaTree:
    """Prepare a problem for explorers on cores.

    Raises ``InputError`` if a function cannot be compiled.
    """
    problem = costs.problem
    functions = compile_functions(type(problem))
    with explaining_compile_errors(problem):
        fault = None if functions.search.explore.is_ready else first_fault(problem)
        if fault is not None:
            raise fault[1]
        root = root_state(costs, functions)
    data = data_of(costs)

    return numba_tree(
        radix=problem.radix,
        compiled=functions.search,
        root=root,
        data=lambda: data,
        solution=items_in_order,
        evaluate=costs.evaluate,
    )


def compile_core_tree(costs: CostProblem) -> NumbaTree:
    """Return the tree with everything compiled: what is at fault comes out here and not later."""
    from prunus.treesearch.interval.interval import Intervals

    tree = core_tree(costs)
    with explaining_compile_errors(costs.problem):
        ivm, cell = IVM(tree), np.zeros(1, np.int64)
        ivm.load(Intervals.whole(len(tree.radix)), cell)
        ivm.explore(cell, np.zeros(1, np.int64), 0)
    return tree
