"""Chunks over an executor: right whatever the executor does to its tasks."""

from __future__ import annotations

import multiprocessing
import os
import random
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass

import pytest

from prunus import Status, SubsetSum, solve
from prunus.subsetsum.pieces import worker_process
from tests.flaky import Flaky
from tests.kill import KILL
from tests.subsetsum.brute_force import answer, even, planted


@pytest.mark.parametrize("method", ["four-list", "two-list"])
@pytest.mark.parametrize("fail", [0.0, 0.4])
def test_lost_and_repeated_tasks_change_nothing(method, fail) -> None:
    """Counts and proofs are exact on an executor that fails two tasks in five."""
    rng = random.Random(7)
    weights = [rng.randint(1, 5000) for _ in range(26)]
    target = sum(weights) // 2
    executor = Flaky(1, fail)
    problem = SubsetSum(weights, target, objective="count")
    result = solve(problem, method=method, executor=executor)
    alone = solve(problem, method=method, devices="cpu:1")
    assert (result.status, result.objective) == (Status.OPTIMAL, alone.objective)
    assert result.devices[0] == "Flaky:2"
    assert (result.statistics["task_failures"] > 0) == (fail > 0)


@pytest.mark.parametrize("method", ["four-list", "two-list"])
def test_an_executor_that_dies_leaves_the_rest_to_this_machine(method) -> None:
    """Shut down after two tasks, or failing always: the cores end the proof."""
    weights, target = even(36, 50, 2)
    for executor in (Flaky(1, 0.0, dead_after=2), Flaky(1, 1.0)):
        result = solve(
            SubsetSum(weights, target), method=method, executor=executor, divisor_test=False
        )
        assert result.status is Status.INFEASIBLE
        assert result.statistics["executor_broken"]
        assert result.explored == 1.0


class Stuck(Flaky):
    """Takes two tasks, answers none, and is then shut down."""

    def submit(self, function, /, *args, **kwargs):
        """Return a future that never ends."""
        self.calls += 1
        if self.calls > 2:
            raise RuntimeError("cannot schedule new futures after shutdown")
        return Future()


def test_what_a_dead_executor_never_answered_is_searched_here() -> None:
    """The subset is found although the piece that holds it was handed out and lost."""
    weights, target, chosen = planted(36, 50, 8)
    problem = SubsetSum(weights, target)
    for method in ("four-list", "two-list"):
        result = solve(problem, method=method, executor=Stuck(1, 0.0))
        assert result.solution.tolist() == chosen
        none, odd = even(36, 50, 8)
        result = solve(
            SubsetSum(none, odd), method=method, executor=Stuck(1, 0.0), divisor_test=False
        )
        assert result.statistics["pieces_done"] == result.statistics["pieces"]


def test_a_killed_process_of_a_pool_costs_no_answer() -> None:
    """One of two processes is killed while both search; the proof is complete all the same."""
    weights, target = even(48, 50, 6)
    pool = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))
    try:
        warm, right = even(30, 40, 1)
        assert solve(SubsetSum(warm, right), executor=pool, divisor_test=False).objective is None
        victim = next(iter(pool._processes))

        def kill() -> None:
            time.sleep(0.05)
            os.kill(victim, KILL)

        killer = threading.Thread(target=kill)
        killer.start()
        result = solve(
            SubsetSum(weights, target), method="four-list", executor=pool, divisor_test=False
        )
        killer.join()
    finally:
        # A pool that lost a process can wait for the others for ever, so they are ended as well.
        for process in multiprocessing.active_children():
            process.kill()
        pool.shutdown()
    assert (result.status, result.explored) == (Status.INFEASIBLE, 1.0)


def test_the_processes_of_a_pool_share_the_gpus_out(monkeypatch) -> None:
    """Each of four has its turn, whatever the system's numbers are; others go by those."""
    process = multiprocessing.get_context("spawn").Process
    names = [process().name for _ in range(4)]
    numbers = []
    for name in (*names, "MainProcess"):
        monkeypatch.setattr(multiprocessing, "current_process", lambda name=name: Named(name))
        numbers.append(worker_process._number_in_pool())
    assert {number % 4 for number in numbers[:4]} == {0, 1, 2, 3}
    assert numbers[4] == os.getpid()


@dataclass
class Named:
    """A process, as far as its name goes."""

    name: str


def test_a_hit_ends_the_search() -> None:
    """The planted subset is found, and not all pieces are searched."""
    weights, target, chosen = planted(34, 44, 3)
    executor = Flaky(1, 0.0)
    problem = SubsetSum(weights, target, objective="closest")
    result = solve(problem, method="two-list", executor=executor)
    assert result.solution.tolist() == chosen
    assert result.objective == answer(weights[:0], 0, "sum") + target
