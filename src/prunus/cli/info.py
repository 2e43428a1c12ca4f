"""``prunus info``: what is installed and there to compute with, or facts of a file."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from prunus.cli import facts, kept
from prunus.cli.fact import as_dict, as_lines
from prunus.cli.machine import machine
from prunus.cli.options import AsJson, OwnProblem
from prunus.cli.say import answer
from prunus.cli.source import problem_of
from prunus.custom.python_file import load_problem
from prunus.read import kinds_text
from prunus.runtime.checkpoint import read_checkpoint
from prunus.runtime.checkpoint.container import is_checkpoint

__all__ = ["info"]


def info(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE_OR_NAME",
            help="Tell about this instance or checkpoint.",
            show_default=False,
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(help=f"What the file holds: {kinds_text()}."),
    ] = None,
    problem: OwnProblem = None,
    as_json: AsJson = False,
) -> None:
    """Show versions, processors, GPUs and extras, or the facts of an instance or a checkpoint."""
    if source is None:
        found = machine()
    elif is_checkpoint(source):
        found = kept.facts(
            read_checkpoint(source, None if problem is None else load_problem(problem))
        )
    else:
        found = facts.facts(problem_of(source, kind))
    answer(json.dumps(as_dict(found)) if as_json else "\n".join(as_lines(found)))
