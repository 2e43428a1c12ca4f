"""The proven gap is drawn over time."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.errors import InputError

pytest.importorskip("matplotlib")

from prunus.plot import gaps


def test_a_line_for_each_curve() -> None:
    """Points are sorted by time, those without a gap are left out, and 0 is a star below all."""
    lines = gaps({"one": [(1.0, 0.01), (0.1, 0.5), (0.01, None), (2.0, 0.0)], "two": [(1.0, 0.2)]})
    one, stars, two, none = lines.get_lines()
    assert np.asarray(one.get_xdata()).tolist() == [0.1, 1.0, 2.0]
    assert np.asarray(one.get_ydata())[:2].tolist() == [0.5, 0.01]
    assert 0 < np.asarray(stars.get_ydata())[0] < 0.01
    assert np.asarray(stars.get_xdata()).tolist() == [2.0]
    assert (one.get_label(), two.get_label()) == ("one", "two")
    assert len(np.asarray(none.get_xdata())) == 0


def test_nothing_proven() -> None:
    """Without any gap there is nothing to draw."""
    with pytest.raises(InputError, match="no gaps"):
        gaps({"one": [(1.0, None)]})
    gaps({"one": [(1.0, 0.0)]})
