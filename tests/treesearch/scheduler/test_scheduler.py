"""Several explorers on one tree: nothing is lost when they steal, stop, fail or go on."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from time import sleep

import pytest

from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.scheduler import Scheduler
from tests.treesearch.permutations import Indifferent, permutation_tree


def scheduler_of(count, n, visit, **options):
    """Return a scheduler of cores on the permutations of n items."""
    tree = permutation_tree(n, visit)
    return Scheduler(
        [CoreExplorer(tree, f"cpu:{i}") for i in range(count)], Indifferent(), **options
    )


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_a_scheduler_reaches_every_leaf_once(count):
    """Threads that steal from each other visit each permutation exactly once."""
    seen = Counter()
    scheduler = scheduler_of(count, 7, lambda leaf: seen.update([leaf]))
    assert scheduler.run(Intervals.whole(7))
    assert set(seen) == set(itertools.permutations(range(7)))
    assert set(seen.values()) == {1}
    assert scheduler.final_snapshot().fathomed == math.factorial(7)
    assert scheduler.counters().leaves == math.factorial(7)


def test_thieves_get_work():
    """With enough to do, every member of a scheduler ends up with some of the nodes."""

    def visit(leaf):
        # However late the other threads begin, something is left for them.
        if not all(member.nodes for member in scheduler.members):
            sleep(1e-4)

    scheduler = scheduler_of(3, 8, visit)
    scheduler.run(Intervals.whole(8))
    assert all(member.nodes > 0 for member in scheduler.members)
    assert sum(member.steals for member in scheduler.members) >= 2


def test_without_stealing_the_others_stay_idle():
    """Switched off, whoever got nothing does nothing, and the search still ends."""
    scheduler = scheduler_of(3, 6, lambda leaf: None, policy=StealingPolicy.NONE)
    assert scheduler.run(Intervals.whole(6))
    assert [member.nodes > 0 for member in scheduler.members] == [True, False, False]


def test_a_stopped_search_goes_on_where_it_was():
    """Stopping again and again, and going on with new schedulers, loses no leaf."""
    seen = Counter()
    work, rounds, explored = Intervals.whole(8), 0, 0

    def visit(leaf):
        seen.update([leaf])
        if rounds == 1:
            sleep(1e-4)  # the caller comes to look before all is done

    while len(work):
        rounds += 1
        scheduler = scheduler_of(1 + rounds % 3, 8, visit)
        scheduler.run(work, lambda now: True, poll_interval_s=0.01)
        work = scheduler.final_snapshot().work.intervals()
        work.check(tuple(range(8, 0, -1)))
        explored += scheduler.final_snapshot().fathomed
    assert rounds > 1
    assert len(seen) == explored == math.factorial(8)
    assert set(seen.values()) == {1}


def test_a_scheduler_searches_again():
    """After a search that was ended and forgotten, the next one reaches every leaf once."""
    seen, ended = Counter(), False

    def visit(leaf):
        seen.update([leaf])
        if not ended:
            sleep(1e-4)  # the caller comes to look before all is done

    scheduler = scheduler_of(3, 8, visit)
    scheduler.run(Intervals.whole(8), lambda now: now.leaves > 1000, poll_interval_s=0.001)
    ended = True
    assert not scheduler.complete
    scheduler.clear()
    assert len(scheduler.final_snapshot().work) == 0
    seen.clear()
    before = scheduler.final_snapshot().fathomed
    assert scheduler.run(Intervals.whole(8))
    assert scheduler.final_snapshot().fathomed - before == math.factorial(8)
    assert len(seen) == sum(seen.values()) == math.factorial(8)


def test_a_caller_is_asked_when_its_time_is_up():
    """However seldom it wants to be asked otherwise: once it is up, again and again."""
    looks = 0

    def look(now):
        nonlocal looks
        looks += 1
        return looks == 20

    def time_left():
        return 0.0 if looks > 2 else math.inf

    scheduler = scheduler_of(1, 9, lambda leaf: None)
    assert not scheduler.run(Intervals.whole(9), look, 1e9, time_left=time_left)
    assert looks == 20


def test_an_interrupt_leaves_the_rest_open():
    """KeyboardInterrupt comes through once all threads are down, and nothing is lost."""
    seen = Counter()
    scheduler = scheduler_of(2, 9, lambda leaf: seen.update([leaf]))

    def interrupt(now):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scheduler.run(Intervals.whole(9), interrupt, poll_interval_s=0.01)
    rest = sum(scheduler.final_snapshot().work.intervals().measure(tuple(range(9, 0, -1))))
    assert scheduler.final_snapshot().fathomed + rest == math.factorial(9)
    assert len(seen) == sum(seen.values())


def test_a_failure_in_a_thread_reaches_the_caller():
    """An error inside an explorer is raised by ``run``, and the other threads end."""

    def broken(leaf):
        raise ZeroDivisionError("broken on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        scheduler_of(3, 6, broken).run(Intervals.whole(6))


def test_a_snapshot_of_a_running_search_is_consistent():
    """In every snapshot, done and open leaves make the whole, whatever was being stolen."""
    scheduler = scheduler_of(4, 9, lambda leaf: None)
    radix = tuple(range(9, 0, -1))
    checks = []

    def look(now):
        seen = scheduler.consistent_snapshot()
        if seen is not None:
            checks.append(seen.fathomed + sum(seen.work.intervals().measure(radix)))
        return len(checks) >= 60

    scheduler.run(Intervals.whole(9), look, poll_interval_s=0.002)
    assert set(checks) == {math.factorial(9)}
