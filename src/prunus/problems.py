"""The registry: which problems there are. A new problem is a folder and a line here.

Nothing here knows how a problem is solved. The classes are data only, validated and immutable, each
with a plain `evaluate` that a person can check by reading and that shares no code with any kernel:
it is what every answer is held against.
"""

from __future__ import annotations

from importlib import import_module

from prunus.model.registry import register

PROBLEMS = (
    "flowshop",
    "nqueens",
    "atsp",
    "knapsack",
    "subsetsum",
    "assignment",
    "custom",
)
"""The folders, in the order in which help texts and tables list them."""

for _folder in PROBLEMS:
    register(import_module(f"prunus.{_folder}.spec").SPEC)
