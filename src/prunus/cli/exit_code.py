"""What the exit code of ``prunus solve`` says."""

from __future__ import annotations

from enum import IntEnum

from prunus.result import Result, Status


class ExitCode(IntEnum):
    """The exit codes of the command line."""

    PROVEN = 0
    FAILURE = 1
    BAD_INPUT = 2
    STOPPED_FEASIBLE = 3
    STOPPED_UNKNOWN = 4
    INTERRUPTED = 130


def exit_code(result: Result) -> ExitCode:
    """Return the exit code for a result.

    A proof counts even when an interrupt came in its last moment; otherwise an interrupt is told
    apart from a limit that was asked for.
    """
    if result.status in (Status.OPTIMAL, Status.INFEASIBLE):
        return ExitCode.PROVEN
    if result.stopped_by == "interrupt":
        return ExitCode.INTERRUPTED
    if result.status is Status.FEASIBLE:
        return ExitCode.STOPPED_FEASIBLE
    return ExitCode.STOPPED_UNKNOWN
