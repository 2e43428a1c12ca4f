"""Devices that fail in the middle of a search: the others go on, and nothing is lost."""

from __future__ import annotations

import dataclasses
import math
import threading
from collections import Counter

import pytest

import prunus
from prunus.errors import DeviceError
from prunus.runtime.checkpoint import read_checkpoint, writer
from prunus.treesearch.driver import tuning
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.saved_intervals import intervals_of
from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.scheduler import Scheduler
from tests.treesearch.permutations import Indifferent, permutation_tree


class Fragile(CoreExplorer):
    """A strong device that fails after a few slices, or when it is told to."""

    reliable = False
    power = 100.0
    slices = 3

    def _alive(self):
        if self.slices == 0:
            raise DeviceError("cuda:0 fell off the bus")

    def explore(self, incumbent, seconds):
        """Explore like a core until the patience of the hardware ends."""
        self._alive()
        self.slices -= 1
        return super().explore(incumbent, 1e-4)

    def open(self):
        """Answer only while it is there."""
        self._alive()
        return super().open()

    def explored(self):
        """Answer only while it is there."""
        self._alive()
        return super().explored()


class FailsWhenLookedAt(Fragile):
    """A strong device that cannot tell what it has left."""

    slices = 10**9

    def open(self):
        """Fail."""
        raise DeviceError("cuda:0 fell off the bus")


class FailsWhenAsked(Fragile):
    """A strong device that fails when others want a part of its work."""

    slices = 10**9

    def split(self, fraction):
        """Fail."""
        raise DeviceError("cuda:0 fell off the bus")


class FailsWhenLoaded(Fragile):
    """A strong device without memory."""

    slices = 10**9

    def load(self, work):
        """Fail."""
        raise DeviceError("cuda:0 has no memory left")


class FailsAfterGiving(Fragile):
    """A strong device that fails a few slices after it has given something away."""

    slices = math.inf

    def split(self, fraction):
        """Give, and last no longer than that."""
        part = super().split(fraction)
        if len(part):
            self.slices = min(self.slices, 3)
        return part


def fragile_scheduler(n, visit, cores, policy=StealingPolicy.POWER, device=Fragile):
    """Return a team of a device that fails and some cores that do not."""
    tree = permutation_tree(n, visit)
    explorers = [device(tree, "cuda:0"), *(CoreExplorer(tree, f"cpu:{i}") for i in range(cores))]
    return Scheduler(explorers, Indifferent(), policy=policy)


@pytest.mark.parametrize("policy", [StealingPolicy.POWER, StealingPolicy.NONE])
def test_the_work_of_a_failed_device_is_done_by_the_others(policy):
    """Every leaf is visited, the counts are exact, and the failure is told."""
    seen = set()
    scheduler = fragile_scheduler(8, seen.add, 2, policy)
    assert scheduler.run(Intervals.whole(8))
    assert len(seen) == math.factorial(8)
    assert scheduler.counters().leaves == scheduler.final_snapshot().fathomed == math.factorial(8)
    assert len(scheduler.team.failures) == 1
    assert "goes on without cuda:0" in scheduler.team.failures[0]


@pytest.mark.parametrize(
    ("device", "policy"),
    [
        (FailsWhenLookedAt, StealingPolicy.NONE),
        (FailsWhenAsked, StealingPolicy.HALF),
        (FailsWhenLoaded, StealingPolicy.HALF),
    ],
)
def test_a_device_may_fail_whatever_it_is_doing(device, policy):
    """When looked at, asked or loaded: the others do all its work, and nobody waits for it."""
    seen = set()
    scheduler = fragile_scheduler(8, seen.add, 2, policy, device)
    assert scheduler.run(
        Intervals.whole(8),
        lambda now: scheduler.consistent_snapshot() is None,
        poll_interval_s=0.001,
    )
    assert len(seen) == math.factorial(8)
    assert scheduler.final_snapshot().fathomed == math.factorial(8)
    assert len(scheduler.team.failures) == 1
    assert "goes on without cuda:0" in scheduler.team.failures[0]


def test_work_of_a_failed_device_waits_for_the_end_of_a_snapshot():
    """With stealing switched off, the others stay to take it up; the snapshot still shows it."""
    scheduler = fragile_scheduler(6, lambda leaf: None, 1, StealingPolicy.NONE)
    device, core = scheduler.members
    state = scheduler.team
    device.idle = False
    state.begin()
    device.load(Intervals.whole(6))
    state.snapshot_running = True
    state.lose(device, DeviceError("cuda:0 fell off the bus"))
    thread = threading.Thread(target=scheduler._drive, args=(core,))
    thread.start()
    thread.join(0.1)
    assert thread.is_alive()
    seen = scheduler.consistent_snapshot()
    assert seen.fathomed + sum(seen.work.intervals().measure((6, 5, 4, 3, 2, 1))) == 720
    thread.join()
    assert scheduler.complete
    assert scheduler.final_snapshot().fathomed == 720


def test_a_failure_after_a_checkpoint_goes_back_to_it():
    """What the device had done before it was last looked at is not done again."""
    visited = Counter()
    scheduler = fragile_scheduler(8, lambda leaf: visited.update([leaf]), 1, StealingPolicy.NONE)
    scheduler.members[0].explorer.slices = 40
    pauses = []

    def look(now):
        if len(pauses) < 5 and (snapshot := scheduler.consistent_snapshot()) is not None:
            pauses.append(snapshot.leaves)
        return False

    assert scheduler.run(Intervals.whole(8), look, poll_interval_s=0.001)
    assert len(visited) == math.factorial(8)
    assert scheduler.counters().leaves == math.factorial(8)
    assert sum(visited.values()) - math.factorial(8) <= math.factorial(8) - max(pauses, default=0)


