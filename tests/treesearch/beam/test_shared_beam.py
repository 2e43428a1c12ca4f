"""A beam that several threads go through together: the same as alone, and it always ends."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from prunus.flowshop.beam.guides import WEIGHTS
from prunus.flowshop.beam.on_cpu import CpuBeam
from prunus.flowshop.portfolio.parts import beam_runs
from prunus.flowshop.problem import FlowShop
from prunus.hardware import clock
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.treesearch.beam.iterate import BeamPlan, BeamTuning
from prunus.treesearch.beam.model import BeamResult, Guide
from prunus.treesearch.beam.shared_beam import SharedBeam
from tests.flowshop.objectives import makespan_of


def shop(jobs: int = 40, machines: int = 7) -> FlowShop:
    """Make an instance."""
    return FlowShop(np.random.default_rng(jobs).integers(1, 100, (jobs, machines)))


def go_through(shared: SharedBeam, members: int, steps: float = np.inf) -> None:
    """Go through a beam in some threads, of which all but the first leave after some steps."""

    def member(number: int) -> None:
        count = 0
        while not shared.ended and (number == 0 or count < steps):
            shared.step(number)
            count += 1

    threads = [threading.Thread(target=member, args=(number,)) for number in range(members)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


@pytest.mark.parametrize(("members", "steps"), [(1, np.inf), (3, np.inf), (3, 5)])
def test_it_finds_what_one_thread_finds(members: int, steps: float) -> None:
    """Whoever takes which piece, and when some of them leave."""
    problem, how = shop(), {"guide": Guide(0.1), "cutoff": 10**6}
    beam = CpuBeam(problem, 3, replace(CpuBeam(problem)._tuning, chunk_steps=2000))
    shared = beam.shared(lambda level: 100, **how)
    go_through(shared, members, steps)
    alone = CpuBeam(problem).search(100, **how)
    assert shared.result is not None
    assert (shared.result.cost, shared.result.evaluated) == (alone.cost, alone.evaluated)
    assert shared.result.solution.tolist() == alone.solution.tolist()
    assert shared.step(0) == 0


def test_one_that_fails_ends_for_all() -> None:
    """In a piece or between two levels: who has failed is told, nobody waits."""

    def levels(where: str) -> Iterator[tuple[int, int, Callable[[int, int], None]]]:
        def rate(piece: int, thread: int) -> None:
            if where == "piece":
                raise MemoryError

        yield 4, 100, rate
        raise MemoryError

    for where in ("piece", "level"):
        shared = SharedBeam(levels(where))  # type: ignore[arg-type]
        for _ in range(4 if where == "level" else 0):
            assert shared.step(0) == 25
        with pytest.raises(MemoryError):
            shared.step(0)
        assert shared.ended
        assert shared.result is None
        assert shared.step(1) == 0


def test_the_last_beams_are_of_all_who_ask() -> None:
    """As wide as their threads make it, with time for no other; narrow ones are of one each."""
    left = [1000.0]
    tuning = BeamTuning(WEIGHTS[:2], first_width=10, neighbours=(1.0, 0.5), compared_share=0.2)
    plan = BeamPlan(lambda: 1000, tuning, lambda: left[0], most=0.95)
    for _ in range(4):
        request = plan.next(10_000, 2)
        assert request is not None
        assert request.together == 1
        assert request.widest == request.width
        plan.note(request, BeamResult(None, 1001, False, 1), 0.01 * request.width)
    left[0] = 3.0  # for 285 nodes alone
    request = plan.next(10_000, 2)
    assert request is not None
    assert (request.width, request.together, request.widest) == (527, 2, 20_000)


def test_two_runs_share_their_last_beam(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its schedule is offered once, and both go on to the next."""
    problem, incumbent, left = shop(), Incumbent(), [1000.0]
    incumbent.offer(problem.evaluate(range(40)), np.arange(40), "given")
    monitor = Monitor(incumbent, time_limit=1000.0)
    monkeypatch.setattr(Monitor, "time_left", property(lambda self: left[0]))
    ticks = itertools.count()
    monkeypatch.setattr(clock, "seconds", lambda: 1e-4 * next(ticks))
    make = beam_runs(makespan_of(problem), monitor)
    runs = [make(1, 2), make(1, 2)]
    begun: list[int] = []
    shared = CpuBeam.shared

    def counted(self: CpuBeam, widths: Callable[[int], int], **how: object) -> SharedBeam:
        begun.append(self._threads.cores)
        return shared(self, widths, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(CpuBeam, "shared", counted)
    for turn in range(400):
        for run in runs:
            if not run.done:
                run.step()
        left[0] = 1000.0 if turn < 3 else 0.02 if len(begun) < 3 else 0.0
        if all(run.done for run in runs):
            break
    assert all(run.done for run in runs)
    assert len(begun) >= 1
    assert set(begun) == {2}
    costs = [found.objective for found in incumbent.improvements]
    assert costs == sorted(set(costs), reverse=True)
    best = incumbent.best
    assert best is not None
    assert problem.evaluate(best.solution) == best.objective
