"""Continue a search that was stopped or killed from its checkpoint."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any, Never

from prunus.custom.problem import CustomProblem
from prunus.errors import OptionError
from prunus.files.paths import file_path
from prunus.model.options import closest
from prunus.model.registry import spec_of
from prunus.result import Result
from prunus.runtime.checkpoint import (
    CHECKPOINT_INTERVAL_S,
    Checkpoint,
    CheckpointWriter,
    FileLock,
    read_checkpoint,
)
from prunus.runtime.monitor import IncumbentCallback, Monitor
from prunus.solving import RunOptions, run
from prunus.stop import StoppingCriterion


def resume(
    checkpoint: str | os.PathLike[str],
    *,
    problem: CustomProblem | None = None,
    devices: str | Sequence[str] = "auto",
    executor: Any = None,
    time_limit: float | None = None,
    stop: StoppingCriterion | None = None,
    display: bool | None = None,
    on_incumbent: IncumbentCallback | None = None,
    checkpoint_every: float = CHECKPOINT_INTERVAL_S,
    **others: Never,
) -> Result:
    """Continue a solve from its checkpoint, on the same or on other devices.

    The problem, the method, the options, the incumbent and the open part of the tree come from the
    file, which the new run keeps up to date. Nothing is searched twice and nothing is left out:
    counts and proofs are those of an uninterrupted search.

    Parameters
    ----------
    checkpoint
        The file.
    problem
        Your own problem, created again: needed if its class has not been imported, or if its
        attributes are more than numbers, text, lists of these, and arrays. The functions of its
        class and its data must not have changed. Code is never imported because a file names it.
    devices, executor, time_limit, stop, display, on_incumbent, checkpoint_every
        As for `prunus.solve`; the time limit applies to this run.
    **others
        None. What defines the tree, such as a seed or an option, cannot change between runs and is
        rejected with a message.

    Returns
    -------
    Result
        With the nodes of all runs and the runtime of this one;
        ``statistics["earlier_runtime"]`` has that of the earlier runs.

    Raises
    ------
    InputError
        If the file is not a checkpoint, is damaged, is from a newer version, or is being written
        by another run. The file is left unchanged.
    DeviceError
        If a requested device cannot be used.
    """
    for name in others:
        meant = closest(name, _KEYWORDS, ())
        raise OptionError(
            name,
            "resume does not take it; "
            + (f"did you mean {meant}? " if meant else f"it takes {', '.join(_KEYWORDS)}. ")
            + "What decides the search comes from the checkpoint",
        )
    path = file_path(checkpoint, "the path of a checkpoint")
    how = RunOptions(devices, executor, time_limit, stop, display, on_incumbent, checkpoint_every)
    how.check(None, 0)
    return go_on(path, problem, how)


def go_on(
    path: str,
    problem: CustomProblem | None,
    how: RunOptions,
    *,
    check: Callable[[Checkpoint], None] = lambda saved: None,
    begin: Callable[[Monitor], None] = lambda monitor: None,
) -> Result:
    """Go on from a checkpoint; ``check`` may refuse it, ``begin`` tells what else is known."""
    read_checkpoint(path, problem)  # what is none is refused before anything is made beside it
    with FileLock(path) as lock:
        # Again: another run may have gone on with it until now.
        start = read_checkpoint(path, problem)
        check(start)

        def take_over(monitor: Monitor) -> None:
            as_solution = spec_of(start.problem).as_solution
            if start.solution is not None and as_solution is not None:
                as_solution(start.problem, start.solution)
            monitor.resume_from(start)
            begin(monitor)

        def keep(start: Checkpoint) -> CheckpointWriter:
            return CheckpointWriter(path, start, every=how.checkpoint_every, lock=lock)

        return run(start, how, keep=keep, begin=take_over)


_KEYWORDS = tuple(signature(resume).parameters)[1:-1]
"""What it takes."""
