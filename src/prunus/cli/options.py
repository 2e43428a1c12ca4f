"""Options that several commands share, so that they read alike everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "OUTPUT",
    "SEARCH",
    "AsJson",
    "CheckpointEvery",
    "Devices",
    "Gantt",
    "Output",
    "OwnProblem",
    "Quiet",
    "TimeLimit",
    "Trace",
]

SEARCH = "The search"
OUTPUT = "The output"

OwnProblem = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.py:NAME",
        help="Your own problem, made again, if the checkpoint's class cannot be imported.",
        show_default=False,
    ),
]
Devices = Annotated[
    str, typer.Option(help="auto, cpu, cpu:4, or cuda:0,cuda:1.", rich_help_panel=SEARCH)
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS", help="Stop after this time, compiling apart.", rich_help_panel=SEARCH
    ),
]
CheckpointEvery = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        help="Between two checkpoints.",
        rich_help_panel=SEARCH,
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the solution: .csv or .json.",
        rich_help_panel=OUTPUT,
    ),
]
Gantt = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Draw the schedule: .png, .svg or .pdf (extra \\[plot]).",
        rich_help_panel=OUTPUT,
    ),
]
Trace = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Draw what each device did over time (extra \\[plot]).",
        rich_help_panel=OUTPUT,
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="One JSON object on stdout.", rich_help_panel=OUTPUT)
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="No live display, no notices.", rich_help_panel=OUTPUT),
]
