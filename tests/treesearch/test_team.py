"""Several explorers on one tree: nothing is lost when they steal, stop, fail or go on."""

from __future__ import annotations

import itertools
import math
import threading
from collections import Counter

import pytest

from prunus.errors import DeviceError
from prunus.treesearch.core import Core
from prunus.treesearch.drive import drive
from prunus.treesearch.interval import Intervals
from prunus.treesearch.policy import Policy
from prunus.treesearch.team import Team
from tests.treesearch.permutations import Indifferent, permutation_tree


def team_of(count, n, visit, **options):
    """Return a team of cores on the permutations of n items."""
    tree = permutation_tree(n, visit)
    return Team([Core(tree, f"cpu:{i}") for i in range(count)], Indifferent(), **options)


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_a_team_reaches_every_leaf_once(count):
    """Threads that steal from each other visit each permutation exactly once."""
    seen = Counter()
    team = team_of(count, 7, lambda leaf: seen.update([leaf]))
    assert team.run(Intervals.whole(7))
    assert set(seen) == set(itertools.permutations(range(7)))
    assert set(seen.values()) == {1}
    assert team.state().explored == math.factorial(7)
    assert team.snapshot().leaves == math.factorial(7)


def test_thieves_get_work():
    """With enough to do, every member of a team ends up with some of the nodes."""
    team = team_of(3, 8, lambda leaf: None)
    team.run(Intervals.whole(8))
    assert all(member.nodes > 0 for member in team.members)
    assert sum(member.steals for member in team.members) >= 2


def test_without_stealing_the_others_stay_idle():
    """Switched off, whoever got nothing does nothing, and the search still ends."""
    team = team_of(3, 6, lambda leaf: None, policy=Policy.NONE)
    assert team.run(Intervals.whole(6))
    assert [member.nodes > 0 for member in team.members] == [True, False, False]


def test_a_stopped_search_goes_on_where_it_was():
    """Stopping again and again, and carrying the open intervals to new teams, loses no leaf."""
    seen = Counter()
    work, rounds, explored = Intervals.whole(8), 0, 0
    while len(work):
        rounds += 1
        team = team_of(1 + rounds % 3, 8, lambda leaf: seen.update([leaf]))
        team.run(work, lambda now: True, every=0.01)
        work = team.state().work.intervals()
        work.check(tuple(range(8, 0, -1)))
        explored += team.state().explored
    assert rounds > 1
    assert len(seen) == explored == math.factorial(8)
    assert set(seen.values()) == {1}


def test_a_team_searches_again():
    """After a search that was ended and forgotten, the next one reaches every leaf once."""
    seen = Counter()
    team = team_of(3, 9, lambda leaf: seen.update([leaf]))
    team.run(Intervals.whole(9), lambda now: now.leaves > 1000, every=0.001)
    assert not team.complete
    team.clear()
    assert len(team.state().work) == 0
    seen.clear()
    before = team.state().explored
    assert team.run(Intervals.whole(9))
    assert team.state().explored - before == math.factorial(9)
    assert len(seen) == sum(seen.values()) == math.factorial(9)


def test_an_interrupt_leaves_the_rest_open():
    """KeyboardInterrupt comes through once all threads are down, and nothing is lost."""
    seen = Counter()
    team = team_of(2, 8, lambda leaf: seen.update([leaf]))

    def interrupt(now):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        team.run(Intervals.whole(8), interrupt, every=0.01)
    rest = sum(team.state().work.intervals().measure(tuple(range(8, 0, -1))))
    assert team.state().explored + rest == math.factorial(8)
    assert len(seen) == sum(seen.values())


