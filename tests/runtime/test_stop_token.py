"""One token tells everything in a solve to end, and why."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from threading import Barrier, Thread

import numpy as np
import pytest

import prunus
from prunus.errors import InputError
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.interrupts import Interrupts
from prunus.runtime.monitor import Monitor
from prunus.runtime.stop_token import INTERRUPT, MEMORY, TIME_LIMIT, StopReason, StopToken


def test_the_first_reason_wins() -> None:
    token = StopToken()
    assert (token.requested, token.reason) == (False, None)
    token.request(MEMORY)
    token.request(TIME_LIMIT)
    assert (token.requested, token.reason) == (True, MEMORY)


def test_a_reason_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        TIME_LIMIT.text = "something else"  # type: ignore[misc]


def test_many_threads_at_once_leave_one_reason() -> None:
    """Whoever asks again is told the same."""
    for _ in range(50):
        token, barrier = StopToken(), Barrier(4)
        seen: list[StopReason | None] = []

        def ask(reason: StopReason, token=token, barrier=barrier, seen=seen) -> None:
            barrier.wait()
            token.request(reason)
            seen.append(token.reason)

        reasons = (TIME_LIMIT, INTERRUPT, MEMORY, TIME_LIMIT)
        threads = [Thread(target=ask, args=(reason,)) for reason in reasons]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert set(seen) == {token.reason}
        seen.clear()


def test_an_interrupt_from_before_stops_a_solve_that_begins() -> None:
    """One press of Ctrl-C ends all the solves of a command, not only the first."""
    interrupts = Interrupts()
    first = Monitor(Incumbent(), interrupts=interrupts)
    interrupts.request()
    second = Monitor(Incumbent(), interrupts=interrupts)
    assert first.stop_token.reason == second.stop_token.reason == INTERRUPT


def test_ctrl_c_is_translated_in_one_place() -> None:
    """It becomes a reason; other errors pass, unless an interrupt has caused them."""
    monitor = Monitor(Incumbent())
    with pytest.raises(ZeroDivisionError), monitor.interruptible():
        raise ZeroDivisionError
    with monitor.interruptible():
        raise KeyboardInterrupt
    assert monitor.stop_token.reason == INTERRUPT
    monitor.interrupts.raised = True
    with monitor.interruptible():
        raise ZeroDivisionError
    with pytest.raises(InputError), monitor.interruptible():
        raise InputError("a sentence is not swallowed")


def test_what_is_proven_was_not_stopped() -> None:
    """A criterion that fires on the last node of a proof is no reason to doubt it."""
    rng = np.random.default_rng(1)
    problem = prunus.Knapsack(rng.integers(1, 9, 8), rng.integers(1, 9, 8), 12)
    result = prunus.solve(problem, devices="cpu:1", stop=lambda progress: progress.gap == 0)
    assert (result.status, result.stopped_by) == ("optimal", None)
