"""A schedule as a small SVG picture, for notebooks; needs nothing but the library itself."""

from __future__ import annotations

import html

from prunus.model.arrays import Int64Array
from prunus.model.spec import Schedulable

__all__ = ["schedule_svg"]

_WIDTH = 640
_ROW = 12
_MARGIN = 4
# More operations would make the notebook heavy and the picture a blur.
_MAX_OPERATIONS = 5000


def schedule_svg(problem: Schedulable, schedule: Int64Array) -> str:
    """Return a Gantt chart: a row for each machine, a colour for each position of the schedule.

    Pointing at an operation shows its job, its machine and its times.

    Parameters
    ----------
    problem
        What was scheduled, a flow shop for example.
    schedule
        A permutation of its jobs.

    Returns
    -------
    str
        An ``<svg>`` element, or nothing for a schedule too large to be readable.
    """
    ends = problem.completion_times(schedule)
    makespan = int(ends[-1, -1])
    if ends.size > _MAX_OPERATIONS or makespan == 0:
        return ""
    scale = (_WIDTH - 2 * _MARGIN) / makespan
    height = problem.machines * _ROW + 2 * _MARGIN
    bars = []
    for position, job in enumerate(schedule.tolist()):
        # Neighbours differ in lightness, too, as in the larger chart.
        colour = f"hsl({round(331 * position / len(schedule))},55%,{(60, 44, 70)[position % 3]}%)"
        shapes = []
        for machine in range(problem.machines):
            end = int(ends[position, machine])
            start = end - int(problem.processing_times[job, machine])
            if start == end:
                continue
            words = f"{_name(problem.job_names, 'job', job)}, "
            words += f"{_name(problem.machine_names, 'machine', machine)}: {start} to {end}"
            shapes.append(
                f'<rect x="{_MARGIN + start * scale:.1f}" y="{_MARGIN + machine * _ROW}" '
                f'width="{max(0.5, (end - start) * scale - 0.5):.1f}" height="{_ROW - 2}">'
                f"<title>{words}</title></rect>"
            )
        bars.append(f'<g fill="{colour}">{"".join(shapes)}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="schedule with makespan {makespan}">{"".join(bars)}'
        f'<path d="M{_WIDTH - _MARGIN} 0V{height}" stroke="currentColor" stroke-dasharray="4 2"/>'
        "</svg>"
    )


def _name(names: tuple[str, ...] | None, kind: str, index: int) -> str:
    return html.escape(names[index]) if names else f"{kind} {index}"
