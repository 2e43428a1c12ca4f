"""A work unit, as a worker explores it."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

import prunus
from prunus import DeviceError, FlowShop
from prunus.flowshop.explorer_factory import FlowShopExplorerFactory
from prunus.flowshop.rules import Bound, Branching
from prunus.treesearch.distributed import tuning, worker
from prunus.treesearch.distributed.scheduler_cache import SchedulerCache
from prunus.treesearch.distributed.work_unit import WorkUnit
from prunus.treesearch.distributed.worker import explore
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.interval.packed import Packed, audit
from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler import local_explorers as module
from tests.reading import read

SHOP = read("ta030")
RADIX = tuple(range(20, 0, -1))


@pytest.fixture
def whole() -> WorkUnit:
    """Return the whole tree of ta030 below its optimum."""
    factory = FlowShopExplorerFactory(SHOP, StealingPolicy.POWER, Bound.LB1, Branching.MINBRANCH)
    return WorkUnit(
        ticket=0,
        copy=0,
        factory=pickle.dumps(factory),
        digest="ta030",
        devices="cpu:1",
        workers=pickle.dumps(()),
        work=Packed.of(Intervals.whole(20)),
        cutoff=2178,
        bound=None,
        seconds=0.02,
    )


def test_units_after_units_make_the_whole(whole) -> None:
    """Each goes on with what the last one left; the nodes are those of one search."""
    part, nodes, fathomed, count = whole, 0, 0, 0
    while len(part.work):
        answer = pickle.loads(pickle.dumps(explore(pickle.loads(pickle.dumps(part)))))
        left = audit(answer.left, RADIX)
        fathomed += answer.fathomed
        assert left + fathomed == leaves(RADIX)
        assert answer.found is None
        nodes += answer.nodes
        count += 1
        part = replace(part, work=answer.left)
    assert (nodes, fathomed) == (2_415_779, leaves(RADIX))
    assert count > 1


def test_a_unit_leaves_nothing_behind(whole) -> None:
    """What one has not come to is not explored by the next one, which has all of its own."""
    for _ in range(3):
        explore(replace(whole, seconds=1e-3))
    answer = explore(replace(whole, seconds=1e6))
    assert len(answer.left) == 0
    assert (answer.nodes, answer.fathomed) == (2_415_779, leaves(RADIX))


def test_what_was_found_is_handed_in(whole) -> None:
    """A schedule better than what was known, with its makespan; nothing that is no better."""
    answer = explore(replace(whole, cutoff=3000, seconds=0.2))
    makespan, schedule = answer.found
    assert makespan < 3000
    assert SHOP.evaluate(schedule) == makespan


def test_a_worker_whose_card_fails_goes_on_with_its_cores(whole, monkeypatch) -> None:
    """If it chose the card by itself; it is not asked to choose it again."""

    def fail(index):
        raise DeviceError("cuda:0 fell off the bus")

    described = worker.this_worker
    monkeypatch.setattr(module, "open_gpu", fail)
    monkeypatch.setattr(worker, "_gpu_failures", [])

    def with_card(concurrency, gpus):
        return replace(described(concurrency, False), gpus=("0:1",) if gpus else ())

    monkeypatch.setattr(worker, "this_worker", with_card)
    with pytest.warns(UserWarning, match="on the CPU: cuda:0 fell off"):
        answer = explore(replace(whole, devices="auto"))
    assert answer.devices[0] == "cpu:0"
    assert answer.worker.gpus == ()
    explore(replace(whole, devices="auto"))
    with pytest.raises(DeviceError):
        explore(replace(whole, devices="cuda:0"))


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_with_a_card_count_the_same(device, monkeypatch, workers) -> None:
    """Units of a GPU, some of them given back unfinished: the nodes of one core."""
    monkeypatch.setattr(module, "open_gpu", lambda index: device)
    monkeypatch.setattr(worker, "check_gpus", lambda devices: None)
    monkeypatch.setattr(worker, "_schedulers", SchedulerCache())
    record = replace(tuning.DEFAULT_TUNING, shortest_unit_s=0.002)
    monkeypatch.setattr(tuning, "DEFAULT_TUNING", record)
    shop = FlowShop(SHOP.processing_times[:9])
    options = {"upper_bound": prunus.solve(shop, devices="cpu:1").objective}
    alone = prunus.solve(shop, devices="cpu:1", **options)
    with ThreadPoolExecutor(workers) as executor:
        result = prunus.solve(shop, executor=executor, devices="cuda:0", **options)
    assert (result.status, result.nodes) == (alone.status, alone.nodes)
    assert {tuple(w["devices"]) for w in result.statistics["workers"]} == {("cuda:0",)}
