"""Many problems at once: each has the answer that it has alone, whatever happens to others."""

from __future__ import annotations

import html
import multiprocessing
import sys
import threading
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import pytest

import prunus
from prunus import DeviceError, InputError, Knapsack, NQueens, Status
from tests.custom.problems import Tour
from tests.flaky import Flaky


def shops(count: int) -> list[Knapsack]:
    """Return small knapsacks, each with another answer."""
    return [Knapsack([3, 4, 5, 7], [2, 3, 4, 6], 5 + i, name=f"bag {i}") for i in range(count)]


def test_each_has_the_answer_that_it_has_alone() -> None:
    """In the order in which they were given, in one table, and told as they come."""
    problems = [*shops(5), NQueens(6)]
    told: dict[int, prunus.Result] = {}
    results = prunus.solve_many(problems, on_result=told.__setitem__)
    alone = [prunus.solve(problem, devices="cpu:1") for problem in problems]
    assert [one.objective for one in results] == [one.objective for one in alone]
    assert [told[i] is one for i, one in enumerate(results)] == [True] * 6
    assert (len(results), results.errors, results.stopped_by) == (6, {}, None)
    lines = str(results).splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == list("012345")
    assert lines[-1].endswith(": 6 optimal")


def test_what_is_wrong_with_one_does_not_keep_others() -> None:
    """An option that only some problems have is an error of the others."""
    results = prunus.solve_many([NQueens(6), *shops(2)], symmetry="none")
    assert results[0].objective == 4
    assert results[1:] == (None, None)
    assert all(isinstance(results.errors[place], InputError) for place in (1, 2))
    assert str(results).endswith("1 optimal, 2 failed")
    with pytest.raises(InputError, match="symmetry"):
        prunus.solve_many(shops(3), symmetry="none")


def test_where_nothing_can_be_solved_the_reason_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of errors would be no answer: nobody has the extra that all of them need."""
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(prunus.MissingExtraError, match="cuda"):
        prunus.solve_many([NQueens(6), NQueens(7)], devices="cuda:0")


def test_a_notebook_shows_the_table() -> None:
    """As it is printed; a name is no markup."""
    results = prunus.solve_many([Knapsack([3], [2], 2, name="<b>")])
    assert html.unescape(results._repr_html_()) == f"<pre>{results}</pre>"
    assert "<b>" not in results._repr_html_()


def test_lost_and_failed_calls_are_made_again() -> None:
    """On an executor that fails two in five; one that always fails is an error."""
    results = prunus.solve_many(shops(20), executor=Flaky(1, 0.2))
    known = [prunus.solve(problem).objective for problem in shops(20)]
    found = [one and one.objective for one in results]
    assert all(a == b for a, b in zip(found, known, strict=True) if a is not None)
    assert {place for place, one in enumerate(found) if one is None} == set(results.errors)
    assert len(results.errors) < 5
    with pytest.raises(DeviceError, match="3 times"):
        prunus.solve_many(shops(2), executor=Flaky(1, 1.0))


class Breaking(ThreadPoolExecutor):
    """Takes some calls, and no more; the last one ends after the first that it does not take."""

    def __init__(self, calls: int) -> None:
        super().__init__(1)
        self.left, self.broken = calls, threading.Event()

    def submit(self, function: Any, *arguments: Any) -> Any:  # type: ignore[override]
        if self.left == 0:
            self.broken.set()
            raise BrokenExecutor("it is gone")
        self.left -= 1
        last = self.left == 0
        return super().submit(lambda: (last and self.broken.wait(60), function(*arguments))[1])


def test_an_executor_that_breaks_costs_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it had taken is solved, the others have an error; where nothing is, it is raised."""
    monkeypatch.setattr(sys.modules["prunus.solve_many"], "LOOK_S", 0.0)
    results = prunus.solve_many(shops(5), executor=Breaking(2))
    assert [place for place, one in enumerate(results) if one is not None] == [0, 1]
    assert set(results.errors) == {2, 3, 4}
    assert all("the executor broke: " in str(error) for error in results.errors.values())
    with pytest.raises(DeviceError, match="no worker can solve"):
        prunus.solve_many(shops(2), executor=Breaking(0))


def test_what_cannot_be_sent_is_an_error_of_its_own() -> None:
    """A problem of a class that no worker could import does not keep the others."""

    class Here(Tour):
        pass

    with ThreadPoolExecutor(1) as threads:
        results = prunus.solve_many([Here([[0, 1], [1, 0]]), *shops(1)], executor=threads)
    assert "cannot be sent to a worker" in str(results.errors[0])
    assert results[1].status is Status.OPTIMAL


def test_limits_are_for_each_and_for_all() -> None:
    """After the total limit nothing is begun; a search that goes on then ends with what it has."""
    results = prunus.solve_many([NQueens(18)] * 50, total_time_limit=0.5)
    assert results.stopped_by == "time limit"
    done = [one for one in results if one is not None]
    assert 0 < len(done) < 50
    assert all(one.status is Status.FEASIBLE or one.stopped_by for one in done)
    assert "not begun (time limit)" in str(results)
    each = prunus.solve_many([NQueens(18)] * 2, time_limit=0.05)
    assert [one.stopped_by for one in each] == ["time limit"] * 2


def test_processes_solve_them_too() -> None:
    """Problems and results travel."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        results = prunus.solve_many(shops(3), executor=pool)
    assert [one.status for one in results] == [Status.OPTIMAL] * 3


def test_what_it_does_not_take_is_refused() -> None:
    """In a sentence, before anything is solved."""
    for name in ("checkpoint", "stop"):
        with pytest.raises(InputError, match=name):
            prunus.solve_many(shops(1), **{name: "x"})
    with pytest.raises(InputError):
        prunus.solve_many([5])  # type: ignore[list-item]
    with pytest.raises(InputError, match="a sequence of problems, not one"):
        prunus.solve_many(shops(1)[0])  # type: ignore[arg-type]
    assert len(prunus.solve_many([])) == 0
