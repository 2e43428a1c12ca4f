"""Where the answer of a search goes: the terminal or a machine, files, pictures, the exit code."""

from __future__ import annotations

import json
import shlex
import warnings
from dataclasses import dataclass
from pathlib import Path

from prunus import plot, solution_file
from prunus.cli.check import checked
from prunus.cli.exit_code import ExitCode, exit_code
from prunus.cli.say import answer, hint, notice
from prunus.errors import InputError
from prunus.result import Result
from prunus.result_view import row

__all__ = ["Report"]


@dataclass(frozen=True, slots=True)
class Report:
    """How a command was asked to report.

    Attributes
    ----------
    output, gantt, trace
        Files to write the solution and to draw the schedule and the search in.
    as_json
        One JSON object for machines.
    quiet
        The answer alone: no display, no notices.
    """

    output: Path | None = None
    gantt: Path | None = None
    trace: Path | None = None
    as_json: bool = False
    quiet: bool = False

    def prepare(self, problem: object) -> None:
        """Refuse now, and not after hours of search, whatever could not be reported."""
        if self.quiet:
            warnings.simplefilter("ignore")
        if self.gantt is not None:
            if not hasattr(problem, "completion_times"):
                kind = type(problem).__name__
                raise InputError(f"--gantt draws the schedule of a flow shop, and this is {kind}")
            plot.check_target(self.gantt)
        if self.trace is not None:
            plot.check_target(self.trace)
        if self.output is not None:
            solution_file.check_target(self.output)

    def give(self, result: Result, checkpoint: Path | None) -> int:
        """Give the answer and return the exit code.

        Parameters
        ----------
        result
            The answer.
        checkpoint
            The file from which the search can go on, if one was kept.
        """
        proof = checked(result)
        # The files first: they must be there even if nobody reads what is printed.
        self._write_files(result)
        code = exit_code(result)
        if self.as_json:
            kept = None if checkpoint is None else str(checkpoint)
            facts = {"checked": proof, "checkpoint": kept, "exit_code": int(code)}
            answer(json.dumps({**result.to_dict(), **facts}))
        else:
            answer(str(result))
            if proof is not None:
                answer(row("checked", proof))
        if not self.quiet:
            self._tell(result, checkpoint if code is not ExitCode.PROVEN else None)
        return int(code)

    def _write_files(self, result: Result) -> None:
        if result.solution is not None:
            if self.output is not None:
                solution_file.write(result, self.output)
            if self.gantt is not None:
                plot.save(plot.gantt(result), self.gantt)
        elif (self.output or self.gantt) and not self.quiet:
            notice("there is no solution, so none was written")
        if self.trace is not None:
            if result.trace is not None:
                plot.save(plot.trace(result), self.trace)
            elif not self.quiet:
                notice("no tree was searched, so no trace was drawn")

    def _tell(self, result: Result, checkpoint: Path | None) -> None:
        """Say what else the user may want to know."""
        for sentence in result.statistics.get("failures", ()):
            if sentence != result.stopped_by:
                notice(sentence)
        if checkpoint is not None and checkpoint.exists() and not self.as_json:
            hint("go on with: ", f"prunus resume {shlex.quote(str(checkpoint))}")
