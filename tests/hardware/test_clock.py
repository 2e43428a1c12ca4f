"""The clock of a solve stands still while code is compiled; for GPUs see test_gpu_deadline.py."""

from __future__ import annotations

import threading

import pytest

import prunus
from prunus.hardware import clock

LIMIT = 60.0
"""Seconds; far more than a small instance takes, and far less than the slow compiler does."""


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Set the time that the clock is read from: a number that stays what it is."""
    now = [1000.0]
    monkeypatch.setattr(clock, "perf_counter", lambda: now[0])
    return now


def test_the_clock_stands_still_in_its_context(time: list[float]) -> None:
    """What passes inside is counted apart; contexts inside others, and of other threads, once."""
    begun, stood = clock.seconds(), clock.time_paused()
    time[0] += 1
    with clock.paused():
        assert clock.paused_since() == time[0]
        time[0] += 10
        assert (clock.seconds() - begun, clock.time_paused() - stood) == (1, 10)
        with clock.paused():
            time[0] += 10
        go, ended = threading.Event(), threading.Event()

        def other() -> None:
            with clock.paused():
                ended.set()
                go.wait()

        thread = threading.Thread(target=other)
        thread.start()
        ended.wait()
    time[0] += 10
    go.set()
    thread.join()
    assert clock.paused_since() is None
    time[0] += 1
    assert (clock.seconds() - begun, clock.time_paused() - stood) == (2, 30)


def test_an_error_lets_the_clock_go_on() -> None:
    """Code that does not compile leaves nothing behind."""
    with pytest.raises(ValueError, match="no"), clock.paused():
        raise ValueError("no")
    assert clock.paused_since() is None


def test_a_context_that_was_cut_short_does_not_stop_the_next_solve() -> None:
    """An interrupt may come at any moment, also while a context is being closed."""
    clock._change(threading.get_ident(), 1)
    assert clock.paused_since() is not None
    result = prunus.solve(prunus.NQueens(4), devices="cpu:1")
    assert clock.paused_since() is None
    assert result.objective == 2
