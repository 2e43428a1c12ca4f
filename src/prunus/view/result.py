"""How a result reads: aligned text for the terminal, a compact table for a notebook."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from prunus.errors import printable
from prunus.view import text, wording
from prunus.view.schedule_svg import schedule_svg

if TYPE_CHECKING:
    from prunus.result import Result

_LABEL = 12
_MOST = 200
"""Entries of a solution that are shown: with them a report fills most of a terminal's screen."""

_WAIT = 1.0
"""Seconds of compiling that are worth a word; what is compiled is loaded in less."""


def rows(result: Result) -> list[tuple[str, str]]:
    """Return what there is to say about a result as (label, words), most important first."""
    found = [("status", _status(result))]
    name = wording.objective_name(result.problem)
    counting = wording.counts_solutions(result.problem)
    if result.objective is not None:
        # A makespan is a value to look up and compare, a count of solutions a large number to read.
        value = text.count(result.objective) if counting else str(result.objective)
        found.append((name, value))
    bound_name = wording.bound_name(result.problem)
    if result.bound is not None and not counting and bound_name:
        gap = "" if result.gap is None else f" (gap {text.percent(result.gap)})"
        found.append((bound_name, f"{result.bound}{gap}"))
    searched, speed = _search(result)
    found.append(("runtime", _runtime(result, searched)))
    if result.nodes:
        found.append(("nodes", f"{text.count(result.nodes)}{speed}"))
    if wording.explores(result.problem):
        found.append(("explored", f"{text.percent(result.explored)} of the search space"))
    where = f" on {', '.join(result.devices)}" if result.devices else ""
    if result.method or where:
        found.append(("method", f"{result.method}{where}".strip()))
    written = result.statistics.get("checkpoints", 0)
    if written:
        found.append(("checkpoints", f"{text.count(written)} written"))
    if result.host_solution is not None:
        names = result.solution_names
        entries = names or result.host_solution.ravel()
        # Of a stack of problems each has a solution of its own.
        each = result.host_solution.shape[-1] if result.host_solution.ndim > 1 else len(entries)
        shown = [str(entry) for entry in entries[:_MOST]]
        words = " | ".join(" ".join(shown[i : i + each]) for i in range(0, len(shown), each or 1))
        if len(entries) > _MOST:
            words += f" … and {len(entries) - _MOST:,} more, not shown"
        # The names say themselves; bare numbers must say where they begin.
        words += "" if names else " (0-based)"
        found.append((wording.solution_name(result.problem), words))
        others = wording.other_solutions(result.problem)
        if others is not None:
            found.append(("others", others))
    return found


def as_text(result: Result, *, width: int = 80, more: Sequence[tuple[str, str]] = ()) -> str:
    """Return the title and the rows, and more of them, as aligned lines.

    They are broken where they would be wider than `width` columns. Words may come from a file: they
    give no orders to the terminal.
    """
    found = [(printable(label), printable(words)) for label, words in (*rows(result), *more)]
    # A problem of a user's own may call its objective by any name.
    indent = max(_LABEL, *(len(label) + 1 for label, _ in found))
    lines = [
        textwrap.fill(
            words,
            width,
            initial_indent=f"  {label:<{indent}}",
            subsequent_indent=" " * (indent + 2),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for label, words in found
    ]
    return "\n".join([printable(wording.title(result.problem)), *lines])


def as_html(result: Result) -> str:
    """Return the title and the rows as a compact HTML table, and a small picture of a schedule."""
    cells = "".join(
        f'<tr><th style="text-align:left;font-weight:normal;opacity:.65">{html.escape(label)}</th>'
        f'<td style="text-align:left">{html.escape(words)}</td></tr>'
        for label, words in rows(result)
    )
    title = html.escape(wording.title(result.problem))
    caption = f'<caption style="text-align:left;font-weight:bold">{title}</caption>'
    return f"<div><table>{caption}{cells}</table>{_picture(result)}</div>"


def _picture(result: Result) -> str:
    if result.host_solution is None or not wording.has_schedule(result.problem):
        return ""
    return schedule_svg(result.problem, result.host_solution)


def _runtime(result: Result, searched: str) -> str:
    earlier = result.statistics.get("earlier_runtime")
    words = f"{text.duration(result.runtime)}{searched}"
    compiled = result.statistics.get("compile_time", 0.0)
    if compiled >= _WAIT:
        words += f", and {text.duration(compiled)} of compiling (once) or loading"
    return words if earlier is None else f"{words}, after {text.duration(earlier)} in earlier runs"


def _search(result: Result) -> tuple[str, str]:
    """Say how long the search itself took, heuristics apart, and how many nodes a second it did.

    Returns what follows the runtime, where the two differ, and what follows the number of nodes.
    """
    # Heuristics branch nothing, and the nodes of earlier runs took none of this one's time.
    seconds = result.statistics.get("search_time", result.runtime)
    if result.trace is not None:
        seconds -= result.trace.waited
    nodes = result.nodes - result.statistics.get("earlier_nodes", 0)
    # A speed over a moment too short to measure says nothing; nor does one of a search that went on
    # while code was compiled, because the clock stood still meanwhile.
    compiled = result.statistics.get("compile_time", 0.0)
    if seconds <= (compiled if compiled >= _WAIT else 1e-3) or nodes <= 0:
        return "", ""
    long, whole = text.duration(seconds), text.duration(result.runtime)
    apart = "" if long == whole else f", {long} of it for the search"
    this_run = "" if nodes == result.nodes else f", {text.count(nodes)} in this run"
    return apart, f"{this_run} ({text.rate(nodes / seconds)})"


def _status(result: Result) -> str:
    words = {
        "optimal": "optimal (proven)",
        "feasible": "feasible (not proven optimal)",
        "infeasible": _nothing(result),
        "unknown": "unknown (nothing found yet)",
    }[result.status.value]
    if wording.counts_solutions(result.problem):
        words = {"optimal": "complete", "feasible": "incomplete (count so far)"}.get(
            result.status.value, words
        )
    return f"{words}, stopped by {result.stopped_by}" if result.stopped_by else words


def _nothing(result: Result) -> str:
    """Say what is proven not to exist: a solution, or one better than the given upper bound."""
    if result.upper_bound is None:
        return "infeasible (proven: there is no solution)"
    side = "above" if result.problem.maximise else "below"
    name = wording.objective_name(result.problem)
    return f"nothing better exists (proven: no {name} {side} {result.upper_bound})"
