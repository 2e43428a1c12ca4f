"""Many results as one table, and how many there are so far."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from prunus.errors import PrunusError
from prunus.model.problem import Problem
from prunus.view import text, wording

if TYPE_CHECKING:
    from prunus.result import Result


def as_table(
    problems: Sequence[Problem],
    results: Sequence[Result | None],
    errors: Mapping[int, PrunusError],
    runtime: float,
    stopped_by: str | None,
) -> str:
    """Return a line for each problem and one for all, in aligned columns."""
    lines: list[tuple[str, ...]] = [
        ("", "problem", "status", "objective", "bound", "gap", "runtime")
    ]
    for place, (problem, result) in enumerate(zip(problems, results, strict=True)):
        name = problem.name or wording.title(problem)
        if result is None:
            why = str(errors[place]) if place in errors else "not begun"
            lines.append((str(place), name, why, "", "", "", ""))
            continue
        gap = "" if result.gap is None else text.percent(result.gap)
        shown = ["" if one is None else str(one) for one in (result.objective, result.bound)]
        lines.append(
            (str(place), name, result.status.value, *shown, gap, text.duration(result.runtime))
        )
    # A sentence about an error is no column.
    columns = [line for line in lines if line[-1]]
    widths = [max(len(line[i]) for line in columns) for i in range(len(lines[0]))]
    widths[0], widths[1] = (max(len(line[i]) for line in lines) for i in (0, 1))
    left = {1, 2}
    table = [
        "  ".join(
            word.ljust(width) if i in left else word.rjust(width)
            for i, (word, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    found = Counter(result.status.value for result in results if result is not None)
    parts = [f"{number} {status}" for status, number in sorted(found.items())]
    failed, missing = len(errors), len(results) - found.total() - len(errors)
    parts += [f"{failed} failed"] if failed else []
    parts += [f"{missing} not begun ({stopped_by})"] if missing else []
    total = f"{text.plural(len(results), 'problem')} in {text.duration(runtime)}"
    return "\n".join([*table, f"{total}: {', '.join(parts)}" if parts else total])


@contextmanager
def counting(total: int, *, enabled: bool) -> Iterator[Callable[[int], None]]:
    """Show on standard error, if that is a terminal, how many of so many are done."""
    if not (enabled and sys.stderr is not None and sys.stderr.isatty()):
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), "problems", TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda done: progress.update(task, completed=done)
