"""``prunus resume``: go on with a search that was stopped or killed, from its checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from prunus.cli.commands import Argument
from prunus.cli.options import (
    AsJson,
    CheckpointEvery,
    Dask,
    Devices,
    Gantt,
    Output,
    OwnProblem,
    Quiet,
    TimeLimit,
    Trace,
    dask_client,
)
from prunus.cli.report import Report
from prunus.cli.verbose import Verbose, log_events
from prunus.custom.python_file import load_problem
from prunus.resume import resume as search
from prunus.runtime.checkpoint import CHECKPOINT_INTERVAL_S, read_checkpoint


def resume(
    checkpoint: Annotated[
        Path,
        Argument(metavar="FILE", help="The checkpoint of a stopped or killed solve."),
    ],
    *,
    problem: OwnProblem = None,
    devices: Devices = "auto",
    dask: Dask = None,
    time_limit: TimeLimit = None,
    checkpoint_every: CheckpointEvery = CHECKPOINT_INTERVAL_S,
    output: Output = None,
    gantt: Gantt = None,
    trace: Trace = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> int:
    """Continue a search from its checkpoint, on the same or on other devices.

    The problem and its options come from the file, which is kept up to date from then on.
    """
    log_events(verbose)
    report = Report(output=output, gantt=gantt, trace=trace, as_json=as_json, quiet=quiet)
    own = None if problem is None else load_problem(problem)
    # Only a schedule depends on the problem; the file is not read twice without need.
    report.prepare(
        None if gantt is None else read_checkpoint(str(checkpoint), own).problem, checkpoint
    )
    with dask_client(dask) as executor:
        result = search(
            checkpoint,
            problem=own,
            devices=devices,
            executor=executor,
            time_limit=time_limit,
            checkpoint_every=checkpoint_every,
            display=not quiet,
        )
    return report.give(result, checkpoint)
