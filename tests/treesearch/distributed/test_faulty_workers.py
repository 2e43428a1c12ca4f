"""Workers that fail, or answer late or wrongly: nothing is lost, nothing wrong is believed."""

from __future__ import annotations

import math
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import prunus
from prunus import DeviceError, FlowShop, InputError, NQueens, Status
from prunus.treesearch.distributed import worker
from prunus.treesearch.distributed.work_unit import WorkUnitResult
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed
from tests.flaky import Flaky
from tests.reading import read


class Late(Flaky):
    """Answers some units never, or after those that were sent again; all others at once."""

    def __init__(self, mute, answers) -> None:
        super().__init__(0, 0.0)
        self.mute, self.answers, self.units = mute, answers, 0
        self.held: dict[int, tuple[Future, object]] = {}
        self.again = 0

    def submit(self, function, /, *args, **kwargs):
        """Answer, or do not."""
        answer, future = function(*args, **kwargs), Future()
        ticket = args[0].ticket if function is worker.explore else -1
        self.units += ticket >= 0
        if ticket >= 0 and self.units in self.mute:
            self.held[ticket] = future, answer
            return future
        future.set_result(answer)
        if ticket in self.held:
            self.again += 1
            late, value = self.held.pop(ticket)
            if self.answers:
                late.set_result(value)
        return future


@pytest.mark.parametrize("answers", [True, False])
def test_what_does_not_come_back_is_handed_out_again(tune, answers) -> None:
    """When nothing else is left, to those that have nothing to do; one of two answers counts."""
    tune(overdue_s=-1e9)
    executor = Late({2, 3, 4}, answers)
    executor._max_workers = 4
    result = prunus.solve(NQueens(10), executor=executor, symmetry="none", devices="cpu:1")
    assert (result.objective, result.nodes) == (724, 35_538)
    assert executor.again == 3


class Wrong(Flaky):
    """Changes answers on their way."""

    def __init__(self, change, one_in: int = 2) -> None:
        super().__init__(0, 0.0)
        self.change, self.one_in, self.units = change, one_in, 0

    def submit(self, function, /, *args, **kwargs):
        """Answer, now and then with something else."""
        future = Future()
        answer = function(*args, **kwargs)
        self.units += function is worker.explore
        if self.units and self.units % self.one_in == self.one_in - 1:
            answer = self.change(answer)
        future.set_result(answer)
        return future


def test_answers_that_do_not_add_up_do_not_count(tune) -> None:
    """Whoever says to have done more, or to have less left, is not believed."""
    tune(failure_pause_s=0.0)

    def more(answer):
        return replace(answer, fathomed=answer.fathomed + 1)

    def less(answer):
        return replace(answer, left=Packed.of(Intervals.empty(1)))

    for change in (more, less):
        result = prunus.solve(NQueens(10), executor=Wrong(change), symmetry="none", devices="cpu:1")
        assert (result.objective, result.nodes) == (724, 35_538)


def better(answer):
    """Claim a makespan which a schedule does not have."""
    found = getattr(answer, "found", None)
    return answer if found is None else replace(answer, found=(found[0] - 1, found[1]))


def test_solutions_are_checked(monkeypatch) -> None:
    """One wrong result in two is not believed; if all are wrong, the search itself is."""
    monkeypatch.setattr(worker, "connect_to", lambda address: None)  # messages would be right
    shop = FlowShop(read("ta001").processing_times[:8])
    best = prunus.solve(shop, devices="cpu:1")
    options = {"first_incumbent": "none", "devices": "cpu:1"}
    result = prunus.solve(shop, executor=Wrong(better), **options)
    assert (result.status, result.objective) == (Status.OPTIMAL, best.objective)
    with pytest.raises(AssertionError, match="plain evaluation says"):
        prunus.solve(shop, executor=Wrong(better, one_in=1), **options)


