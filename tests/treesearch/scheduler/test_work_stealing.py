"""Work moves when somebody has some to spare, and only then."""

from __future__ import annotations

import math
import threading
import time

import numpy as np
import pytest

from prunus.atsp.naive.program import atsp_program
from prunus.atsp.naive.tree import core_tree
from prunus.atsp.problem import ATSP
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.explorer import IntervalExplorer
from prunus.treesearch.interval.gpu import GpuExplorer
from prunus.treesearch.interval.gpu import explorer as gpu
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.interval.work import intervals_in
from prunus.treesearch.model import ExplorerStatistics
from prunus.treesearch.scheduler.scheduler import Scheduler
from prunus.treesearch.scheduler.tuning import SchedulerTuning
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice
from tests.treesearch.permutations import Indifferent, permutation_tree


class Pieces:
    """Work that is nothing but an amount."""

    def __init__(self, amount):
        self.amount = amount

    def __len__(self):
        return int(self.amount > 0)

    def intervals(self):
        raise NotImplementedError


class Worker(IntervalExplorer):
    """An explorer that does pieces at a steady pace and tells when it can give some."""

    power = 400.0
    reliable = True
    radix = (3, 2, 1)

    def __init__(self, name, pieces, spare):
        self.name, self.spare, self.whole = name, spare, pieces
        self.left = self.done = 0
        self.asked = 0
        self.called = threading.Event()
        self.patience = None

    def load(self, work):
        self.left += self.whole if isinstance(work, Intervals) else work.amount

    def interrupt(self):
        self.called.set()

    def explore(self, incumbent, seconds):
        end = time.perf_counter() + seconds
        before = self.done
        while self.left and time.perf_counter() < end and not self.called.is_set():
            time.sleep(1e-4)
            if self.left > 1000 or self.patience is None or self.patience():
                self.left -= 1
                self.done += 1
        self.called.clear()
        nodes = self.done - before
        return ExplorerStatistics(
            nodes, 0, 1, 1, exhausted=not self.left, has_spare_work=self.left > self.spare
        )

    def split(self, fraction):
        self.asked += 1
        given = int(self.left * fraction)
        self.left -= given
        return Pieces(given)

    def state(self):
        return ([Pieces(self.left)] if self.left else []), self.done


def test_nobody_asks_who_has_nothing_to_spare():
    """As long as a member says that it can give nothing, it is left alone."""
    workers = [Worker("cuda:0", 200, 10**6), Worker("cuda:1", 200, 10**6)]
    assert Scheduler(workers, Incumbent()).run(Intervals.whole(3))
    assert [worker.done for worker in workers] == [200, 0]
    assert workers[0].asked == 0


def test_all_work_is_done_once():
    """Those who have some to spare share it until little is left."""
    workers = [Worker(f"cuda:{i}", 2000, 20) for i in range(3)]
    # However late the other threads begin, something is left for them.
    workers[0].patience = lambda: all(worker.done for worker in workers)
    scheduler = Scheduler(workers, Incumbent())
    assert scheduler.run(Intervals.whole(3))
    assert sum(worker.done for worker in workers) == scheduler.final_snapshot().fathomed == 2000
    assert all(worker.done > 0 for worker in workers)


def test_a_core_beside_a_gpu_is_not_even_started_at_first():
    """A short search of a GPU has no other thread; one of equals has them at once."""
    tuning = SchedulerTuning(weak_delay_s=math.inf)  # short on any machine
    tree = permutation_tree(5, lambda leaf: None)
    both = [Worker("cuda:0", 20, 0), CoreExplorer(tree, "cpu:0")]
    scheduler = Scheduler(both, Indifferent(), tuning=tuning)
    assert scheduler.run(Intervals.whole(3))
    assert len(scheduler._jobs) == 1
    assert scheduler.recorder.trace().idle[-1, 1] > 0
    scheduler = Scheduler([CoreExplorer(tree, "cpu:0"), CoreExplorer(tree, "cpu:1")], Indifferent())
    assert scheduler.run(Intervals.whole(5))
    assert len(scheduler._jobs) == 2


def search(core, incumbent):
    """Search a whole tree on one core; return its nodes."""
    core.load(Intervals.whole(len(core.radix)))
    nodes, exhausted = 0, False
    while not exhausted:
        report = core.explore(incumbent, 60.0)
        nodes, exhausted = nodes + report.nodes, report.exhausted
    return nodes


def search_together(devices, monkeypatch):
    """Search one tree on some devices and a core until one has stolen; it adds up each time."""
    monkeypatch.setattr(GpuExplorer, "_has_spare_work", lambda self, active: active > 0)
    monkeypatch.setattr(gpu, "MIN_SLICE_S", 1e-7)  # the emulated clock ticks when it is looked at
    problem = ATSP(np.random.default_rng(5).integers(1, 100, (12, 12)))
    program, tree = atsp_program(problem), core_tree(problem)
    incumbent = Incumbent()
    search(CoreExplorer(tree), incumbent)
    cutoff = incumbent.cutoff
    expected = search(CoreExplorer(tree), Incumbent(cutoff))
    for _ in range(20):  # on a busy machine one of them may have searched all before others wake
        gpus = [GpuExplorer(program, device, slice_seconds=1e-7) for device in devices]
        scheduler = Scheduler([*gpus, CoreExplorer(tree, "cpu:0")], Incumbent(cutoff))
        _check_search(scheduler, tree, expected)
        if any(member.steals for member in scheduler.members):
            return
    raise AssertionError("nobody ever stole")


def _check_search(scheduler, tree, expected):
    """Search, with snapshots all the while: no leaf is missing, no node is counted twice."""
    snapshots = []

    def look(now):
        seen = scheduler.consistent_snapshot()
        if seen is not None:
            work = intervals_in(seen.work)
            work.check(tree.radix)
            snapshots.append(seen.fathomed + sum(work.measure(tree.radix)))
        return False

    assert scheduler.run(Intervals.whole(len(tree.radix)), look, poll_interval_s=0.1)
    assert scheduler.counters().nodes == expected > 1000
    assert scheduler.final_snapshot().fathomed == leaves(tree.radix)
    assert set(snapshots) <= {leaves(tree.radix)}


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_gpus_give_each_other_entries(monkeypatch):
    """Three emulated GPUs and a core branch exactly the nodes of one."""
    devices = []
    for index in range(3):
        devices.append(EmulatedDevice())
        devices[-1].index = index
    search_together(devices, monkeypatch)
