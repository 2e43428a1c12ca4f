"""The schedule of a flow shop as a Gantt chart: a row for each machine, a colour for each job."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from prunus.errors import InputError
from prunus.model.arrays import Int64Array
from prunus.model.problem import Problem, Schedulable
from prunus.plot.figure import axes_for, draw_grid
from prunus.result import Result
from prunus.view import wording
from prunus.view.text import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Colour = tuple[float, float, float]

# Labels of more than this many operations would cost seconds and be too small to read.
_MAX_LABELS = 2500


def gantt(
    subject: Result | Problem,
    permutation: Sequence[int] | Int64Array | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw a schedule.

    Parameters
    ----------
    subject
        A `Result` with a schedule, or the problem, a flow shop for example.
    permutation
        The jobs in the order in which they are processed; needed with a problem; with a
        `Result`, drawn instead of its own schedule.
    ax
        The axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Save it with ``prunus.plot.save(ax, "schedule.png")``.

    Raises
    ------
    InputError
        If there is no schedule to draw or it is not a permutation of the jobs.
    MissingExtraError
        If Matplotlib is not installed.
    """
    problem = subject.problem if isinstance(subject, Result) else subject
    if not wording.has_schedule(problem):
        raise InputError(f"a Gantt chart shows a flow shop, not {type(problem).__name__}")
    if permutation is None and isinstance(subject, Result):
        permutation = subject.solution
    if permutation is None:
        raise InputError("there is no schedule to draw: give a permutation of the jobs")
    ends: Int64Array = problem.completion_times(permutation)
    order = [int(job) for job in permutation]
    ax = axes_for(ax, "drawing a schedule", 13.0, min(16.0, 2.0 + 0.31 * problem.machines))
    _operations(ax, problem, order, ends)
    _axes(ax, problem, int(ends[-1, -1]))
    ax.set_title(_title(subject, problem, order, int(ends[-1, -1])), loc="left", fontsize=12)
    return ax


def _operations(ax: Axes, problem: Schedulable, order: list[int], ends: Int64Array) -> None:
    widths = problem.processing_times[order]
    starts = ends - widths
    colours = _colours(len(order))
    for position in range(len(order)):
        ax.barh(
            range(problem.machines),
            widths[position],
            left=starts[position],
            height=0.86,
            color=colours[position],
            edgecolor="white",
            linewidth=0.6,
        )
    if ends.size <= _MAX_LABELS:
        _labels(ax, problem, order, starts, widths, colours)


def _labels(
    ax: Axes,
    problem: Schedulable,
    order: list[int],
    starts: Int64Array,
    widths: Int64Array,
    colours: list[Colour],
) -> None:
    """Write each job's name into its operations, where it fits."""
    names = problem.job_names or [str(job) for job in range(problem.jobs)]
    makespan = max(1, int((starts + widths)[-1, -1]))
    figure = ax.get_figure(root=True)
    inches = (figure.get_figwidth() if figure else 10.0) * ax.get_position().width
    for position, job in enumerate(order):
        for machine in range(problem.machines):
            width = widths[position, machine]
            # A character of 7 points takes about 0.06 inches.
            label = shortened(names[job], int((width * inches / makespan - 0.03) / 0.062))
            if not label:
                continue
            ax.text(
                starts[position, machine] + width / 2,
                machine,
                label,
                ha="center",
                va="center",
                fontsize=7,
                color="black" if _luminance(colours[position]) > 0.45 else "white",
                clip_on=True,
            )


def _axes(ax: Axes, problem: Schedulable, makespan: int) -> None:
    names = problem.machine_names or [f"machine {number}" for number in range(problem.machines)]
    # With very many machines every tenth name says enough.
    step = 1 if problem.machines <= 45 else 10
    ax.set_yticks(range(0, problem.machines, step), names[::step], fontsize=8)
    ax.set_ylim(problem.machines - 0.4, -0.6)
    ax.set_xlim(0, max(1, makespan) * 1.012)
    ax.axvline(makespan, color="black", linewidth=1.2, linestyle=(0, (4, 2)))
    ax.set_xlabel("time")
    ax.locator_params(axis="x", integer=True)
    ax.tick_params(length=0)
    draw_grid(ax, "top", "right", "left", across="x")


def _title(subject: Any, problem: Schedulable, order: list[int], makespan: int) -> str:
    name, value = "makespan", makespan
    objective = wording.objective_name(problem)
    if isinstance(subject, Result) and objective != name:
        name, value = objective, subject.problem.evaluate(order)
    words = f"{wording.title(problem)}   {name} {value}"
    if isinstance(subject, Result) and subject.objective == value:
        words += f", {subject.status.value}"
        if subject.gap:
            words += f" (gap {100 * subject.gap:.2f} %)"
    return words


def _colours(number: int) -> list[Colour]:
    """Return one colour for each position: once round the hues, neighbours told apart by light."""
    shades = ((0.62, 0.55), (0.42, 0.60), (0.74, 0.60))
    return [
        colorsys.hls_to_rgb(position / max(1, number) * 0.92, *shades[position % 3])
        for position in range(number)
    ]


def _luminance(colour: Colour) -> float:
    red, green, blue = colour
    return 0.299 * red + 0.587 * green + 0.114 * blue
