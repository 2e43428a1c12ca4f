"""Best-first nodes over executors: nodes, optima and bounds are those of cores, whatever fails."""

from __future__ import annotations

import math
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import prunus
from prunus import ATSP, InputError, Status
from prunus.stop import MaxNodes
from prunus.treesearch.bestfirst.space import NodeBatch
from prunus.treesearch.distributed import tuning, worker
from tests.dask_workers import three_workers
from tests.flaky import Flaky
from tests.kill import KILL

PLAIN = {"first_incumbent": "none", "bound": "assignment"}
"""Nothing but the tree of the assignment bound, which is large for places in a plane."""


def places(cities: int, seed: int) -> ATSP:
    """Draw places in a plane."""
    points = np.random.default_rng(seed).integers(0, 1000, (cities, 2))
    return ATSP(np.hypot(*(points[:, None] - points).transpose(2, 0, 1)).astype(int))


@pytest.fixture
def short_units(monkeypatch):
    """Have coordinators hand out dozens of units, however fast the machine is."""
    record = replace(
        tuning.DEFAULT_TUNING,
        shortest_unit_s=0.005,
        longest_unit_s=0.02,
        least_cost_ratio=1.0,
        usual_cost_ratio=1.0,
        coordinator_share=1e9,
    )
    monkeypatch.setattr(tuning, "DEFAULT_TUNING", record)


@pytest.mark.usefixtures("short_units")
@pytest.mark.parametrize("fail", [0.0, 0.3])
def test_workers_branch_the_same_nodes(fail) -> None:
    """With the optimum given nothing depends on who is first: units that are lost, or done twice,
    change neither the nodes nor the proof.
    """
    problem = places(28, 1)
    best = prunus.solve(problem, devices="cpu:1")
    options = {**PLAIN, "upper_bound": best.objective, "devices": "cpu:1"}
    alone = prunus.solve(problem, **options)
    executor = Flaky(1, fail)
    spread = prunus.solve(problem, executor=executor, **options)
    assert (alone.status, spread.status) == (Status.INFEASIBLE, Status.INFEASIBLE)
    assert spread.nodes == alone.nodes > 5000
    assert spread.explored == 1.0
    assert executor.calls > 5


class Slow(Flaky):
    """Takes so long to hand over a unit that a stop comes in time on any machine."""

    def submit(self, function, /, *args, **kwargs):
        """Answer, some time later."""
        time.sleep(0.1)
        return super().submit(function, *args, **kwargs)


@pytest.mark.usefixtures("short_units")
@pytest.mark.parametrize(
    "bound", ["assignment", pytest.param("arborescence", marks=pytest.mark.slow)]
)
def test_stopped_over_an_executor_and_gone_on_with(bound, tmp_path) -> None:
    """What is open goes from workers into a checkpoint and from there to cores and back to workers;
    the bound only rises and ends at the optimum.
    """
    path = tmp_path / "run.ckpt"
    problem = places(28, 1) if bound == "assignment" else places(40, 2)
    step = 2000 if bound == "assignment" else 3
    best = prunus.solve(problem, devices="cpu:1")
    options = {**PLAIN, "bound": bound, "checkpoint": path}
    result = prunus.solve(problem, executor=Slow(2, 0.1), stop=MaxNodes(1), **options)
    bounds = [result.bound]
    while result.status is not Status.OPTIMAL:
        where = {"devices": "cpu:2"} if len(bounds) % 2 else {"executor": Flaky(len(bounds), 0.1)}
        result = prunus.resume(path, stop=MaxNodes(result.nodes + step), **where)
        bounds.append(result.bound)
        assert len(bounds) < 200
    assert len(bounds) > 1
    assert bounds == sorted(bounds)
    assert result.objective == bounds[-1] == best.objective
    assert problem.evaluate(result.solution) == result.objective


class Wrong(Flaky):
    """Changes every other answer on its way."""

    def __init__(self, change) -> None:
        super().__init__(0, 0.0)
        self.change, self.units = change, 0

    def submit(self, function, /, *args, **kwargs):
        """Answer, now and then with something else."""
        future = super().submit(function, *args, **kwargs)
        self.units += function is worker.explore
        if self.units % 2:
            future._result = self.change(future.result())  # type: ignore[attr-defined]
        return future


def without_some(answer):
    """Drop a node of what is left."""
    left = getattr(answer, "left", ())
    return replace(answer, left=left[1:]) if len(left) else answer


CHANGES = {
    "a node less": without_some,
    "more done": lambda answer: replace(answer, fathomed=answer.fathomed + 0.5),
    "wider nodes": lambda answer: replace(
        answer,
        left=NodeBatch(
            answer.left.bound, answer.left.share, np.hstack([answer.left.words, answer.left.words])
        ),
    ),
    "no nodes": lambda answer: replace(answer, left=[1, 2]),
}


