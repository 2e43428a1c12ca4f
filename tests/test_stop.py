"""Stopping criteria fire exactly when they say, and say why."""

from __future__ import annotations

import inspect
from fractions import Fraction
from typing import Any

import pytest

from prunus import FlowShop, solve
from prunus.errors import InputError
from prunus.runtime.progress import Progress
from prunus.stop import (
    AnyOf,
    MaxNodes,
    MaxRuntime,
    NoImprovement,
    StoppingCriterion,
    TargetGap,
    TargetObjective,
    describe,
)

EARLY = Progress(elapsed=1.0, objective=100, bound=80, nodes=10)
LATE = Progress(elapsed=9.0, objective=90, bound=89, nodes=1000)
NOTHING = Progress(elapsed=1.0)


@pytest.mark.parametrize(
    ("criterion", "words"),
    [
        (MaxRuntime(5), "maximum runtime of 5 s"),
        (MaxNodes(1000), "maximum of 1,000 nodes"),
        (TargetObjective(90), "target objective 90"),
        (TargetGap(0.05), "target gap of 5 %"),
    ],
)
def test_criteria_fire_late_and_not_early(criterion: StoppingCriterion, words: str) -> None:
    """Each criterion lets an early search go on, stops a late one, and says why."""
    assert isinstance(criterion, StoppingCriterion)
    assert not criterion(NOTHING)
    assert not criterion(EARLY)
    assert criterion(LATE)
    assert str(criterion) == words


def test_zero_stops_at_once() -> None:
    """Zero seconds and zero nodes are limits like any other."""
    assert MaxRuntime(0)(Progress())
    assert MaxNodes(0)(Progress())


def test_target_gap_is_met_exactly() -> None:
    """A gap equal to the target is good enough."""
    assert TargetGap(0.2)(Progress(objective=100, bound=80))
    assert not TargetGap(0.19)(Progress(objective=100, bound=80))


def test_no_improvement_counts_from_the_last_improvement() -> None:
    """The clock starts again whenever the incumbent changes."""
    criterion = NoImprovement(5)
    assert not criterion(Progress(elapsed=0.0, objective=10))
    assert not criterion(Progress(elapsed=4.9, objective=10))
    assert not criterion(Progress(elapsed=5.0, objective=9))
    assert not criterion(Progress(elapsed=9.9, objective=9))
    assert criterion(Progress(elapsed=10.0, objective=9))
    assert str(criterion) == "no improvement for 5 s"


def test_no_improvement_waits_for_the_first_incumbent() -> None:
    """A search that has found nothing is not stopped for finding nothing better."""
    criterion = NoImprovement(5)
    assert not criterion(Progress(elapsed=0.0))
    assert not criterion(Progress(elapsed=100.0))
    assert not criterion(Progress(elapsed=101.0, objective=3))
    assert criterion(Progress(elapsed=106.0, objective=3))


def test_no_improvement_serves_several_solves() -> None:
    """A second solve starts the clock anew although its incumbent is the same."""
    criterion = NoImprovement(5)
    criterion(Progress(elapsed=0.0, objective=10))
    assert criterion(Progress(elapsed=8.0, objective=10))
    assert not criterion(Progress(elapsed=6.0, objective=10))
    assert criterion(Progress(elapsed=11.0, objective=10))


def test_any_of_names_the_one_that_fired() -> None:
    """A combination stops with its first member and speaks for it; before, it lists all."""
    criterion = AnyOf(MaxRuntime(5), TargetObjective(50))
    assert str(criterion) == "maximum runtime of 5 s or target objective 50"
    assert not criterion(EARLY)
    assert criterion(LATE)
    assert str(criterion) == "maximum runtime of 5 s"


def test_any_of_shows_every_report_to_all() -> None:
    """A member with a memory sees the reports that another member has already stopped at."""
    seen = []

    def watch(progress: Progress) -> bool:
        seen.append(progress)
        return False

    AnyOf(MaxRuntime(0), watch)(EARLY)
    assert seen == [EARLY]


def test_any_callable_can_be_described() -> None:
    """A plain function is a criterion, too, and is called by its name."""

    def enough(progress: Progress) -> bool:
        return True

    criterion: StoppingCriterion = enough
    by_place = inspect.signature(StoppingCriterion.__call__).parameters["progress"].kind
    assert by_place is inspect.Parameter.POSITIONAL_ONLY  # type checkers take any name for it
    assert describe(criterion) == "stopping criterion enough"
    assert describe(lambda progress: True) == "stopping criterion lambda"
    assert describe(MaxRuntime(2.5)) == "maximum runtime of 2.5 s"


@pytest.mark.parametrize(
    ("build", "bad"),
    [
        (MaxRuntime, -1),
        (MaxRuntime, float("nan")),
        (MaxRuntime, "5"),
        (MaxRuntime, True),
        (MaxRuntime, 10**400),
        (MaxNodes, -1),
        (MaxNodes, 1.5),
        (TargetObjective, None),
        (TargetObjective, float("inf")),
        (TargetObjective, True),
        (TargetObjective, Fraction(10**400)),
        (TargetGap, 10**400),
        (TargetGap, -0.1),
        (NoImprovement, "soon"),
        (AnyOf, 3),
    ],
)
def test_bad_values_are_refused(build: Any, bad: Any) -> None:
    """A value that makes no sense is refused in a sentence that names the criterion."""
    with pytest.raises(InputError, match=build.__name__):
        build(bad)


def test_any_of_nothing_is_refused() -> None:
    """A combination of nothing would never stop."""
    with pytest.raises(InputError, match="at least one"):
        AnyOf()


def test_a_target_where_one_maximises() -> None:
    """There the target is reached from below, and not by the first poor solution."""
    target = TargetObjective(90)
    assert not target(Progress(objective=89, maximise=True))
    assert target(Progress(objective=90, maximise=True))
    assert target(Progress(objective=91, maximise=True))
    assert not target(Progress(objective=91))
    # Distances add up to fractions.
    assert TargetObjective(0.5)(Progress(objective=0.49))
    assert not TargetObjective(0.5)(Progress(objective=0.51))


def test_a_criterion_that_was_not_made_is_refused():
    """A class can be called too, and what that returns would stop the search at once."""
    with pytest.raises(InputError, match="stop is the class MaxRuntime; create an instance"):
        solve(FlowShop([[1, 2], [3, 4]]), stop=MaxRuntime)
