"""What is called proven of an assignment: no more than the bound and the incumbent say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from prunus.assignment.certificate import Certificate
from prunus.assignment.instance.prepared import prepare
from prunus.assignment.problem import Assignment
from prunus.hardware.threads import Threads
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor


def a_certificate(values: Any, *, maximise: bool) -> Certificate:
    problem = Assignment(values, maximize=maximise)
    threads = Threads(1)
    prepared = prepare(problem, threads)
    return Certificate(problem, prepared, Monitor(Incumbent(maximise=maximise)))


def benefit(certificate: Certificate, value: float) -> float:
    """Return what a sum of values is as a sum of benefits."""
    return certificate.facts.sign * (value - certificate.facts.shift * certificate.facts.rows)


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("kind", [np.int64, np.float64])
def test_whole_numbers_are_proven_when_the_bound_is_met_and_not_before(
    kind: Any, maximise: bool
) -> None:
    """One short of the bound is a gap; one between whole numbers is that of the nearer sums."""
    values = np.array([[3, 2], [2, 2]] if maximise else [[2, 3], [3, 3]], kind)
    certificate = a_certificate(values, maximise=maximise)
    best = 5
    certificate.offer(np.array([1, 0]), "start")  # 4 of 5, or 6 where 5 is the least
    certificate.improve_bound(benefit(certificate, best) + 0.9, 0.05)
    assert certificate.bound == best
    assert not certificate.complete
    assert certificate.gap > 0.1
    certificate.improve_bound(benefit(certificate, best) + 3, 0.0)  # a worse one changes nothing
    assert certificate.bound == best
    certificate.offer(np.array([0, 1]), "better")
    assert certificate.complete


def test_floats_are_proven_within_the_rounding_of_the_bound() -> None:
    """A gap of more than the slack stays one."""
    certificate = a_certificate([[0.5, 0.25], [0.25, 0.25]], maximise=True)
    certificate.offer(np.array([0, 1]), "start")
    certificate.improve_bound(0.75 + 1e-9, 1e-12)
    assert not certificate.complete
    assert certificate.bound == pytest.approx(0.75, abs=1e-8)
    certificate.improve_bound(0.75 + 1e-13, 1e-12)
    assert certificate.complete


@pytest.mark.parametrize("maximise", [False, True])
def test_a_bound_that_rounding_made_too_strong_does_not_cut_off_the_optimum(maximise: bool) -> None:
    """Sums of floats a little beyond a whole number bound by that number, not by the next one."""
    certificate = a_certificate(
        [[3, 2], [2, 2]] if maximise else [[2, 3], [3, 3]], maximise=maximise
    )
    certificate.improve_bound(benefit(certificate, 5) - 1e-9, 1e-8)
    assert certificate.bound == 5
