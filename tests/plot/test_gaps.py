"""The proven gap is drawn over time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import prunus
from prunus.errors import InputError

pytest.importorskip("matplotlib")

from prunus.plot import gaps


def test_a_line_for_each_curve() -> None:
    """Points are sorted by time, those without a gap are left out, and 0 is a star below all."""
    lines = gaps({"one": [(1.0, 0.01), (0.1, 0.5), (0.01, None), (2.0, 0.0)], "two": [(1.0, 0.2)]})
    one, stars, two, none, _, legend = lines.get_lines()
    assert np.asarray(one.get_xdata()).tolist() == [0.1, 1.0, 2.0]
    assert np.asarray(one.get_ydata())[:2].tolist() == [0.5, 0.01]
    zero = float(np.asarray(stars.get_ydata())[0])
    assert zero == pytest.approx(0.001)
    labels = {
        float(tick): label.get_text()
        for tick, label in zip(lines.get_yticks(), lines.get_yticklabels(), strict=True)
    }
    assert labels[min(labels)] == "0 %"
    assert min(labels) == pytest.approx(zero)
    assert np.asarray(stars.get_xdata()).tolist() == [2.0]
    assert (one.get_label(), two.get_label(), legend.get_label()) == ("one", "two", "optimal")
    assert len(np.asarray(none.get_xdata())) == 0


def test_times_and_gaps_are_written_as_people_read_them() -> None:
    """Milliseconds and per cent, at one, two and five where there is room."""
    axes = gaps({"one": [(0.0021, 0.5), (0.04, 0.0004)]})
    axes.figure.canvas.draw()
    times = [label.get_text() for label in axes.get_xticklabels()]
    assert {"2 ms", "5 ms", "10 ms", "20 ms"} <= set(times)
    gaps_written = [label.get_text() for label in axes.get_yticklabels()]
    assert {"0.1 %", "1 %", "10 %"} <= set(gaps_written)
    axes = gaps({"one": [(0.00001, 0.5), (400.0, 0.4)]})
    axes.figure.canvas.draw()
    times = [label.get_text() for label in axes.get_xticklabels()]
    assert {"10 µs", "1 ms", "1 s", "100 s"} <= set(times)
    assert "20 ms" not in times


def test_nothing_proven() -> None:
    """Without any gap there is nothing to draw."""
    with pytest.raises(InputError, match="no gaps"):
        gaps({"one": [(1.0, None)]})
    for time in (0.0, -1.0, float("nan")):
        with pytest.raises(InputError, match="one: a time is not above 0"):
            gaps({"one": [(time, 0.5)]})
    gaps({"one": [(1.0, 0.0)]})


def test_what_is_no_mapping_of_pairs_is_refused_in_a_sentence() -> None:
    """A result, a list or a mapping of results, and bare pairs get a sentence with the form."""
    result = prunus.solve(prunus.FlowShop([[3, 2], [1, 4]]), devices="cpu:1")
    given: list[Any] = [result, [result], {"a": result}, {"a": [result]}, [(1.0, 0.1)], {"a": "b"}]
    for curves in given:
        with pytest.raises(InputError, match=r"pairs of seconds and gap .* single result"):
            gaps(curves)