BROKEN = {
    "nothing": lambda answer: None,
    "another type": lambda answer: {"intervals": answer},
    "a solution of another size": lambda answer: replace(answer, found=(1, np.arange(3))),
    "a solution that is none": lambda answer: replace(answer, found=(1, "0 1 2")),
    "a solution of floats": lambda answer: replace(answer, found=(1, np.full(8, np.nan))),
    "a count that is none": lambda answer: replace(answer, fathomed=math.inf),
    "less than nothing": lambda answer: replace(answer, nodes=-1),
    "intervals that are none": lambda answer: replace(answer, left=[1, 2]),
    "intervals of signed numbers": lambda answer: replace(
        answer, left=replace(answer.left, digits=answer.left.digits.astype("i8"))
    ),
    "no worker": lambda answer: replace(answer, worker="a:1"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_result_that_makes_no_sense_is_a_unit_lost(kind) -> None:
    """Whatever a broken worker returns, others do its part, and the answer is right."""

    def broken(answer):
        return BROKEN[kind](answer) if isinstance(answer, WorkUnitResult) else answer

    shop = FlowShop(read("ta001").processing_times[:8])
    best = prunus.solve(shop, devices="cpu:1")
    executor = Wrong(broken)
    result = prunus.solve(shop, executor=executor, first_incumbent="none", devices="cpu:1")
    assert (result.status, result.objective) == (Status.OPTIMAL, best.objective)
    assert result.statistics["work_units_lost"] > 0


def test_a_hello_that_makes_no_sense_is_no_worker() -> None:
    """One that says nothing is not waited for."""

    def silent(answer):
        return answer if isinstance(answer, WorkUnitResult) else None

    executor = Wrong(silent)
    executor.units = 1
    with pytest.raises(DeviceError, match="NoneType, which is not a hello"):
        prunus.solve(NQueens(8), executor=executor, devices="cpu:1")


def test_no_proof_rests_on_a_cutoff_that_nobody_knows() -> None:
    """A worker that is told of a better solution which there is not proves nothing by it."""
    shop = FlowShop(read("ta001").processing_times[:8])
    best = prunus.solve(shop, devices="cpu:1")

    class Misled(Flaky):
        units = 0

        def submit(self, function, /, *args, **kwargs):
            if function is worker.explore:
                self.units += 1
                if self.units in (1, 2, 5):
                    args = (replace(args[0], cutoff=best.objective - 10),)
            future = Future()
            future.set_result(function(*args, **kwargs))
            return future

    executor = Misled(0, 0.0)
    above = best.objective + 300
    result = prunus.solve(
        shop, executor=executor, upper_bound=above, first_incumbent="none", devices="cpu:1"
    )
    assert (result.status, result.objective) == (Status.OPTIMAL, best.objective)
    assert result.statistics["work_units_lost"] >= 2


def test_another_version_is_refused() -> None:
    """Counts of different versions must not be mixed."""

    def older(answer):
        return replace(answer, version="0.0.1") if hasattr(answer, "version") else answer

    executor = Wrong(older)
    executor.units = 1
    with pytest.raises(InputError, match=r"prunus 0\.0\.1.*install the same"):
        prunus.solve(NQueens(10), executor=executor)


def test_an_executor_that_never_works_is_an_error() -> None:
    """Workers without prunus, or a pool that was shut down."""
    with pytest.raises(DeviceError, match="no worker can search; Flaky only fails"):
        prunus.solve(NQueens(10), executor=Flaky(1, 1.0))
    with pytest.raises(DeviceError, match="cannot schedule new futures after shutdown"):
        prunus.solve(NQueens(10), executor=Flaky(1, 0.0, dead_after=0))


def test_an_executor_that_dies_ends_the_search(tune) -> None:
    """What was done is reported."""
    # many units, however fast the machine is
    tune(
        shortest_unit_s=1e-3,
        least_cost_ratio=1e-3,
        usual_cost_ratio=1e-3,
        coordinator_share=1e9,
    )
    executor = Flaky(1, 0.0, dead_after=6)
    result = prunus.solve(read("ta030"), executor=executor, upper_bound=2178, devices="cpu:1")
    assert result.status is Status.UNKNOWN
    assert result.stopped_by.startswith("a broken executor (Flaky takes no more work")


def test_a_worker_that_always_fails_does_not_end_the_search() -> None:
    """It comes for work far more often than the sound one that answers."""
    failed, odd = threading.Event(), []

    def call(function, arguments):
        if function is worker.explore:
            here = threading.current_thread()
            odd.append(here)
            if here is odd[0]:
                failed.set()
                raise MemoryError("too little memory on this machine")
            failed.wait(60)
        return function(*arguments)

    class Odd(ThreadPoolExecutor):
        def submit(self, function, /, *args, **kwargs):
            return super().submit(call, function, args)

    with Odd(2) as executor:
        result = prunus.solve(NQueens(12), executor=executor, symmetry="none", devices="cpu:1")
    assert (result.status, result.objective) == (Status.OPTIMAL, 14200)
    assert 0 < result.statistics["work_units_lost"] < 1000  # it sleeps while the other one works
