"""``prunus solve``: read an instance, solve it, show the answer and what proves it."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from prunus import plot, solution_file
from prunus.cli.check import checked
from prunus.cli.exit_code import exit_code
from prunus.cli.say import answer, notice
from prunus.errors import InputError
from prunus.read import read
from prunus.result_view import row
from prunus.solve import solve as search

__all__ = ["solve"]

_SEARCH = "The search"
_OUTPUT = "The output"


def solve(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE_OR_NAME",
            help="An instance file, or a name: ta030, queens:12, crane:12:1, tsmat:12:1.",
            show_default=False,
        ),
    ],
    devices: Annotated[
        str,
        typer.Option(help="auto, cpu, cpu:4, or cuda:0,cuda:1.", rich_help_panel=_SEARCH),
    ] = "auto",
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Stop after this time.", rich_help_panel=_SEARCH),
    ] = None,
    upper_bound: Annotated[
        int | None,
        typer.Option(
            metavar="VALUE", help="Look only for what is better.", rich_help_panel=_SEARCH
        ),
    ] = None,
    initial_solution: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|LIST",
            help="Start from it: a file, or a comma list of names or 0-based indices.",
            rich_help_panel=_SEARCH,
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Seed of everything random.", rich_help_panel=_SEARCH)
    ] = 0,
    method: Annotated[
        str | None,
        typer.Option(help="How to search, if not the default way.", rich_help_panel=_SEARCH),
    ] = None,
    bound: Annotated[
        str | None,
        typer.Option(help="Flow shop: auto, lb1, lb2 or mixed.", rich_help_panel=_SEARCH),
    ] = None,
    branching: Annotated[
        str | None,
        typer.Option(
            help="Flow shop: minbranch, forward, alternate, minmin or maxsum.",
            rich_help_panel=_SEARCH,
        ),
    ] = None,
    first_incumbent: Annotated[
        str | None,
        typer.Option(
            help="Flow shop: iterated-greedy, neh or none; ATSP: local-search or none.",
            rich_help_panel=_SEARCH,
        ),
    ] = None,
    symmetry: Annotated[
        str | None, typer.Option(help="N-Queens: all, mirror or none.", rich_help_panel=_SEARCH)
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            help="What the file holds: flowshop, flowshop-by-job, flowshop-by-machine or atsp.",
            rich_help_panel=_SEARCH,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the solution: .csv or .json.",
            rich_help_panel=_OUTPUT,
        ),
    ] = None,
    gantt: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Draw the schedule: .png, .svg or .pdf (extra \\[plot]).",
            rich_help_panel=_OUTPUT,
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="One JSON object on stdout.", rich_help_panel=_OUTPUT),
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="No live display, no notices.", rich_help_panel=_OUTPUT),
    ] = False,
) -> int:
    """Solve an instance to proven optimality, or as well as a time limit allows.

    Ctrl-C stops the search and shows the best solution so far with its bound.
    """
    problem = read(source, kind=kind)
    if quiet:
        warnings.simplefilter("ignore")
    # Whatever can be refused is refused now and not after hours of search.
    if gantt is not None:
        _can_draw(problem, gantt)
    if output is not None:
        solution_file.check_target(output)
    options: dict[str, Any] = {
        "method": method,
        "bound": bound,
        "branching": branching,
        "symmetry": symmetry,
        "first_incumbent": first_incumbent,
    }
    if initial_solution is not None:
        options["initial_solution"] = solution_file.parse(problem, initial_solution)
    result = search(
        problem,
        devices=devices,
        time_limit=time_limit,
        upper_bound=upper_bound,
        seed=seed,
        display=not quiet,
        **{name: value for name, value in options.items() if value is not None},
    )
    proof = checked(result)
    # The files first: they must be there even if nobody reads what is printed.
    if result.solution is not None and output is not None:
        solution_file.write(result, output)
    if result.solution is not None and gantt is not None:
        plot.save(plot.gantt(result), gantt)
    if result.solution is None and (output or gantt) and not quiet:
        notice("there is no solution, so no file was written")
    code = int(exit_code(result))
    if as_json:
        answer(json.dumps({**result.to_dict(), "checked": proof, "exit_code": code}))
    else:
        answer(str(result))
        if proof is not None:
            answer(row("checked", proof))
    return code


def _can_draw(problem: object, target: Path) -> None:
    if not hasattr(problem, "completion_times"):
        raise InputError(
            f"--gantt draws the schedule of a flow shop, and this is {type(problem).__name__}"
        )
    plot.check_target(target)
