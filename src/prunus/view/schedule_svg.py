"""A schedule as a small SVG picture, for notebooks; needs nothing but the library itself."""

from __future__ import annotations

import html

from prunus.model.arrays import Int64Array
from prunus.model.problem import Schedulable
from prunus.view.text import shortened

_WIDTH = 640
_ROW = 14
_MARGIN = 4
_GUTTER = 76
"""Where the names of the machines stand."""
_LETTER = 4.6
"""How wide a character of the labels is, about."""
_LONGEST = 15
"""Characters of a machine's name that there is room for."""
# More operations would make the notebook heavy and the picture a blur.
_MAX_OPERATIONS = 5000


def schedule_svg(problem: Schedulable, schedule: Int64Array) -> str:
    """Return a Gantt chart: a row for each machine, a colour for each position of the schedule.

    Jobs are named in their operations where there is room. Pointing at one shows its job, its
    machine and its times.

    The schedule is a permutation of the problem's jobs. Returns an ``<svg>`` element, or nothing
    for a schedule too large to be readable.
    """
    ends = problem.completion_times(schedule)
    makespan = int(ends[-1, -1])
    if ends.size > _MAX_OPERATIONS or makespan == 0:
        return ""
    scale = (_WIDTH - _GUTTER - _MARGIN) / makespan
    base = problem.machines * _ROW + 2 * _MARGIN
    bars, labels = [], []
    for position, job in enumerate(schedule.tolist()):
        # Neighbours differ in lightness, too, as in the larger chart.
        lightness = (60, 44, 70)[position % 3]
        colour = f"hsl({round(331 * position / len(schedule))},55%,{lightness}%)"
        ink = "#fff" if lightness < 50 else "#000"
        shapes = []
        for machine in range(problem.machines):
            end = int(ends[position, machine])
            start = end - int(problem.processing_times[job, machine])
            if start == end:
                continue
            words = f"{_name(problem.job_names, 'job', job)}, "
            words += f"{_name(problem.machine_names, 'machine', machine)}: {start} to {end}"
            shapes.append(
                f'<rect x="{_GUTTER + start * scale:.1f}" y="{_MARGIN + machine * _ROW}" '
                f'width="{max(0.5, (end - start) * scale - 0.5):.1f}" height="{_ROW - 2}">'
                f"<title>{words}</title></rect>"
            )
            label = problem.job_names[job] if problem.job_names else str(job)
            label = shortened(label, int(((end - start) * scale - 2) / _LETTER))
            if label:
                middle = _GUTTER + (start + end) / 2 * scale
                labels.append(_text(middle, machine, label, f'text-anchor="middle" fill="{ink}"'))
        bars.append(f'<g fill="{colour}">{"".join(shapes)}</g>')
    for machine in range(problem.machines):
        name = problem.machine_names[machine] if problem.machine_names else f"machine {machine}"
        name = shortened(name, _LONGEST)
        labels.append(_text(_GUTTER - 4, machine, name, 'text-anchor="end" fill="currentColor"'))
    times = "".join(
        f'<text x="{x}" y="{base + 9}" text-anchor="{anchor}" fill="currentColor">{time}</text>'
        for x, anchor, time in ((_GUTTER, "start", 0), (_WIDTH - _MARGIN, "end", makespan))
    )
    height = base + 12
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="schedule with makespan {makespan}">{"".join(bars)}'
        f'<g font-family="sans-serif" font-size="8" pointer-events="none">{"".join(labels)}'
        f"{times}</g>"
        f'<path d="M{_WIDTH - _MARGIN} 0V{base}" stroke="currentColor" stroke-dasharray="4 2"/>'
        "</svg>"
    )


def _text(x: float, machine: int, words: str, how: str) -> str:
    """Return a label in the row of a machine."""
    y = _MARGIN + machine * _ROW + _ROW / 2 + 2
    return f'<text x="{x:.1f}" y="{y:.1f}" {how}>{html.escape(words)}</text>'


def _name(names: tuple[str, ...] | None, kind: str, index: int) -> str:
    return html.escape(names[index]) if names else f"{kind} {index}"
