"""The course of a search: the incumbent and the proven bound over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prunus.errors import InputError
from prunus.model.arrays import Number
from prunus.plot.figure import axes_for, draw_grid, known_result
from prunus.result import Result
from prunus.view import wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def history(result: Result, *, ax: Axes | None = None) -> Axes:
    """Draw the incumbents of a search and its bound over time.

    Parameters
    ----------
    result
        A result with a history.
    ax
        The axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Save it with ``prunus.plot.save(ax, "history.png")``.

    Raises
    ------
    InputError
        If it is not a result, or the search found nothing that could be drawn.
    MissingExtraError
        If Matplotlib is not installed.
    """
    if not known_result(result).history:
        raise InputError("there is no history to draw: the search found no incumbent")
    ax = axes_for(ax, "drawing a history", 8.0, 4.5)
    name = wording.objective_name(result.problem)
    earlier = result.statistics.get("earlier_runtime", 0.0)
    end = max(earlier + result.runtime, result.history[-1].time)
    times = [entry.time for entry in result.history]
    values = [entry.objective for entry in result.history]
    ax.step([*times, end], [*values, values[-1]], where="post", color="C0", label=name)
    ax.plot(times, values, "o", color="C0", markersize=4)
    known = _bounds(result, end)
    side = wording.bound_name(result.problem)
    if known and side is not None and not wording.counts_solutions(result.problem):
        moments, bounds = zip(*known, strict=True)
        # Drawn from when it was known; one that is known only at the end is a point.
        if len(known) > 1:
            ax.step(moments, bounds, where="post", color="C1", label=side)
        ax.plot(
            *(moments[-1:], bounds[-1:], "o"),
            color="C1",
            markersize=4,
            label=None if len(known) > 1 else f"{side}, at the end",
        )
    ax.set_xlim(left=0)
    ax.margins(y=0.1)
    ax.set_xlabel("time [s]")
    ax.set_ylabel(name)
    ax.set_title(f"{wording.title(result.problem)}   {result.status.value}", loc="left")
    draw_grid(ax, "top", "right")
    ax.legend(frameon=False)
    return ax


def _bounds(result: Result, end: float) -> list[tuple[float, Number]]:
    """Return the bounds that were proven, each with the time since when it was known."""
    noted = [(time, bound) for time, bound in result.statistics.get("bounds", ())]
    noted += [(entry.time, entry.bound) for entry in result.history if entry.bound is not None]
    if result.bound is not None:
        noted.append((end, result.bound))
    best = max if not result.problem.maximise else min
    known: list[tuple[float, Number]] = []
    for time, bound in sorted(noted, key=lambda one: one[0]):
        known.append((time, best(bound, known[-1][1]) if known else bound))
    return known
