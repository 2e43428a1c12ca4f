"""Where the answer of a search goes: the terminal or a machine, files, pictures, the exit code."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from prunus import solution_file
from prunus.cli.console import OutputError, answer, error, hint, notice, sentence
from prunus.cli.exit_code import ExitCode, exit_code
from prunus.errors import InputError, OptionError, PrunusError
from prunus.load_result import contradiction
from prunus.model.problem import Problem
from prunus.result import Result
from prunus.view import wording
from prunus.view.result import as_text

_WIDTH, _NARROWEST = 80, 40
"""Columns of a report, and in how few it can still be read."""


@dataclass(frozen=True, slots=True)
class Report:
    """How a command was asked to report."""

    output: Path | None = None
    gantt: Path | None = None
    trace: Path | None = None
    """Files to write the solution and to draw the schedule and the search in."""
    as_json: bool = False
    """One JSON object for machines."""
    quiet: bool = False
    """The answer alone: no display, no notices."""

    def prepare(
        self, problem: Problem | None, source: Path, checkpoint: Path | None = None
    ) -> None:
        """Refuse now, and not after hours of search, whatever could not be reported.

        ``source`` is the file that the problem came from, if it is one; ``checkpoint`` the file
        that the search will keep.
        """
        if self.quiet:
            warnings.simplefilter("ignore")
        self._keep_apart({str(source): source, "--checkpoint": checkpoint})
        if self.gantt is not None and problem is not None:
            if not wording.has_schedule(problem):
                kind = type(problem).__name__
                raise OptionError("gantt", f"draws the schedule of a flow shop, but this is {kind}")
            from prunus.plot import check_schedule_target

            check_schedule_target(self.gantt)
        if self.trace is not None:
            from prunus.plot import check_target

            check_target(self.trace)
        if self.output is not None:
            solution_file.check_target(self.output)
            if wording.counts_solutions(problem) and self.output.suffix.lower() != ".json":
                raise InputError(
                    f"{self.output}: a count has no solution to write as a table; write the "
                    "result as .json"
                )

    def give(self, result: Result, checkpoint: Path | None) -> int:
        """Give the answer and return the exit code.

        ``checkpoint`` is the file from which the search can go on, if one was kept.
        """
        if checkpoint is not None:  # another one may have been kept where somebody took that
            checkpoint = Path(result.statistics.get("checkpoint", checkpoint))
        proof = checked(result)
        # The files first: they must be there even if nobody reads what is printed.
        trouble = self._write_files(result)
        proven = exit_code(result)
        code = ExitCode.BAD_INPUT if trouble else proven
        if self.as_json:
            kept = str(checkpoint) if checkpoint is not None and checkpoint.exists() else None
            facts = {"checked": proof, "checkpoint": kept, "exit_code": int(code)}
            if trouble:
                facts["error"] = "; ".join(trouble)
            self._answer(json.dumps({**result.to_dict(), **facts}))
        else:
            more = () if proof is None else (("checked", proof),)
            self._answer(as_text(result, width=_width(), more=more))
            for sentence in trouble:
                error(sentence)
        if not self.quiet:
            self._tell(result, checkpoint if proven is not ExitCode.PROVEN else None)
        return int(code)

    def _answer(self, words: str) -> None:
        """Print the answer; where that cannot be done, it is not lost either."""
        try:
            answer(words)
        except OutputError:
            hint("the answer: ", words)
            raise

    def _write_files(self, result: Result) -> list[str]:
        """Write what is wanted; return a sentence for each file that could not be written."""
        tasks: list[Callable[[], None]] = []
        table = self.output is not None and self.output.suffix.lower() != ".json"
        if self.output is not None and (result.host_solution is not None or not table):
            tasks.append(partial(solution_file.write, result, self.output))
        if result.host_solution is not None:
            if self.gantt is not None:
                tasks.append(partial(_draw_schedule, result, self.gantt))
        elif (table or self.gantt) and not self.quiet:
            notice("there is no solution, so none was written")
        if self.trace is not None:
            if result.trace is not None:
                tasks.append(partial(_draw_trace, result, self.trace))
            elif not self.quiet:
                notice(
                    "this solve has no trace, because only tree searches record one; none was drawn"
                )
        trouble = []
        for task in tasks:
            try:
                task()
            except (PrunusError, OSError) as problem:
                trouble.append(sentence(problem))
            except MemoryError:
                trouble.append("there is not enough memory to draw or write the answer to a file")
        return trouble

    def _keep_apart(self, others: dict[str, Path | None]) -> None:
        """Refuse to write two things into one file, or over what is to be solved."""
        seen: dict[str, str] = {}
        files = {"--output": self.output, "--gantt": self.gantt, "--trace": self.trace}
        for name, path in {**others, **files}.items():
            if path is None:
                continue
            place = os.path.realpath(path)
            if place in seen and not _is_stream(place):
                raise InputError(f"{name} would overwrite {seen[place]}; name another file")
            seen.setdefault(place, name)

    def _tell(self, result: Result, checkpoint: Path | None) -> None:
        """Say what else the user may want to know."""
        for failure in result.statistics.get("failures", ()):
            if failure != result.stopped_by:
                notice(failure)
        if checkpoint is not None and checkpoint.exists() and not self.as_json:
            hint("continue with: ", f"prunus resume {shlex.quote(str(checkpoint))}")


def _draw_schedule(result: Result, path: Path) -> None:
    from prunus.plot import save_schedule

    save_schedule(result, path)


def _draw_trace(result: Result, path: Path) -> None:
    from prunus.plot import save, trace

    save(trace(result), path)


def _width() -> int:
    """Return how many columns a report takes: as many as there are on a narrow terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return _WIDTH
    return min(_WIDTH, max(_NARROWEST, shutil.get_terminal_size((_WIDTH, 24)).columns))


def _is_stream(place: str) -> bool:
    """Tell devices and pipes, which nothing is overwritten in."""
    return os.path.exists(place) and not os.path.isfile(place)


def checked(result: Result) -> str | None:
    """Evaluate the solution of a result anew and say so.

    Returns a sentence for the reader; None if there is no solution. Raises ``RuntimeError`` if the
    evaluation contradicts the result, which is a defect of the library.
    """
    if result.host_solution is None:
        return None
    problem = result.problem
    wrong = contradiction(problem, result.objective, result.host_solution)
    if wrong is not None:
        raise RuntimeError(wrong)
    by = f"re-evaluated by {type(problem).__name__}.evaluate"
    if wording.counts_solutions(problem):
        return f"{by}: no queen attacks another"
    return f"{by}: {wording.objective_name(problem)} {result.objective}"
