"""The speed that is shown is that of the search at present, however its nodes are counted."""

from __future__ import annotations

import pytest

from prunus.runtime.speed import Speed


def test_leaps_are_measured_from_one_to_the_next() -> None:
    """Workers return their nodes every few seconds: looks in between do not make that fast."""
    speed = Speed()
    told = [speed.note(1000 * (look // 50), look / 10, searching=True) for look in range(1, 201)]
    assert told[:49] == [0.0] * 49
    assert told[49:] == pytest.approx([200.0] * 151)


def test_what_comes_before_the_search_takes_none_of_its_time() -> None:
    """First incumbents take seconds in which nothing is branched."""
    speed = Speed(500)
    for look in range(10):
        assert speed.note(500, float(look), searching=False) == 0.0
    assert speed.note(500, 10.0, searching=True) == 0.0
    assert speed.note(600, 10.0, searching=True) == pytest.approx(100.0)


def test_it_follows_the_search_without_flickering() -> None:
    """A measurement takes half a second, and then the new speed is told."""
    speed, nodes, told = Speed(), 0, []
    for look in range(40):
        nodes += 10 if look < 20 else 30
        told.append(speed.note(nodes, (look + 1) / 8, searching=True))
    assert told[0] == pytest.approx(80.0)
    assert told[19] == pytest.approx(80.0)
    assert told[-1] == pytest.approx(240.0)
    assert len(set(told)) <= 4


def test_a_pause_says_little_of_what_is_to_come() -> None:
    """Half a second without a node in the twelfth second."""
    speed = Speed()
    assert speed.lately == 0.0
    for look in range(1, 97):
        speed.note(100 * (look - 4 * (look > 92)), look / 8, searching=True)
        assert speed.lately == pytest.approx(800.0, rel=0.15)
