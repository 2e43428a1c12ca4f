"""The Gantt chart shows the schedule that the problem's own evaluation gives."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.errors import InputError
from prunus.flowshop.problem import FlowShop
from prunus.nqueens.problem import NQueens
from prunus.result import Result, Status

pytest.importorskip("matplotlib")

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from prunus.plot import gantt

SHOP = FlowShop(
    [[30, 20], [10, 40], [20, 0]],
    job_names=["gear", "shaft", "pin"],
    machine_names=["lathe", "mill"],
    name="tiny",
)
ORDER = [1, 0, 2]


def bars(axes: Axes) -> list[tuple[float, float, float]]:
    """Return (middle of the row, start, end) of each bar."""
    boxes = [patch.get_bbox() for patch in axes.patches]  # type: ignore[attr-defined]
    return [((box.y0 + box.y1) / 2, box.x0, box.x1) for box in boxes]


def test_each_operation_is_a_bar() -> None:
    """Every bar lies on its machine, begins and ends when its operation does."""
    axes = gantt(SHOP, ORDER)
    ends = SHOP.completion_times(ORDER)
    expected = [
        (machine, ends[position, machine] - SHOP.processing_times[job, machine], end)
        for position, job in enumerate(ORDER)
        for machine, end in enumerate(ends[position])
    ]
    assert np.allclose(bars(axes), expected)


def test_names_and_makespan_are_told() -> None:
    """The machines, the jobs that have room, the makespan and the instance are written."""
    axes = gantt(SHOP, ORDER)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["lathe", "mill"]
    assert {text.get_text() for text in axes.texts} == {"gear", "shaft", "pin"}
    assert axes.get_title(loc="left") == "tiny – FlowShop, 3 jobs × 2 machines   makespan 70"


def test_of_a_result() -> None:
    """A result is drawn with its schedule and its status."""
    result = Result(SHOP, Status.FEASIBLE, 70, 63, np.array(ORDER), 0.1)
    assert "makespan 70, feasible (gap 10.00 %)" in gantt(result).get_title(loc="left")


def test_another_schedule_of_a_result_gets_no_status() -> None:
    """A schedule that is not the result's does not borrow its proof."""
    result = Result(SHOP, Status.OPTIMAL, 70, 70, np.array(ORDER), 0.1)
    assert SHOP.evaluate([0, 1, 2]) != 70
    assert "optimal" not in gantt(result, [0, 1, 2]).get_title(loc="left")


def test_into_given_axes() -> None:
    """With ``ax`` nothing new is made."""
    axes = Figure().add_subplot()
    assert gantt(SHOP, ORDER, ax=axes) is axes


def test_large_instances_are_drawn_without_labels() -> None:
    """Five hundred jobs are drawn in colours alone."""
    shop = FlowShop(np.ones((500, 6), dtype=int))
    axes = gantt(shop, range(500))
    assert len(axes.patches) == 3000
    assert len(axes.texts) == 0


def test_zeros_everywhere() -> None:
    """A makespan of zero is drawn, too."""
    gantt(FlowShop([[0]]), [0]).figure.canvas.draw()


def test_what_cannot_be_drawn() -> None:
    """No schedule, a wrong one and another problem are refused."""
    with pytest.raises(InputError, match="permutation"):
        gantt(SHOP)
    with pytest.raises(InputError):
        gantt(SHOP, [0, 0, 1])
    with pytest.raises(InputError, match="NQueens"):
        gantt(NQueens(4), [1, 3, 0, 2])
    with pytest.raises(InputError, match="no schedule"):
        gantt(Result(SHOP, Status.UNKNOWN, None, None, None, 0.1))


def test_another_objective_is_told() -> None:
    """Of a result: the total flow time, and whether it is proven."""
    problem = FlowShop([[3, 2], [1, 4], [2, 2]], objective="flowtime")
    result = Result(problem, Status.OPTIMAL, 21, 21, np.array([1, 2, 0]), 0.1)
    assert gantt(result).get_title(loc="left").endswith("   total flow time 21, optimal")
    assert gantt(result, [0, 1, 2]).get_title(loc="left").endswith("   total flow time 25")
