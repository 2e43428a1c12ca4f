"""What a worker keeps from one work unit to the next, and that it keeps out of its own way."""

from __future__ import annotations

import pickle
import threading

import pytest

from prunus import DeviceError, NQueens
from prunus.hardware.devices import Devices
from prunus.nqueens.explorer_factory import QueensExplorerFactory
from prunus.treesearch.distributed import scheduler_cache as module
from prunus.treesearch.distributed.scheduler_cache import SchedulerCache
from prunus.treesearch.options import StealingPolicy

FACTORY = pickle.dumps(QueensExplorerFactory(NQueens(8), StealingPolicy.POWER, "none", 10))
CORE = Devices(1)


def test_a_scheduler_is_kept_for_the_next_unit() -> None:
    """The same one for the same devices, another one beside it, and none after its tree is old."""
    kept = SchedulerCache(kept_trees=2)
    with kept.borrow(FACTORY, "a", CORE) as first, kept.borrow(FACTORY, "a", CORE) as beside:
        assert first is not beside
    with kept.borrow(FACTORY, "a", CORE) as again:
        assert again in (first, beside)
    with kept.borrow(FACTORY, "a", Devices(2)) as larger:
        assert len(larger.members) == 2
    for tree in range(2):
        with kept.borrow(FACTORY, f"tree {tree}", CORE):
            pass
    with kept.borrow(FACTORY, "a", CORE) as later:
        assert later not in (first, beside)


def test_a_scheduler_that_failed_is_not_kept() -> None:
    """Neither after an exception nor after a device was lost."""
    kept = SchedulerCache(kept_trees=2)
    with pytest.raises(DeviceError), kept.borrow(FACTORY, "a", CORE) as broken:
        raise DeviceError("cuda:0 fell off the bus")
    with kept.borrow(FACTORY, "a", CORE) as lame:
        assert lame is not broken
        lame.team.failures.append("cuda:0 fell off the bus; the search goes on without cuda:0")
    with kept.borrow(FACTORY, "a", CORE) as sound:
        assert sound not in (broken, lame)


def test_a_card_has_one_unit_at_a_time(monkeypatch) -> None:
    """Who wants a GPU that is in use waits for it; who wants another one does not."""
    monkeypatch.setattr(
        module, "local_explorers", lambda devices, factory: [factory.on_core("cuda:0")]
    )
    kept, entered = SchedulerCache(kept_trees=2), threading.Event()

    def other() -> None:
        with kept.borrow(FACTORY, "a", Devices(0, (0, 1))):
            entered.set()

    with kept.borrow(FACTORY, "a", Devices(0, (0,))):
        thread = threading.Thread(target=other)
        thread.start()
        with kept.borrow(FACTORY, "a", Devices(0, (2,))):
            assert not entered.wait(0.05)
    assert entered.wait(60)
    thread.join()
