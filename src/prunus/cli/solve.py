"""``prunus solve``: read an instance, solve it, show the answer and what proves it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from prunus import solution_file
from prunus.checkpoint import EVERY
from prunus.checkpoint.container import is_checkpoint
from prunus.cli.dask import Dask, dask_client
from prunus.cli.options import (
    SEARCH,
    AsJson,
    CheckpointEvery,
    Devices,
    Gantt,
    Output,
    Quiet,
    TimeLimit,
    Trace,
)
from prunus.cli.report import Report
from prunus.errors import InputError
from prunus.problems import SubsetSum
from prunus.read import KINDS_TEXT, read
from prunus.solve import solve as search

__all__ = ["solve"]


def solve(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE_OR_NAME",
            help="An instance file, or a name: ta030, queens:12, …; prunus generate lists them.",
            show_default=False,
        ),
    ],
    devices: Devices = "auto",
    dask: Dask = None,
    time_limit: TimeLimit = None,
    upper_bound: Annotated[
        int | None,
        typer.Option(metavar="VALUE", help="Look only for what is better.", rich_help_panel=SEARCH),
    ] = None,
    initial_solution: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|LIST",
            help="Start from it: a file, or a comma list of names or 0-based indices.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Seed of everything random.", rich_help_panel=SEARCH)
    ] = 0,
    method: Annotated[
        str | None,
        typer.Option(
            help="Knapsack: core, dense or groups; subset sum: four-list, two-list, bitset or "
            "lattice; assignment: exact, switching or auction. By default what suits the instance.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    bound: Annotated[
        str | None,
        typer.Option(help="Flow shop: auto, lb1, lb2 or mixed.", rich_help_panel=SEARCH),
    ] = None,
    branching: Annotated[
        str | None,
        typer.Option(
            help="Flow shop: minbranch, forward, alternate, minmin or maxsum.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    first_incumbent: Annotated[
        str | None,
        typer.Option(
            help="Flow shop: iterated-greedy, neh or none; ATSP: local-search or none.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    proof: Annotated[
        str | None,
        typer.Option(
            help="Flow shop, ATSP: auto, direct (below the incumbent) or climb (from below).",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    symmetry: Annotated[
        str | None, typer.Option(help="N-Queens: all, mirror or none.", rich_help_panel=SEARCH)
    ] = None,
    objective: Annotated[
        str | None,
        typer.Option(help="Subset sum: sum, closest or count.", rich_help_panel=SEARCH),
    ] = None,
    stealing: Annotated[
        str | None,
        typer.Option(
            help="How work moves between devices: power, half or none.", rich_help_panel=SEARCH
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            help=f"What the file holds: {KINDS_TEXT}.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Keep the state of the search in it, for prunus resume.",
            rich_help_panel=SEARCH,
        ),
    ] = None,
    checkpoint_every: CheckpointEvery = EVERY,
    output: Output = None,
    gantt: Gantt = None,
    trace: Trace = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> int:
    """Solve an instance to proven optimality, or as well as a time limit allows.

    Ctrl-C stops the search and shows the best solution so far with its bound.
    With --checkpoint, prunus resume goes on after a stop or a kill.
    """
    if is_checkpoint(source):
        raise InputError(f"{source} is a checkpoint; go on with: prunus resume {source}")
    problem = read(source, kind=kind)
    if objective is not None:
        if not isinstance(problem, SubsetSum):
            raise InputError("--objective is for subset sums; other problems have only one")
        problem = problem.with_objective(objective)
    report = Report(output=output, gantt=gantt, trace=trace, as_json=as_json, quiet=quiet)
    report.prepare(problem, Path(source), checkpoint)
    if checkpoint is not None:
        solution_file.check_folder(checkpoint)
    options: dict[str, Any] = {
        "method": method,
        "bound": bound,
        "branching": branching,
        "symmetry": symmetry,
        "first_incumbent": first_incumbent,
        "proof": proof,
        "stealing": stealing,
    }
    if initial_solution is not None:
        options["initial_solution"] = solution_file.parse(problem, initial_solution)
    with dask_client(dask) as executor:
        result = search(
            problem,
            devices=devices,
            executor=executor,
            time_limit=time_limit,
            upper_bound=upper_bound,
            seed=seed,
            checkpoint=checkpoint,
            checkpoint_every=checkpoint_every,
            display=not quiet,
            **{name: value for name, value in options.items() if value is not None},
        )
    return report.give(result, checkpoint)
