"""The course of a search on its devices is drawn from its trace."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from prunus.errors import InputError
from prunus.nqueens.problem import NQueens
from prunus.result import Result, Status
from prunus.runtime.trace import Trace

pytest.importorskip("matplotlib")

from matplotlib.axes import Axes
from matplotlib.patches import StepPatch

from prunus.plot import shares, trace


def a_result(*devices: str) -> Result:
    """Return a result whose device number d branches d + 1 nodes in each of ten seconds."""
    number = len(devices)
    time = np.arange(1.0, 11.0)
    steady = np.outer(time, np.arange(1, number + 1))
    samples = Trace(
        devices,
        time,
        steady.astype(np.int64),
        np.full((10, number), 3, np.int64),
        np.ones((10, number), np.int64),
        np.full((10, number), 0.25),
    )
    return Result(NQueens(8), Status.OPTIMAL, 92, 92, None, 10.0, trace=samples)


def layers(axes: Axes) -> list[StepPatch]:
    return [patch for patch in axes.patches if isinstance(patch, StepPatch)]


def test_layers_add_up() -> None:
    """Explorers and speeds of the devices are stacked to those of the whole machine."""
    upper, lower = trace(a_result("cuda:0", "cpu:0")).child_axes
    assert [patch.get_label() for patch in layers(upper)] == ["cuda:0", "cpu:0"]
    for axes, tops in ((upper, (1, 2)), (lower, (1, 3))):
        for patch, top in zip(layers(axes), tops, strict=True):
            assert np.allclose(patch.get_data().values, top)  # type: ignore[attr-defined]
    assert layers(lower)[0].get_data().edges[[0, -1]].tolist() == [0.0, 10.0]  # type: ignore[attr-defined]


def test_what_was_compiled_first_is_left_out() -> None:
    """The picture begins with the first node, and waiting for it is not being idle."""
    late = a_result("cpu:0", "cpu:1")
    assert late.trace is not None
    nodes = late.trace.nodes.copy()
    nodes[:4] = 0
    idle = late.trace.idle.copy()
    idle[4:] += 2.0
    late = replace(late, trace=replace(late.trace, nodes=nodes, idle=idle))
    assert late.trace is not None
    assert late.trace.waited == 4.0
    _, lower = trace(late).child_axes
    assert lower.get_xlim() == (4.0, 10.0)
    assert "idle 2.00 s" in shares(late).texts[1].get_text()


def test_many_cores_are_one_layer() -> None:
    """Sixteen cores beside a GPU are drawn as one device, as strong as all of them."""
    names = ("cuda:0", *(f"cpu:{core}" for core in range(16)))
    upper, lower = trace(a_result(*names)).child_axes
    assert [patch.get_label() for patch in layers(upper)] == ["cuda:0", "cpu:16"]
    assert np.allclose(layers(upper)[1].get_data().values, 17)  # type: ignore[attr-defined]
    assert np.allclose(layers(lower)[1].get_data().values, 17 * 18 / 2)  # type: ignore[attr-defined]


def test_shares_are_of_the_whole() -> None:
    """Each device has a bar as long as its part of all nodes, and its steals beside it."""
    axes = shares(a_result("cpu:0", "cpu:1", "cpu:2", "cpu:3"))
    assert np.allclose([bar.get_width() for bar in axes.patches], [10, 20, 30, 40])  # type: ignore[attr-defined]
    assert axes.texts[3].get_text().split() == ["40.00", "%", "3", "steals,", "idle", "0.25", "s"]


@pytest.mark.parametrize("draw", [trace, shares])
def test_short_searches_and_none(draw: object) -> None:
    """A single sample is drawn; without a trace there is nothing to draw."""
    assert callable(draw)
    one = Trace(("cpu:0",), *(np.zeros((1, 1)[:rank]) for rank in (1, 2, 2, 2, 2)))  # type: ignore[arg-type]
    draw(Result(NQueens(4), Status.OPTIMAL, 2, 2, None, 0.0, trace=one)).figure.canvas.draw()
    with pytest.raises(InputError, match="only tree searches record one"):
        draw(Result(NQueens(4), Status.OPTIMAL, 2, 2, None, 0.0))


def test_a_short_run_says_so() -> None:
    """With a few samples the heights are averages, which the picture says."""
    one = np.array([[1]])
    samples = Trace(("cpu:0",), np.array([0.04]), 1000 * one, 0 * one, one, 0.0 * one)
    result = Result(NQueens(4), Status.OPTIMAL, 2, 2, None, 0.1, trace=samples)
    words = [text.get_text() for text in trace(result).child_axes[0].texts]
    assert words == ["1 sample in 0.04 s: the run was too short for more than averages"]
    times = np.repeat([0.001, 0.04], 10)
    ones = np.ones((20, 1), dtype=int)
    again = Trace(("cpu:0",), times, np.arange(20)[:, None], 0 * ones, ones, 0.0 * ones)
    result = Result(NQueens(4), Status.OPTIMAL, 2, 2, None, 0.1, trace=again)
    assert "2 samples in 0.04 s" in trace(result).child_axes[0].texts[0].get_text()
