"""What the devices did over time: active explorers and nodes per second."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.plot.figure import axes_for, draw_grid, known_result
from prunus.result import Result
from prunus.runtime.trace import Trace
from prunus.view import text, wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More layers cannot be told apart.
_MOST = 8
# More steps than this are narrower than a line.
_STEPS = 240
# A part of the time in which nothing is branched, and which is not worth its space.
_WAIT = 0.2
# With fewer samples than this there are no more than averages to see.
_FEW = 6


def trace(result: Result, *, ax: Axes | None = None) -> Axes:
    """Draw the active explorers and the speed of each device over time, stacked.

    The heights add up to those of the whole machine (cf. Gmys, Mezmaz, Melab and Tuyttens 2017,
    figure 5). With more than eight devices the cores are drawn as one. The picture starts at the
    first node if compiling took noticeable time.

    Parameters
    ----------
    result
        The result of a tree search.
    ax
        The axes whose place the two panels take; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Its ``child_axes`` are the panels. Save it with ``prunus.plot.save(ax, "trace.png")``.

    Raises
    ------
    InputError
        If no tree was searched.
    MissingExtraError
        If Matplotlib is not installed.
    """
    samples = known_trace(result)
    ax = axes_for(ax, "drawing a trace", 9.0, 5.2)
    names, active, nodes = _layers(samples)
    end = max(float(samples.time[-1]), 1e-9)
    # What was compiled first would be most of the picture.
    begin = samples.waited if _WAIT * end < samples.waited < end else 0.0
    # A device that ends or waits reports at once: several samples of one moment are one.
    seen = len(np.unique(np.round(100 * samples.time / end)))
    moments = np.linspace(begin, end, min(_STEPS, max(2, seen)) + 1)
    # Samples come when the main thread has time; even steps of the nodes so far hide that.
    speeds = np.diff(_at(moments, samples.time, nodes), axis=0) / np.diff(moments)[:, None]
    middles = (moments[1:] + moments[:-1]) / 2
    busy = _at(middles, samples.time, active, start=active[0])
    ax.set_axis_off()
    ax.set_title(f"{wording.title(result.problem)}   {result.status.value}", loc="left")
    upper = ax.inset_axes((0.0, 0.54, 1.0, 0.46))
    lower = ax.inset_axes((0.0, 0.0, 1.0, 0.46), sharex=upper)
    _stack(upper, moments, busy, names)
    _stack(lower, moments, speeds, names)
    upper.set_ylim(top=max(1.0, upper.get_ylim()[1]))
    _ticks(upper, lower)
    upper.set_ylabel("active explorers")
    upper.tick_params(labelbottom=False)
    lower.set_ylabel("nodes/s")
    lower.set_xlabel("time since the tree search began [s]")
    lower.set_xlim(begin, end)
    if seen < _FEW:
        count = text.plural(seen, "sample")
        words = f"{count} in {text.duration(end)}: the run was too short for more than averages"
        upper.text(0.01, 1.03, words, transform=upper.transAxes, color="C3")
    upper.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=4, frameon=False)
    return ax


def known_trace(result: Result) -> Trace:
    """Return the trace of a result; raise ``InputError`` if there is none."""
    known = known_result(result).trace
    if known is None or len(known.time) == 0:
        raise InputError(
            "there is no trace to draw: only tree searches record one (a flow shop's with "
            "method='interval')"
        )
    return known


def _layers(trace: Trace) -> tuple[list[str], NDArray[np.float64], NDArray[np.float64]]:
    """Return names, active explorers and nodes, (samples, layers), of what is told apart."""
    names = list(trace.devices)
    active, nodes = trace.active.astype(float), trace.nodes.astype(float)
    cores = np.array([name.startswith("cpu") for name in names])
    if len(names) <= _MOST or cores.sum() < 2:
        return names, active, nodes
    others = [name for name, core in zip(names, cores, strict=True) if not core]

    def join(values: NDArray[np.float64]) -> NDArray[np.float64]:
        together = values[:, cores].sum(axis=1, keepdims=True)
        return np.hstack([values[:, ~cores], together])

    return [*others, f"cpu:{cores.sum()}"], join(active), join(nodes)


def _at(
    moments: NDArray[np.float64],
    time: NDArray[np.float64],
    values: NDArray[np.float64],
    start: NDArray[np.float64] | float = 0.0,
) -> NDArray[np.float64]:
    """Return the values of each column at some moments, between the samples and from time 0."""
    first = np.broadcast_to(start, (1, values.shape[1]))
    known, times = np.vstack([first, values]), np.concatenate([[0.0], time])
    return np.column_stack([np.interp(moments, times, column) for column in known.T])


def _stack(
    axes: Axes, moments: NDArray[np.float64], heights: NDArray[np.float64], names: list[str]
) -> None:
    """Draw steps upon each other: row i of the heights lasts from moment i to the next."""
    below = np.zeros(len(heights))
    for number, name in enumerate(names):
        above = below + heights[:, number]
        axes.stairs(above, moments, baseline=below, fill=True, color=f"C{number}", label=name)
        below = above
    axes.set_ylim(0.0, max(float(below.max()) * 1.08, 1e-9))
    draw_grid(axes, "top", "right")


def _ticks(explorers: Axes, speed: Axes) -> None:
    """Write whole explorers, and millions as M."""
    from matplotlib.ticker import EngFormatter, MaxNLocator

    explorers.yaxis.set_major_locator(MaxNLocator(integer=True))
    speed.yaxis.set_major_formatter(EngFormatter())
