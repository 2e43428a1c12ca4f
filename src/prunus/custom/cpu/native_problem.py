"""A user's problem as native code sees it."""

from __future__ import annotations

from prunus._native.custom import Problem
from prunus.custom.cpu.compiled_functions import compiled_functions
from prunus.custom.cpu.node_functions import data_tables
from prunus.custom.functions import functions_of
from prunus.custom.plain_tree import PlainTree
from prunus.custom.problem import CustomProblem


def native_problem(problem: CustomProblem, base: int) -> Problem:
    """Compile a problem's functions, and put them together with its data; ``base`` costs 0.

    Raises ``InputError`` if a function cannot be compiled.
    """
    functions = compiled_functions(problem)
    names = "descend", "bound", "walk", "guide"
    arrays, numbers = data_tables(problem, base)
    return Problem(
        functions,
        [functions[name].address if name in functions else 0 for name in names],
        problem.radix,
        PlainTree(problem).root().state,
        arrays,
        numbers,
        repeating=problem.repeating,
        counting=problem.counts_solutions,
        constrained="feasible" in functions_of(type(problem)).named,
    )
