"""``prunus info``: what is installed and there to compute with, or facts of a file."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from prunus import text, wording
from prunus.checkpoint import Checkpoint, read_checkpoint
from prunus.checkpoint.container import is_checkpoint
from prunus.cli.machine import machine
from prunus.cli.say import answer
from prunus.formats.taillard import simple_lower_bound
from prunus.formats.taillard_set import BEST_KNOWN
from prunus.formats.taillard_set import instance as taillard
from prunus.read import read

__all__ = ["info"]


def info(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE_OR_NAME]",
            help="Tell about this instance or checkpoint.",
            show_default=False,
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            help="What the file holds: flowshop, flowshop-by-job, flowshop-by-machine, atsp."
        ),
    ] = None,
) -> None:
    """Show versions, processors, GPUs and extras, or the facts of an instance or a checkpoint."""
    if source is None:
        rows = machine()
    elif is_checkpoint(source):
        rows = checkpoint(read_checkpoint(source))
    else:
        rows = instance(read(source, kind=kind))
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


def instance(problem: Any) -> list[tuple[str, str]]:
    """Return the facts of an instance as (label, words)."""
    rows = [("instance", wording.title(problem))]
    values = getattr(problem, "processing_times", None)
    if values is not None:
        rows.append(("times", f"{values.min()} to {values.max()}, sum {values.sum()}"))
        loads = values.sum(axis=0)
        busiest = int(loads.argmax())
        rows.append(("busiest machine", f"{_name(problem.machine_names, busiest)}, {loads.max()}"))
        longest = values.sum(axis=1)
        longest_job = int(longest.argmax())
        rows.append(("longest job", f"{_name(problem.job_names, longest_job)}, {longest.max()}"))
        rows.append(("lower bound", f"makespan {simple_lower_bound(problem)} (loads alone)"))
        # A file may bear the name of an instance and hold another.
        if problem.name in BEST_KNOWN and np.array_equal(
            values, taillard(problem.name).processing_times
        ):
            words = f"makespan {BEST_KNOWN[problem.name]} (as published)"
            rows.append(("best known", words))
    distances = getattr(problem, "distances", None)
    if distances is not None and problem.cities > 1:
        between = distances[~np.eye(problem.cities, dtype=bool)]
        rows.append(("distances", f"{between.min()} to {between.max()}"))
    return rows


def _name(names: tuple[str, ...] | None, index: int) -> str:
    return names[index] if names else f"number {index} (0-based)"