@pytest.mark.usefixtures("short_units")
@pytest.mark.parametrize("kind", CHANGES)
def test_answers_that_do_not_add_up_do_not_count(kind) -> None:
    """A worker that loses nodes, or says what is no batch of nodes, is not believed."""

    def change(answer):
        return CHANGES[kind](answer) if hasattr(answer, "left") else answer

    problem = places(22, 1)
    best = prunus.solve(problem, devices="cpu:1")
    result = prunus.solve(problem, executor=Wrong(change), devices="cpu:1", **PLAIN)
    assert (result.status, result.objective) == (Status.OPTIMAL, best.objective)


class Doomed(ProcessPoolExecutor):
    """Two workers that are killed when they are given their sixth unit."""

    def __init__(self) -> None:
        super().__init__(2, multiprocessing.get_context("spawn"))
        self.calls = 0

    def submit(self, function, /, *args, **kwargs):
        """Hand a unit on; the sixth comes too late."""
        self.calls += 1
        if self.calls == 6:
            for worker_id in self._processes:
                os.kill(worker_id, KILL)
        return super().submit(function, *args, **kwargs)


@pytest.mark.usefixtures("short_units")
def test_the_workers_of_a_process_pool_are_killed() -> None:
    """Another pool goes on; the optimum is proven."""
    pools: list[ProcessPoolExecutor] = []

    def make() -> ProcessPoolExecutor:
        whole = ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))
        pools.append(whole if pools else Doomed())
        return pools[-1]

    problem = places(28, 1)
    best = prunus.solve(problem, devices="cpu:1")
    result = prunus.solve(problem, executor=make, devices="cpu:2", **PLAIN)
    for pool in pools:
        pool.shutdown()
    assert (result.status, result.objective) == (Status.OPTIMAL, best.objective)
    assert problem.evaluate(result.solution) == result.objective
    assert len(pools) == 2


class Killer:
    """A stopping criterion that kills a process once so many nodes are branched, and may stop."""

    def __init__(self, pid: int, nodes: int, stop_at: float = math.inf) -> None:
        self.pid, self.nodes, self.stop_at, self.killed = pid, nodes, stop_at, False

    def __call__(self, progress) -> bool:
        """Kill it if it is time; return whether to stop."""
        if progress.nodes > self.nodes and not self.killed:
            self.killed = True
            os.kill(self.pid, KILL)
        return progress.nodes > self.stop_at


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_killed_workers_of_a_cluster(seed) -> None:
    """Three workers of Dask, one killed by SIGKILL: the nodes are those of one core."""
    problem = places(26, 3)
    best = prunus.solve(problem, devices="cpu:2")
    options = {**PLAIN, "upper_bound": best.objective}
    alone = prunus.solve(problem, devices="cpu:2", **options)
    with three_workers() as (client, pids):
        kill = Killer(pids[seed], alone.nodes // 3)
        result = prunus.solve(problem, executor=client, stop=kill, devices="cpu:3", **options)
    assert (result.status, result.nodes) == (Status.INFEASIBLE, alone.nodes)
    assert kill.killed


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_bound_and_gap_of_a_cluster_that_loses_workers(seed, tmp_path) -> None:
    """A worker is killed before a stop and another one after it: the optimum lies between the bound
    and the objective, and at the end both are the optimum.
    """
    problem = places(26, 3)
    best = prunus.solve(problem, devices="cpu:2").objective
    assert best is not None
    path = tmp_path / "run.ckpt"
    with three_workers() as (client, pids):
        kill = Killer(pids[seed], 20_000, 60_000)
        options = {**PLAIN, "checkpoint": path, "devices": "cpu:3"}
        half = prunus.solve(problem, executor=client, stop=kill, **options)
        again = Killer(pids[seed - 1], half.nodes + 20_000)
        whole = prunus.resume(path, executor=client, stop=again, devices="cpu:3")
    assert kill.killed
    assert again.killed
    assert half.status is not Status.OPTIMAL
    assert half.bound is not None
    assert 0 < half.bound <= best
    if half.objective is not None:
        assert half.objective >= best
        assert half.gap == pytest.approx((half.objective - half.bound) / half.objective)
    assert (whole.status, whole.objective, whole.bound) == (Status.OPTIMAL, best, best)
    assert whole.gap == 0
    assert problem.evaluate(whole.solution) == best


def test_gpus_are_refused() -> None:
    """A sentence says where these nodes are searched."""
    with pytest.raises(InputError, match="is for cores"):
        prunus.solve(places(12, 1), executor=Flaky(0, 0.0), devices="cuda:0")
