"""prunus: classical combinatorial problems solved exactly, with a proof, on CPU cores and GPUs."""

import logging
from importlib import import_module
from typing import TYPE_CHECKING

import prunus.problems  # noqa: F401
from prunus.assignment.problem import Assignment
from prunus.assignment.scipy_api import linear_sum_assignment
from prunus.atsp.problem import ATSP
from prunus.custom.array import ArrayProblem
from prunus.custom.permutation import PermutationProblem
from prunus.errors import DeviceError, InputError, MissingExtraError, PrunusError
from prunus.flowshop.problem import FlowShop
from prunus.knapsack.problem import Knapsack
from prunus.load_result import load_result
from prunus.nqueens.problem import NQueens
from prunus.read import read
from prunus.result import BestSolution, HistoryEntry, Result, Status
from prunus.resume import resume
from prunus.runtime.progress import Progress
from prunus.solve import solve
from prunus.solve_many import Results, solve_many
from prunus.subsetsum.problem import SubsetSum
from prunus.write import write

if TYPE_CHECKING:
    from prunus import plot as plot
    from prunus import stop as stop
    from prunus.custom.check import Checked, check
else:

    def __getattr__(name: str) -> object:
        """Import what only few programs use when it is asked for."""
        if name == "plot":
            return import_module("prunus.plot")
        if name not in ("Checked", "check"):
            raise AttributeError(f"module 'prunus' has no attribute {name!r}")
        from prunus.custom import check as module

        return getattr(module, name)


__all__ = [
    "ATSP",
    "ArrayProblem",
    "Assignment",
    "BestSolution",
    "Checked",
    "DeviceError",
    "FlowShop",
    "HistoryEntry",
    "InputError",
    "Knapsack",
    "MissingExtraError",
    "NQueens",
    "PermutationProblem",
    "Progress",
    "PrunusError",
    "Result",
    "Results",
    "Status",
    "SubsetSum",
    "__version__",
    "check",
    "linear_sum_assignment",
    "load_result",
    "read",
    "resume",
    "solve",
    "solve_many",
    "write",
]

# Silent unless the program that uses the library wants to hear it.
logging.getLogger("prunus").addHandler(logging.NullHandler())

__version__ = "0.2.0"
