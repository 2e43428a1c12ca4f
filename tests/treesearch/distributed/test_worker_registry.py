"""Who takes part in a search over an executor, and who is left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from prunus.treesearch.distributed.device_sharing import WorkerInfo
from prunus.treesearch.distributed.messages import Address
from prunus.treesearch.distributed.tuning import DistributedTuning
from prunus.treesearch.distributed.work_unit import WorkUnitResult
from prunus.treesearch.distributed.worker_registry import WorkerRegistry
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed

ONE, OTHER = WorkerInfo("a", 1), WorkerInfo("a", 2)


def registry() -> WorkerRegistry:
    """Return a registry that leaves a worker out after two bad results."""
    return WorkerRegistry(None, DistributedTuning(bad_results=2))


def a_result(worker: WorkerInfo) -> WorkUnitResult:
    """Return a result of a worker."""
    nothing = Packed.of(Intervals.empty(3))
    found = (7, np.arange(3))
    return WorkUnitResult(nothing, 0, 7, None, 0, 0, found, worker, ("cpu:0",), 1.0, 1.0)


def test_a_worker_is_left_out_after_a_few_bad_results() -> None:
    """For good, but never the last one."""
    known = registry()
    known.note(a_result(ONE))
    known.note(a_result(OTHER))
    known.note_bad(ONE)
    assert not known.is_left_out(ONE)
    known.note_bad(ONE)
    known.note(a_result(ONE))
    assert known.is_left_out(ONE)
    assert not known.is_left_out(OTHER)
    for _ in range(2):
        known.note_bad(OTHER)
    assert not known.is_left_out(OTHER)
    assert not known.is_left_out(ONE)


def test_if_all_workers_only_say_nonsense_it_is_not_theirs() -> None:
    """A good result says that it is not so; without a name it is the only worker's."""
    known = registry()
    assert not known.all_bad
    known.note(a_result(ONE))
    known.note_bad(None)
    known.note_bad(ONE)
    assert known.all_bad
    known.note(a_result(OTHER))
    known.note_bad(None)  # whose was it?
    assert not known.all_bad
    known.note(a_result(ONE))
    assert not known.all_bad


class Server:
    """Has an address, and listens to nobody."""

    def __init__(self) -> None:
        self.address = Address("a", 4321, 0, (), b"", b"", b"")

    def open_for(self, host: str) -> None:
        """Listen to other machines as well."""
        if host != "a":
            self.address = replace(self.address, remote_port=4322)


def test_who_does_not_reach_the_coordinator_is_told_of_once(caplog) -> None:
    """With the port, and not before its second unit: the first one may not know the port yet."""
    known = WorkerRegistry(Server(), DistributedTuning())
    offline = replace(a_result(WorkerInfo("b", 3)), worker=WorkerInfo("b", 3))
    known.note(a_result(replace(ONE, online=True)))
    known.note(offline)
    assert caplog.text == ""
    for _ in range(3):
        known.note(offline)
        known.note(a_result(OTHER))
    assert caplog.text.count("cannot reach the coordinator on TCP port 4322") == 1
    assert "a:2" not in caplog.text