def test_the_last_device_to_fail_is_an_error_that_loses_nothing():
    """With nobody to go on, the caller gets the sentence, and the open work is still known."""
    scheduler = fragile_scheduler(7, lambda leaf: None, 0)
    with pytest.raises(DeviceError, match="fell off the bus"):
        scheduler.run(Intervals.whole(7))
    rest = sum(scheduler.final_snapshot().work.intervals().measure(tuple(range(7, 0, -1))))
    assert scheduler.final_snapshot().fathomed + rest == math.factorial(7)


def test_a_failure_that_leaves_doubt_ends_the_search():
    """If the device had given work away since it was looked at, nobody knows what is left."""
    scheduler = fragile_scheduler(9, lambda leaf: None, 2, StealingPolicy.HALF, FailsAfterGiving)
    with pytest.raises(DeviceError, match="fell off the bus"):
        scheduler.run(Intervals.whole(9))
    assert scheduler.team.failures == ["cuda:0 fell off the bus"]
    assert scheduler.team.in_doubt
    assert not scheduler.complete
    assert scheduler.bound() is None
    scheduler.final_snapshot()
    assert scheduler.members[1].steals + scheduler.members[2].steals > 0


class Lost:
    """Work in the memory of a device that is gone."""

    def __len__(self):
        """Return some number."""
        return 1

    def intervals(self):
        """Fail."""
        raise DeviceError("cuda:0 fell off the bus")


class Doubtful:
    """A strong device that is gone once it has given away parts of its work."""

    reliable = False
    power = 100.0
    gifts = 0
    takes_along = False

    def explore(self, incumbent, seconds):
        """Explore while it is there."""
        if self.gifts >= 2:
            raise DeviceError("cuda:0 fell off the bus")
        return super().explore(incumbent, 1e-4)

    def split(self, fraction):
        """Give a part away; the second one cannot be read any more if that is wanted."""
        part = super().split(fraction)
        self.gifts += len(part) > 0
        return Lost() if self.takes_along and self.gifts == 2 else part


def doubtful_and_cores(devices, factory, monitor):
    """Make such a device and two cores, instead of what was asked for."""
    core = factory.on_core("cuda:0")
    kind = type("Device", (Doubtful, type(core)), {})
    device = kind.__new__(kind)
    vars(device).update(vars(core))
    return [device, factory.on_core("cpu:0"), factory.on_core("cpu:1")]


CASES = {
    "flow shop": (lambda: prunus.read("ta030"), {"upper_bound": 2178}),
    "queens": (lambda: prunus.NQueens(14), {"symmetry": "mirror"}),
}


@pytest.mark.parametrize("kind", CASES)
@pytest.mark.parametrize("remember", [1e9, 0.0], ids=["to the beginning", "to a snapshot"])
def test_a_search_goes_back_after_a_failure_that_left_doubt(monkeypatch, kind, remember):
    """Those that are left do what was last known of all to be open; every count is exact."""
    make, options = CASES[kind]
    whole = prunus.solve(make(), devices="cpu:2", **options)
    record = dataclasses.replace(tuning.DEFAULT_TUNING, snapshot_interval_s=remember)
    monkeypatch.setattr(tuning, "DEFAULT_TUNING", record)
    for solver in ("flowshop", "nqueens"):
        monkeypatch.setattr(f"prunus.{solver}.solver.explorers_on", doubtful_and_cores)
    result = prunus.solve(make(), stealing="half", **options)
    assert (result.status, result.objective) == (whole.status, whole.objective)
    assert (result.nodes, result.explored) == (whole.nodes, 1.0)
    # The device gets another chance, and fails again.
    assert len(result.statistics["failures"]) == 2
    assert "without cuda:0" in result.statistics["failures"][1]
    if remember:
        assert "go on from what was last known of all" in result.statistics["failures"][0]


def test_nobody_fails_for_work_that_a_failed_device_gave(monkeypatch):
    """A core that cannot read what it has been given goes on when all go back."""
    monkeypatch.setattr("prunus.flowshop.solver.explorers_on", doubtful_and_cores)
    monkeypatch.setattr(Doubtful, "takes_along", True)
    result = prunus.solve(prunus.read("ta030"), upper_bound=2178, stealing="half")
    assert (result.status, result.nodes) == ("infeasible", 2_415_779)
    assert "without cpu" not in " ".join(result.statistics["failures"])
    assert all(explorer["nodes"] for explorer in result.statistics["explorers"][1:])


def test_checkpoints_after_a_failure_that_left_doubt(monkeypatch, tmp_path):
    """Each of them, before and after, has the rest of the tree; the last run's count is exact."""
    path = tmp_path / "run.ckpt"
    monkeypatch.setattr(writer, "REST_PER_HELD_UP", 0)
    monkeypatch.setattr("prunus.flowshop.solver.explorers_on", doubtful_and_cores)
    radix = tuple(range(20, 0, -1))
    seen = []

    def look(progress):
        if path.exists():
            saved = read_checkpoint(str(path))
            intervals_of(saved.open_work).check(radix)
            seen.append(saved.explored + sum(intervals_of(saved.open_work).measure(radix)))
        return progress.nodes > 800_000

    shop, options = prunus.read("ta030"), {"checkpoint": path, "checkpoint_every": 0.005}
    first = prunus.solve(shop, upper_bound=2178, stealing="half", stop=look, **options)
    assert len(first.statistics["failures"]) == 2
    assert first.status == "unknown"
    assert set(seen) == {math.factorial(20)}
    monkeypatch.undo()
    assert prunus.resume(path, devices="cpu:2").nodes == 2_415_779
