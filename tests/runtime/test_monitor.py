"""What watches a solve knows its clock, over all of its runs."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.errors import InputError
from prunus.flowshop.problem import FlowShop
from prunus.hardware import clock as module
from prunus.result import HistoryEntry
from prunus.runtime.checkpoint import Checkpoint
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.progress import Progress
from prunus.runtime.samples import MOST_SAMPLES
from prunus.runtime.stop_token import INTERRUPT, TIME_LIMIT, StopKind, StopReason
from prunus.stop import AnyOf, MaxRuntime

SHOP = FlowShop([[3, 2], [1, 4]])
ORDER = np.array([1, 0])


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "perf_counter", clock)
    return clock


def resumed(seen: list[Progress]) -> Monitor:
    """Return the monitor of a solve that ran for 50 s before, and branched a million nodes."""
    monitor = Monitor(Incumbent(None), show=seen.append)
    monitor.resume_from(
        Checkpoint(
            SHOP,
            None,
            {},
            None,
            0,
            objective=SHOP.evaluate(ORDER),
            solution=ORDER,
            nodes=1_000_000,
            elapsed=50.0,
            history=(HistoryEntry(20.0, 7, 0, "neh"),),
        )
    )
    return monitor


def test_what_was_given_is_no_older_than_the_solve() -> None:
    """An initial solution is offered before the clock starts, and has time zero."""
    incumbent = Incumbent(None)
    incumbent.offer(9, np.array([0, 1]), "given")
    monitor = Monitor(incumbent)
    monitor.note_incumbents(0)
    assert [entry.time for entry in monitor.history] == [0.0]


def test_times_of_a_resumed_solve_go_on(caplog: pytest.LogCaptureFixture) -> None:
    """What is found after a resume comes after what was found before; the log counts from now."""
    monitor = resumed([])
    monitor.incumbent.offer(6, np.array([0, 1]), "cpu:0")
    with caplog.at_level("INFO", "prunus"):
        monitor.note_incumbents(1_000_001)
    assert float(caplog.messages[0].partition(" s: incumbent 6")[0]) < 50.0
    assert [entry.objective for entry in monitor.history] == [7, 6]
    assert monitor.history[1].time >= 50.0
    assert monitor.state()["elapsed"] >= 50.0


def test_bounds_are_remembered_with_their_times(clock: Clock) -> None:
    """Each with the moment in which it was proven, over all runs; a long solve keeps some."""
    monitor = resumed([])
    for _ in range(2):
        clock.now += 1.0
        monitor.poll("tree search", bound=5)
    clock.now += 1.0
    monitor.note_bound(6)
    assert monitor.statistics()["bounds"] == [[51.0, 5], [53.0, 6]]
    monitor = Monitor(Incumbent(None))
    monitor.note_bound(5)
    for bound in range(6, 5000):
        monitor.note_bound(bound)
    kept = monitor.statistics()["bounds"]
    assert kept[0] == [0.0, 5]
    assert len(kept) < MOST_SAMPLES
    assert kept[-1][1] > 4980


def test_the_bound_never_gets_weaker() -> None:
    """Nor better than the incumbent, whatever was proven of solutions better than that."""
    monitor = resumed([])
    assert [monitor.at_least(bound) for bound in (3, 9)] == [3, 7]
    for bound, proven in ((5, 5), (4, 5), (9, 7)):
        monitor.note_bound(bound)
        assert monitor.bound == proven
    assert [row[1] for row in monitor.statistics()["bounds"]] == [5, 7]
    maximised = Monitor(Incumbent(4, maximise=True))
    for most, proven in ((9, 9), (10, 9), (3, 4)):
        maximised.note_bound(most)
        assert maximised.bound == proven


def test_speed_and_estimate_are_of_this_run(clock: Clock) -> None:
    """Neither the nodes nor the explored share of earlier runs count as done in a moment."""
    seen: list[Progress] = []
    monitor = resumed(seen)
    monitor.poll("tree search")
    for _ in range(4):
        clock.now += 1.0
        done = clock.now - 100.0
        monitor.poll("tree search", nodes=1_000_000 + int(10 * done), explored=0.5 + 0.1 * done)
    assert seen[0].nodes == 1_000_000
    assert [progress.rate for progress in seen] == pytest.approx([0, 10, 10, 10, 10])
    assert [progress.remaining for progress in seen] == [
        None,
        None,
        pytest.approx(3.0),
        pytest.approx(2.0),
        pytest.approx(1.0),
    ]


def test_what_is_left_is_no_more_than_the_limit(clock: Clock) -> None:
    """The estimated end is at most the time limit, which whoever watches is told."""
    seen: list[Progress] = []
    monitor = Monitor(Incumbent(None), time_limit=5.0, show=seen.append)
    for _ in range(3):
        clock.now += 1.0
        monitor.poll("tree search", explored=0.01 * (clock.now - 100.0))
    assert [progress.time_limit for progress in seen] == [5.0] * 3
    assert seen[-1].remaining == pytest.approx(2.0)


def test_the_end_is_between_what_the_least_and_the_most_nodes_take(clock: Clock) -> None:
    """A hundred nodes a second, 100 of 300 done, and there may be twice as many, or half."""
    seen: list[Progress] = []
    monitor = Monitor(Incumbent(None), show=seen.append)
    clock.now += 1.0
    monitor.poll("tree search", nodes=100, nodes_left=200.0, factor=2.0)
    assert seen[-1].remaining == pytest.approx(2.0)
    assert seen[-1].remaining_range == pytest.approx((0.5, 5.0))
    monitor.poll("tree search", nodes=200, nodes_left=100.0, factor=2.0)
    assert seen[-1].remaining_range == pytest.approx((0.0, 4.0))
    monitor.poll("tree search", nodes=200)
    assert seen[-1].remaining_range is None


def test_a_solve_ends_early_enough_for_what_comes_after(clock: Clock) -> None:
    """Of the time limit as much is left as there is before the reserve, and then it is over."""
    monitor = Monitor(Incumbent(None), time_limit=5.0)
    clock.now += 1.0
    assert monitor.time_left == pytest.approx(4.0)
    monitor.reserve = 3.5
    assert monitor.time_left == pytest.approx(0.5)
    assert not monitor.poll("auction")
    clock.now += 0.6
    assert monitor.poll("auction")
    assert monitor.stop_token.reason == TIME_LIMIT


def test_a_checkpoint_whose_solution_is_worth_something_else_is_refused() -> None:
    """What a file says of its solution is evaluated anew, as a checksum proves nothing of that."""
    wrong = Checkpoint(SHOP, None, {}, None, 0, objective=SHOP.evaluate(ORDER) - 1, solution=ORDER)
    with pytest.raises(InputError, match="has objective 7, not 6 as it says"):
        Monitor(Incumbent(None)).resume_from(wrong)


def test_nothing_is_left_after_an_interrupt() -> None:
    """Who asks how long there is stops at once, with a time limit and without, and says why."""
    for limit in (None, 100.0):
        monitor = Monitor(Incumbent(None), time_limit=limit)
        assert monitor.time_left > 99.0
        monitor.interrupts.request()
        assert monitor.time_left == 0.0
        assert monitor.poll("auction")
        assert monitor.stop_token.reason == INTERRUPT


def test_a_criterion_that_fired_is_named_as_criteria_name_each_other() -> None:
    """One of the library's by its words, a function of one's own by its name."""

    def enough(progress: Progress) -> bool:
        return True

    for criterion, words in (
        (MaxRuntime(0.0), "maximum runtime of 0 s"),
        (enough, "stopping criterion enough"),
        (AnyOf(enough), "stopping criterion enough"),
    ):
        monitor = Monitor(Incumbent(None), stop=criterion)
        assert monitor.poll("auction")
        assert monitor.stop_token.reason == StopReason(StopKind.CRITERION, words)
