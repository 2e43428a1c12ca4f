"""The panel that shows one moment of a search."""

from __future__ import annotations

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from prunus.model.problem import Problem
from prunus.runtime.progress import Progress
from prunus.view import text, wording

_WIDTH = 80
# The terminal echoes ^C after the last character; were the line full, the echo would begin a new
# one and the panel could not be erased whole.
_ECHO = 3
# In fewer columns three facts do not fit side by side.
_NARROW = 68
_RATIOS = (27, 24, 22)
"""Columns of three facts: they hold twelve digits of nodes."""
_WIDE = 1.5
"""From so many times the least on the most that may be left is told beside it."""


def render(
    progress: Progress,
    problem: Problem,
    *,
    compiling: float | None = None,
    stopping: bool = False,
) -> RenderableType:
    """Return the panel for one moment of a search.

    ``compiling`` are the seconds for which code has been compiled, if it still is; the solve's own
    stand still. ``stopping``: Ctrl-C was heard, and what cannot be left half done is done first.
    """
    heading = Table.grid(expand=True, padding=(0, 1))
    heading.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    heading.add_column(justify="right", no_wrap=True)
    phase = Text.assemble((progress.phase, "bold"))
    if compiling is not None:
        words = f"   compiling for this machine, once: {text.rough_duration(compiling)}"
        phase.append(words, style="dim")
    elif progress.explorers and not progress.nodes and not progress.explored:
        phase.append("   getting ready", style="dim")
    heading.add_row(phase, Text(_time(progress), style="bold"))
    parts: list[RenderableType] = [heading, _bar(progress), _Facts(progress, problem)]
    if not wording.explores(problem):
        del parts[1]
    return _Margin(
        Panel(
            Group(*parts),
            title=_border_text(wording.title(problem), "bold"),
            title_align="left",
            subtitle=_border_text(_hint(stopping, compiling is not None), "dim"),
            subtitle_align="right",
            box=box.ROUNDED,
            border_style="bright_black",
            padding=(0, 1),
        )
    )


def _time(progress: Progress) -> str:
    """Say how long the solve has taken, and how long it may take."""
    since = text.rough_duration(progress.elapsed)
    if progress.time_limit is None:
        return since
    return f"{since} of {text.rough_duration(progress.time_limit)}"


def _hint(stopping: bool, compiling: bool) -> str:
    if not stopping:
        return "Ctrl-C stops and keeps the best"
    return "stopping after this is compiled" if compiling else "stopping"


def _border_text(words: str, style: str) -> Text:
    """Return what stands in a border, with an ellipsis where the panel is too narrow for it."""
    return Text(words, style=style, overflow="ellipsis")


class _Margin:
    """Leave the last columns empty: `rich.padding.Padding` would write blanks into them."""

    def __init__(self, panel: Panel) -> None:
        self._panel = panel

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max(1, min(_WIDTH, options.max_width) - _ECHO)
        yield from console.render(self._panel, options.update_width(width))


def _bar(progress: Progress) -> Table:
    share = progress.explored if progress.done is None else progress.done
    done = min(max(share, 0.0), 1.0)
    line = Table.grid(expand=True, padding=(0, 2, 0, 0))
    line.add_column(ratio=1)
    line.add_column(justify="right", no_wrap=True, min_width=8)
    line.add_column(justify="right", no_wrap=True, min_width=14)
    left = Text(_left(progress), style="dim")
    line.add_row(ProgressBar(total=1.0, completed=done), text.percent(done), left)
    return line


def _left(progress: Progress) -> str:
    """Say how long it will take; where the time limit comes first, how long until that."""
    if progress.remaining is None:
        return ""
    words = text.rough_duration(progress.remaining)
    limit = progress.time_limit
    if limit is not None and progress.elapsed + progress.remaining >= limit:
        return f"{words} to the limit"
    least, most = progress.remaining_range or (progress.remaining, progress.remaining)
    if most < _WIDE * least:
        return f"~{words} left"
    return f"{text.rough_range(least, most)} left"


class _Facts:
    """What is known, three facts a row; one where the terminal is narrow or a number long."""

    def __init__(self, progress: Progress, problem: Problem) -> None:
        name = wording.objective_name(problem)
        # Of the threads that search, on cores and on GPUs, those that have work at the moment.
        among = progress.explorers
        busy = [("busy", f"{100 * progress.active // among} %", "")] if among else []
        self._facts: list[tuple[str, str, str]]
        if wording.counts_solutions(problem):
            self._facts = [
                (name, text.count(progress.objective or 0), "bold green"),
                ("", "found so far", "dim"),
                ("", "", ""),
            ]
        else:
            objective = "none yet" if progress.objective is None else str(progress.objective)
            bound = "none yet" if progress.bound is None else str(progress.bound)
            gap = "unknown" if progress.gap is None else text.percent(progress.gap)
            self._facts = [(name, objective, "bold green")]
            bound_name = wording.bound_name(problem)
            if bound_name is not None:
                self._facts += [(bound_name, bound, "cyan"), ("gap", gap, "yellow")]
        if progress.nodes or wording.branches(problem):
            self._facts += [
                ("nodes", text.count(progress.nodes), ""),
                ("speed", text.rate(progress.rate), ""),
            ]
        self._facts += busy

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = Table.grid(expand=True)
        facts = self._facts + [("", "", "")] * (-len(self._facts) % 3)
        columns = [facts[place::3] for place in range(3)]
        widths = [max(len(label) for label, _, _ in column) for column in columns]
        if not self._side_by_side(columns, widths, options.max_width):
            table.add_column(no_wrap=True)
            width = max(len(label) for label, _, _ in self._facts)
            for label, value, style in self._facts:
                if label:
                    table.add_row(_fact(label, value, width, style))
        else:
            for ratio in _RATIOS:
                table.add_column(ratio=ratio, no_wrap=True)
            for row in zip(*columns, strict=True):
                cells = [
                    _fact(label, value, width, style) if label else Text(value, style=style)
                    for (label, value, style), width in zip(row, widths, strict=True)
                ]
                table.add_row(*cells)
        yield from console.render(table, options)

    @staticmethod
    def _side_by_side(
        columns: list[list[tuple[str, str, str]]], widths: list[int], width: int
    ) -> bool:
        """Tell whether every fact fits in its column, with a blank behind it."""
        return width >= _NARROW and all(
            label_width + 2 + len(value) <= width * ratio // sum(_RATIOS)
            for column, label_width, ratio in zip(columns, widths, _RATIOS, strict=True)
            for _, value, _ in column
        )


def _fact(label: str, value: str, width: int, style: str) -> Text:
    return Text.assemble((f"{label:<{width}} ", "dim"), (value, style))
