"""The problems: data only, validated and immutable, each with a plain `evaluate`.

Nothing here knows how a problem is solved. `evaluate` is written so that a person can check it by
reading, and shares no code with any kernel: it is what every answer is held against.
"""

from __future__ import annotations

from typing import TypeAlias

from prunus.assignment.problem import Assignment
from prunus.atsp.problem import ATSP
from prunus.custom.array import ArrayProblem
from prunus.custom.permutation import PermutationProblem
from prunus.custom.problem import OwnProblem
from prunus.flowshop.problem import FlowShop
from prunus.knapsack.problem import Knapsack
from prunus.nqueens.problem import NQueens
from prunus.subsetsum.problem import SubsetSum

__all__ = [
    "ATSP",
    "ArrayProblem",
    "Assignment",
    "FlowShop",
    "Knapsack",
    "NQueens",
    "PermutationProblem",
    "Problem",
    "SubsetSum",
]

Problem: TypeAlias = FlowShop | NQueens | ATSP | SubsetSum | Knapsack | Assignment | OwnProblem
"""Any of the problems."""
