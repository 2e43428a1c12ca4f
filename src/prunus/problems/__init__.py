"""The problems: data only, validated and immutable, each with a plain `evaluate`.

Nothing here knows how a problem is solved. `evaluate` is written so that a person can check it by
reading, and shares no code with any kernel: it is what every answer is held against.
"""

from __future__ import annotations

from typing import TypeAlias

from prunus.problems.array import ArrayProblem
from prunus.problems.assignment import Assignment
from prunus.problems.atsp import ATSP
from prunus.problems.flowshop import FlowShop
from prunus.problems.knapsack import Knapsack
from prunus.problems.own import OwnProblem
from prunus.problems.permutation import PermutationProblem
from prunus.problems.queens import NQueens
from prunus.problems.subsetsum import SubsetSum

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
