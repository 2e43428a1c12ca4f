"""``prunus solve``: read an instance, solve it, show the answer and what proves it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prunus import solution_file
from prunus.cli import search_options as of
from prunus.cli.dask import Dask, dask_client
from prunus.cli.options import (
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
from prunus.cli.source import problem_of
from prunus.errors import InputError
from prunus.runtime.checkpoint import CHECKPOINT_INTERVAL_S
from prunus.runtime.checkpoint.container import is_checkpoint
from prunus.solve import solve as search
from prunus.subsetsum.problem import SubsetSum

__all__ = ["solve"]


def solve(
    source: of.Source,
    devices: Devices = "auto",
    dask: Dask = None,
    time_limit: TimeLimit = None,
    upper_bound: of.UpperBound = None,
    initial_solution: of.InitialSolution = None,
    seed: of.Seed = 0,
    method: of.Method = None,
    bound: of.Bound = None,
    branching: of.Branching = None,
    first_incumbent: of.FirstIncumbent = None,
    proof: of.Proof = None,
    symmetry: of.Symmetry = None,
    objective: of.Objective = None,
    stealing: of.Stealing = None,
    kind: of.Kind = None,
    checkpoint: of.CheckpointFile = None,
    checkpoint_every: CheckpointEvery = CHECKPOINT_INTERVAL_S,
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
    problem = problem_of(source, kind)
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
    with dask_client(dask, problem) as executor:
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
