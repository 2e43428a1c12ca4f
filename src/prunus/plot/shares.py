"""Each device's share of the work: how evenly a search was spread."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from prunus.plot.figure import axes_for, draw_grid
from prunus.plot.trace import known_trace
from prunus.result import Result
from prunus.view import text, wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def shares(result: Result, *, ax: Axes | None = None) -> Axes:
    """Draw each device's share of the branched nodes, with its steals and its idle time.

    As in figure 11 of Helbecque et al. (2025). For a resumed solve, the last run is shown.

    Parameters
    ----------
    result
        The result of a tree search.
    ax
        The axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Save it with ``prunus.plot.save(ax, "shares.png")``.

    Raises
    ------
    InputError
        If no tree was searched.
    MissingExtraError
        If Matplotlib is not installed.
    """
    trace = known_trace(result)
    number = len(trace.devices)
    ax = axes_for(ax, "drawing shares", 8.0, min(24.0, 1.2 + 0.36 * number))
    share = trace.share
    # A core that waits for the others to compile is not idle for want of work.
    compiling = trace.idle[trace.time <= trace.waited]
    before = compiling[-1] if len(compiling) else np.zeros(number)
    colours = ["C0" if name.startswith("cpu") else "C1" for name in trace.devices]
    ax.barh(range(number), 100 * share, height=0.74, color=colours)
    for row in range(number):
        steals = text.plural(int(trace.steals[-1, row]), "steal")
        idle = text.duration(float(trace.idle[-1, row] - before[row]))
        words = f" {text.percent(float(share[row]))}   {steals}, idle {idle}"
        ax.text(100 * float(share[row]), row, words, va="center", fontsize=9)
    ax.set_yticks(range(number), trace.devices)
    ax.set_ylim(number - 0.4, -0.6)
    # Room for the words beside the longest bar.
    ax.set_xlim(0.0, max(100 * float(share.max()), 1e-9) * 1.5)
    ax.set_xticks([tick for tick in ax.get_xticks() if tick <= 100])
    ax.set_xlabel("share of the branched nodes [%]")
    ax.set_title(f"{wording.title(result.problem)}   {result.status.value}", loc="left")
    ax.tick_params(axis="y", length=0)
    draw_grid(ax, "top", "right", "left", across="x")
    return ax
