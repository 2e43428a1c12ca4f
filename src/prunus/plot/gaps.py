"""The proven gap against the time that a solve was given."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from prunus.errors import InputError
from prunus.plot.figure import axes_for, draw_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def gaps(
    curves: Mapping[str, Iterable[tuple[float, float | None]]], *, ax: Axes | None = None
) -> Axes:
    """Draw the proven gap over time, both on logarithmic scales, one line per curve.

    Parameters
    ----------
    curves
        For each label, pairs of the seconds that a solve had (above 0) and the relative gap of its
        result, ``result.gap``. A gap of None, where nothing was proven yet, is left out; a gap of
        0 is drawn as a star on the line 0 % at the bottom.
    ax
        The axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Save it with ``prunus.plot.save(ax, "gaps.png")``.

    Raises
    ------
    InputError
        If ``curves`` has another form, there is nothing to draw, or a time is not above 0.
    MissingExtraError
        If Matplotlib is not installed.

    Examples
    --------
    >>> limits = (0.01, 0.1, 1.0)  # doctest: +SKIP
    >>> found = [prunus.solve(problem, time_limit=limit) for limit in limits]  # doctest: +SKIP
    >>> gaps({"this machine": [(r.runtime, r.gap) for r in found]})  # doctest: +SKIP
    """
    try:
        known = {
            label: sorted((float(seconds), gap) for seconds, gap in curve if gap is not None)
            for label, curve in curves.items()
        }
    except (AttributeError, TypeError, ValueError):
        raise InputError(
            "gaps takes pairs of seconds and gap for each label, such as "
            '{"this machine": [(r.runtime, r.gap) for r in results]}; '
            "history draws how the gap of a single result closed"
        ) from None
    for label, curve in known.items():
        if any(not seconds > 0 for seconds, _ in curve):
            raise InputError(f"{label}: a time is not above 0 and cannot be shown on this scale")
    every = [gap for curve in known.values() for _, gap in curve]
    if not every:
        raise InputError("there are no gaps to draw: no bound was proven")
    ax = axes_for(ax, "drawing gaps", 7.0, 4.2)
    positive = [gap for gap in every if gap > 0]
    # Zero has no place on a logarithmic scale: it is a decade below the smallest gap.
    floor = 10.0 ** (math.floor(math.log10(min(positive))) - 1) if positive else 1e-6
    for label, curve in known.items():
        times = [seconds for seconds, _ in curve]
        heights = [max(gap, floor) for _, gap in curve]
        (line,) = ax.plot(times, heights, "o-", markersize=4, label=label)
        proven = [seconds for seconds, gap in curve if gap == 0]
        ax.plot(proven, [floor] * len(proven), "*", markersize=11, color=line.get_color())
    ax.set_xscale("log")
    ax.set_yscale("log")
    if 0 in every:
        ax.set_ylim(bottom=floor / 1.6)
        ax.axhline(floor, color="0.8", linewidth=0.8, zorder=0)
        ax.plot([], [], "*", markersize=11, color="0.4", label="optimal")
    _ticks(ax, floor if 0 in every else None)
    ax.set_xlabel("time")
    ax.set_ylabel("proven gap")
    draw_grid(ax, "top", "right")
    ax.legend(frameon=False)
    return ax


def _ticks(ax: Axes, zero: float | None) -> None:
    """Write times as 2 ms and gaps as 0.1 %, few enough to be read, and where 0 % is."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for axis, (low, high), words in (
        (ax.xaxis, ax.get_xlim(), _time),
        (ax.yaxis, ax.get_ylim(), _percent),
    ):
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < 100 * low else (1.0,)))
        axis.set_major_formatter(FuncFormatter(words))
        axis.set_minor_formatter(NullFormatter())
    if zero is not None:
        low, high = ax.get_ylim()
        ticks = [tick for tick in ax.get_yticks() if 2 * zero < tick <= high]
        ax.set_yticks([zero, *ticks], ["0 %", *(_percent(tick) for tick in ticks)])
        ax.set_ylim(low, high)


def _percent(gap: float, position: int | None = None) -> str:
    return f"{100 * gap:g} %"


def _time(seconds: float, position: int | None = None) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= 0.999 * size:
            return f"{seconds / size:g} {unit}"
    return f"{seconds * 1e6:g} µs"
