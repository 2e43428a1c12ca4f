"""Which devices the workers of a machine take: all of them together, none twice."""

from __future__ import annotations

import os

import pytest

from prunus.hardware.devices import Devices, parse_devices
from prunus.treesearch.distributed.device_sharing import WorkerInfo, share_devices, this_worker

ALL = Devices(8, automatic=True)


def some_workers(count, **what):
    """Return so many workers of one host."""
    return [WorkerInfo("a", 100 + i, **{"cores": 0xFF, **what}) for i in range(count)]


def test_a_worker_alone_has_the_machine() -> None:
    """All cores, also when workers of other hosts have the same numbers."""
    me = WorkerInfo("a", 100, cores=0xFF)
    assert share_devices(me, [WorkerInfo("b", 100, cores=0xFF)], ALL).cores == 8


@pytest.mark.parametrize(("count", "cores"), [(2, [4, 4]), (3, [3, 3, 2]), (8, [1] * 8)])
def test_cores_are_shared(count, cores) -> None:
    """Each has its part, and the parts are all cores."""
    there = some_workers(count)
    assert [share_devices(me, there, ALL).cores for me in there] == cores


def test_nobody_goes_without_a_core() -> None:
    """More workers than cores have one each."""
    there = some_workers(20)
    assert {share_devices(me, there, ALL).cores for me in there} == {1}


def test_threads_of_a_worker_count() -> None:
    """A worker with four work units at a time gives each of them its part."""
    there = some_workers(1, concurrency=4)
    assert share_devices(there[0], there, ALL).cores == 2


def test_workers_bound_to_cores_of_their_own_keep_them() -> None:
    """As MPI binds them."""
    there = [WorkerInfo("a", 1, cores=0x0F), WorkerInfo("a", 2, cores=0xF0)]
    assert share_devices(there[0], there, Devices(4, automatic=True)).cores == 4


def test_cards_are_dealt() -> None:
    """Every card has a worker, and no card two; in whatever order a worker sees them."""
    names = ("0:1", "0:2", "0:3", "0:4")
    for count in (1, 2, 3, 4):
        there = [WorkerInfo("a", i, gpus=names[i:] + names[:i]) for i in range(count)]
        shares = [share_devices(me, there, ALL) for me in there]
        taken = [me.gpus[i] for me, mine in zip(there, shares, strict=True) for i in mine.gpus]
        assert sorted(taken) == list(names)
        assert {mine.cores for mine in shares} == {0}


def test_workers_with_a_card_of_their_own_keep_it() -> None:
    """Each process sees one, and calls it the first."""
    there = [WorkerInfo("a", i, gpus=(f"0:{i}",)) for i in range(3)]
    assert [share_devices(me, there, ALL).gpus for me in there] == [(0,)] * 3


def test_too_few_cards_are_shared() -> None:
    """Nobody goes without."""
    there = [WorkerInfo("a", i, gpus=("0:1", "0:2")) for i in range(5)]
    assert [share_devices(me, there, ALL).gpus for me in there] == [(0,), (1,), (0,), (1,), (0,)]


def test_named_devices_are_shared_as_well() -> None:
    """Two workers divide what may be used of their machine."""
    there = [WorkerInfo("a", i, cores=0xFF, gpus=("0:1", "0:2", "0:3")) for i in range(2)]
    wanted = parse_devices("cuda:0,cuda:2,cpu:6")
    assert [share_devices(me, there, wanted).gpus for me in there] == [(0,), (2,)]
    assert [share_devices(me, there, wanted).cores for me in there] == [3, 3]


def test_a_stranger_reckons_with_itself() -> None:
    """Who is not known yet takes no more than a part."""
    assert share_devices(WorkerInfo("a", 5, cores=0xFF), some_workers(1), ALL).cores == 4


def test_this_process_says_who_it_is() -> None:
    """The process and its cores."""
    me = this_worker(3, gpus=False)
    assert (me.pid, me.concurrency, me.gpus) == (os.getpid(), 3, ())
    assert me.cores.bit_count() >= 1
