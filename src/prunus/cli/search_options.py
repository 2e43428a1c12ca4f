"""Options of ``prunus solve`` alone: what is searched for, and how."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from prunus.cli.options import SEARCH
from prunus.read import kinds_text

__all__ = [
    "Bound",
    "Branching",
    "CheckpointFile",
    "FirstIncumbent",
    "InitialSolution",
    "Kind",
    "Method",
    "Objective",
    "Proof",
    "Seed",
    "Source",
    "Stealing",
    "Symmetry",
    "UpperBound",
]


def _search(words: str, metavar: str | None = None) -> Any:
    return typer.Option(metavar=metavar, help=words, rich_help_panel=SEARCH)


Source = Annotated[
    str,
    typer.Argument(
        metavar="FILE_OR_NAME",
        help="An instance file, a name (ta030, queens:12, …; prunus generate lists them), or "
        "FILE.py:NAME, a problem of your own.",
        show_default=False,
    ),
]
UpperBound = Annotated[int | None, _search("Look only for what is better.", "VALUE")]
InitialSolution = Annotated[
    str | None,
    _search("Start from it: a file, or a comma list of names or 0-based indices.", "FILE|LIST"),
]
Seed = Annotated[int, _search("Seed of everything random.")]
Method = Annotated[
    str | None,
    _search(
        "Knapsack: core, dense or groups; subset sum: four-list, two-list, bitset or lattice; "
        "assignment: exact, switching or auction; ATSP: pool or interval. By default what suits "
        "the instance."
    ),
]
Bound = Annotated[
    str | None,
    _search("Flow shop: auto, lb1, lb2 or mixed; ATSP: auto, assignment or arborescence."),
]
Branching = Annotated[
    str | None, _search("Flow shop: minbranch, forward, alternate, minmin or maxsum.")
]
FirstIncumbent = Annotated[
    str | None,
    _search(
        "Flow shop: iterated-greedy, neh or none; ATSP: local-search or none; your own: "
        "local-search, dive or none."
    ),
]
Proof = Annotated[
    str | None,
    _search(
        "Flow shop, ATSP (interval), your own: auto, direct (below the incumbent), climb (from "
        "below)."
    ),
]
Symmetry = Annotated[str | None, _search("N-Queens: all, mirror or none.")]
Objective = Annotated[str | None, _search("Subset sum: sum, closest or count.")]
Stealing = Annotated[str | None, _search("How work moves between devices: power, half or none.")]
Kind = Annotated[str | None, _search(f"What the file holds: {kinds_text()}.")]
CheckpointFile = Annotated[
    Path | None, _search("Keep the state of the search in it, for prunus resume.", "FILE")
]