def test_a_failure_in_a_thread_reaches_the_caller():
    """An error inside an explorer is raised by ``run``, and the other threads end."""

    def broken(leaf):
        raise ZeroDivisionError("broken on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        team_of(3, 6, broken).run(Intervals.whole(6))


class Fragile(Core):
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


def fragile_team(n, visit, cores, policy=Policy.POWER, device=Fragile):
    """Return a team of a device that fails and some cores that do not."""
    tree = permutation_tree(n, visit)
    explorers = [device(tree, "cuda:0"), *(Core(tree, f"cpu:{i}") for i in range(cores))]
    return Team(explorers, Indifferent(), policy=policy)


@pytest.mark.parametrize("policy", [Policy.POWER, Policy.NONE])
def test_the_work_of_a_failed_device_is_done_by_the_others(policy):
    """Every leaf is visited, the counts are exact, and the failure is told."""
    seen = set()
    team = fragile_team(8, seen.add, 2, policy)
    assert team.run(Intervals.whole(8))
    assert len(seen) == math.factorial(8)
    assert team.snapshot().leaves == team.state().explored == math.factorial(8)
    assert len(team.failures) == 1
    assert "goes on without cuda:0" in team.failures[0]


@pytest.mark.parametrize(
    ("device", "policy"),
    [
        (FailsWhenLookedAt, Policy.NONE),
        (FailsWhenAsked, Policy.HALF),
        (FailsWhenLoaded, Policy.HALF),
    ],
)
def test_a_device_may_fail_whatever_it_is_doing(device, policy):
    """When looked at, asked or loaded: the others do all its work, and nobody waits for it."""
    seen = set()
    team = fragile_team(8, seen.add, 2, policy, device)
    assert team.run(Intervals.whole(8), lambda now: team.survey() is None, every=0.001)
    assert len(seen) == math.factorial(8)
    assert team.state().explored == math.factorial(8)
    assert len(team.failures) == 1
    assert "goes on without cuda:0" in team.failures[0]


def test_work_of_a_failed_device_waits_for_the_end_of_a_survey():
    """With stealing switched off, the others stay to take it up; the survey still shows it."""
    team = fragile_team(6, lambda leaf: None, 1, Policy.NONE)
    device, core = team.members
    standing = team._standing
    device.idle = False
    standing.begin()
    device.load(Intervals.whole(6))
    standing.surveying = True
    standing.lose(device, DeviceError("cuda:0 fell off the bus"))
    shared = standing, team._exchange, team._surveyor
    thread = threading.Thread(target=drive, args=(core, *shared, Indifferent()))
    thread.start()
    thread.join(0.1)
    assert thread.is_alive()
    seen = team.survey()
    assert seen.explored + sum(seen.work.intervals().measure((6, 5, 4, 3, 2, 1))) == 720
    thread.join()
    assert team.complete
    assert team.state().explored == 720


def test_a_failure_after_a_checkpoint_goes_back_to_it():
    """What the device had done before it was last looked at is not done again."""
    visited = Counter()
    team = fragile_team(8, lambda leaf: visited.update([leaf]), 1, Policy.NONE)
    team.members[0].explorer.slices = 40
    pauses = []

    def look(now):
        if len(pauses) < 5 and (survey := team.survey()) is not None:
            pauses.append(survey.leaves)
        return False

    assert team.run(Intervals.whole(8), look, every=0.001)
    assert len(visited) == math.factorial(8)
    assert team.snapshot().leaves == math.factorial(8)
    assert sum(visited.values()) - math.factorial(8) <= math.factorial(8) - max(pauses, default=0)


def test_the_last_device_to_fail_is_an_error_that_loses_nothing():
    """With nobody to go on, the caller gets the sentence, and the open work is still known."""
    team = fragile_team(7, lambda leaf: None, 0)
    with pytest.raises(DeviceError, match="fell off the bus"):
        team.run(Intervals.whole(7))
    rest = sum(team.state().work.intervals().measure(tuple(range(7, 0, -1))))
    assert team.state().explored + rest == math.factorial(7)


def test_a_survey_of_a_running_search_is_consistent():
    """In every survey, done and open leaves make the whole, whatever was being stolen."""
    team = team_of(4, 9, lambda leaf: None)
    radix = tuple(range(9, 0, -1))
    checks = []

    def look(now):
        seen = team.survey()
        if seen is not None:
            checks.append(seen.explored + sum(seen.work.intervals().measure(radix)))
        return len(checks) >= 60

    team.run(Intervals.whole(9), look, every=0.002)
    assert set(checks) == {math.factorial(9)}


def test_a_failure_that_leaves_doubt_ends_the_search():
    """If the device had given work away since it was looked at, nobody knows what is left."""
    team = fragile_team(9, lambda leaf: None, 2, Policy.HALF)
    team.members[0].explorer.slices = 400
    with pytest.raises(DeviceError, match="fell off the bus"):
        team.run(Intervals.whole(9))
    assert team.failures == ["cuda:0 fell off the bus"]
    assert team.in_doubt
    assert not team.complete
    assert team.bound() is None
    team.state()
    assert team.members[1].steals + team.members[2].steals > 0
