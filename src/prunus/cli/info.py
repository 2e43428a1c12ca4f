"""``prunus info``: what is installed and there to compute with, or facts of a file."""

from __future__ import annotations

from typing import Annotated

import typer

from prunus.checkpoint import Checkpoint, read_checkpoint
from prunus.checkpoint.container import is_checkpoint
from prunus.cli.facts import facts
from prunus.cli.machine import machine
from prunus.cli.say import answer
from prunus.read import KINDS_TEXT, read
from prunus.view import text, wording

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
        typer.Option(help=f"What the file holds: {KINDS_TEXT}."),
    ] = None,
) -> None:
    """Show versions, processors, GPUs and extras, or the facts of an instance or a checkpoint."""
    if source is None:
        rows = machine()
    elif is_checkpoint(source):
        rows = checkpoint(read_checkpoint(source))
    else:
        rows = facts(read(source, kind=kind))
    width = max(len(label) for label, _ in rows)
    for label, words in rows:
        answer(f"{label:<{width}}  {words}")


def checkpoint(kept: Checkpoint) -> list[tuple[str, str]]:
    """Return what a checkpoint holds as (label, words)."""
    left = "not begun" if kept.intervals is None else f"{len(kept.intervals):,} open intervals"
    rows = [
        ("checkpoint of", wording.title(kept.problem)),
        ("search", "complete" if kept.complete else left),
        ("nodes", text.count(kept.nodes)),
        ("runtime", f"{text.duration(kept.elapsed)} so far"),
    ]
    name = wording.objective_name(kept.problem)
    if wording.counts_solutions(kept.problem):
        rows.append((name, f"{text.count(kept.leaves)} so far"))
    elif kept.objective is not None:
        rows.append((name, str(kept.objective)))
    rows += [(option.replace("_", "-"), str(value)) for option, value in kept.options.items()]
    return rows
