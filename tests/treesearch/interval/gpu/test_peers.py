"""GPUs that give each other work while their kernels run: nothing is lost or done twice."""

from __future__ import annotations

import random
import threading
import time

import numpy as np
import pytest

import prunus
import prunus.hardware.cuda
from prunus.atsp.naive.program import atsp_program
from prunus.atsp.naive.tree import core_tree
from prunus.atsp.problem import ATSP
from prunus.errors import DeviceError
from prunus.flowshop.gpu.program import flowshop_program
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.driver import record
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.gpu import GpuExplorer
from prunus.treesearch.interval.gpu import explorer as gpu
from prunus.treesearch.interval.gpu.engine import SHUT
from prunus.treesearch.interval.gpu.memory import CONTROL
from prunus.treesearch.interval.gpu.peers import link
from prunus.treesearch.interval.gpu.victims import Victims
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.scheduler.policy import StealingPolicy
from prunus.treesearch.scheduler.team import Team
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice, LinkedDevice
from tests.treesearch.gpu_runs import on_core

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")

TOUR = ATSP(np.random.default_rng(5).integers(1, 100, (13, 13)))
TREE = core_tree(TOUR)
LEVELS = len(TREE.radix)


@pytest.fixture(scope="module")
def proof():
    """The length of a shortest tour, and how many nodes prove it."""
    best = on_core(TREE, None)[1].cutoff
    return best, on_core(TREE, best)[0]


def linked(count, **options):
    """Explorers on so many devices."""
    explorers = [GpuExplorer(atsp_program(TOUR), LinkedDevice(i), **options) for i in range(count)]
    link(explorers)
    return explorers


def control(explorer, name):
    """A control word, as it is now, as an array of one."""
    return explorer.engine.memory.array("control")[: CONTROL.words].view(CONTROL.dtype)[name]


def waits_for_the_others(explorers, monkeypatch):
    """Let the first explorer begin when all others run."""
    first, *others = explorers
    explore = first.explore

    def wait(*arguments):
        for explorer in others:
            while control(explorer, "gate")[0] & SHUT:
                time.sleep(1e-5)
        monkeypatch.setattr(first, "explore", explore)
        return explore(*arguments)

    monkeypatch.setattr(first, "explore", wait)


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("seconds", [1.0, 2e-6])
def test_explorers_that_run_give_to_those_that_have_nothing(count, seconds, proof, monkeypatch):
    """One has all work at first; every node is branched once, every leaf passed once."""
    explorers = linked(count, slice_seconds=seconds)
    explorers[0].load(Intervals.whole(LEVELS))
    if seconds >= 1:
        waits_for_the_others(explorers, monkeypatch)
    incumbent = Incumbent(proof[0])
    nodes, received = [0] * count, [0] * count
    busy = [True] * count
    together = threading.Barrier(count)

    def drive(i):
        explorers[i].sharing = True
        while any(busy):
            together.wait()
            report = explorers[i].explore(incumbent, seconds)
            busy[i] = not report.exhausted
            nodes[i] += report.nodes
            received[i] += report.received
            together.wait()

    threads = [threading.Thread(target=drive, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(nodes) == proof[1]
    assert sum(explorer.state()[1] for explorer in explorers) == leaves(TREE.radix)
    assert seconds < 1 or min(received[1:]) > 0


@pytest.mark.parametrize("count", [2, 3])
def test_a_team_that_is_looked_at(count, proof, monkeypatch):
    """Whatever goes from kernel to kernel: each look at all of them adds up to the whole tree."""
    explorers = linked(count, slice_seconds=1e-5)
    waits_for_the_others(explorers, monkeypatch)
    team = Team([*explorers, CoreExplorer(TREE, "cpu:0")], Incumbent(proof[0]))
    surveys = []

    def look(now):
        for seen in (team.survey() for _ in range(4 if now.steals else 0)):
            if seen is None:
                break
            work = seen.work.intervals()
            work.check(TREE.radix)
            surveys.append(seen.explored + sum(work.measure(TREE.radix)))
        return False

    assert team.run(Intervals.whole(LEVELS), look, every=0.002)
    assert team.snapshot().nodes == proof[1]
    assert team.state().explored == leaves(TREE.radix)
    assert set(surveys) <= {leaves(TREE.radix)}
    assert sum(member.steals for member in team.members) > 0
    assert len(surveys) > 1
    assert not any(member.hungry for member in team.members)
    assert all(control(explorer, "gate")[0] == SHUT for explorer in explorers)
    assert all(control(explorer, "waiting")[0] < 2**16 for explorer in explorers)


@pytest.mark.parametrize("policy", list(StealingPolicy))
def test_policies_of_linked_explorers(policy, proof, monkeypatch):
    """Kernels give only where the default says so; with every policy each node is branched once."""
    explorers = linked(2, slice_seconds=1e-5)
    if policy is StealingPolicy.POWER:
        waits_for_the_others(explorers, monkeypatch)
    team = Team([*explorers, CoreExplorer(TREE, "cpu:0")], Incumbent(proof[0]), policy=policy)
    assert team.run(Intervals.whole(LEVELS))
    assert team.snapshot().nodes == proof[1]
    assert team.state().explored == leaves(TREE.radix)
    gifts = [int(explorer.engine.control["visits"]) for explorer in explorers]
    assert (sum(gifts) > 0) == (policy is StealingPolicy.POWER)
    if policy is StealingPolicy.NONE:
        assert [member.nodes > 0 for member in team.members] == [True, False, False]


@pytest.mark.parametrize("victims", [v for v in Victims if v is not Victims.GIFTS])
def test_other_victims_inside_a_device_are_not_linked(victims, proof):
    """Cards whose explorers steal between kernels ask one another; every node is branched once."""
    devices = [LinkedDevice(i) for i in range(3)]
    explorers = [
        GpuExplorer(atsp_program(TOUR), device, victims=which, slice_seconds=1e-5)
        for device, which in zip(devices, (victims, Victims.GIFTS, Victims.GIFTS), strict=True)
    ]
    link(explorers)
    assert not any(explorer.linked for explorer in explorers)
    team = Team(explorers, Incumbent(proof[0]))
    assert team.run(Intervals.whole(LEVELS))
    assert team.snapshot().nodes == proof[1]
    assert team.state().explored == leaves(TREE.radix)


def test_a_team_that_is_stopped_goes_on_later(proof, monkeypatch):
    """What is open when a search stops, or begins on other devices, is all that is open."""
    monkeypatch.setattr(gpu, "SHORTEST", 1e-7)
    nodes, explored, left = 0, 0, Intervals.whole(LEVELS)
    for count in (3, 2, 3):
        team = Team(linked(count, slice_seconds=2e-6), Incumbent(proof[0]))
        goal = proof[1] // 3
        team.run(left, lambda now, goal=goal: now.nodes > goal, every=0.001)
        state = team.state()
        nodes, explored = nodes + state.nodes, explored + state.explored
        left = state.work.intervals()
    while len(left):
        team = Team(linked(2, slice_seconds=2e-6), Incumbent(proof[0]))
        team.run(left)
        state, left = team.state(), Intervals.empty(LEVELS)
        nodes, explored = nodes + state.nodes, explored + state.explored
    assert nodes == proof[1]
    assert explored == leaves(TREE.radix)


@pytest.mark.parametrize("seed", range(4))
def test_linked_gpus_fail(seed, proof, monkeypatch):
    """Nobody knows what a device that fails was given; all go back, and end what they began."""
    rng = random.Random(seed)
    left = {rng.randrange(3): rng.randrange(4, 60), rng.randrange(3): rng.randrange(4, 60)}

    class Frail(LinkedDevice):
        def launch(self, *arguments):
            left[self.index] = left.get(self.index, 10**9) - 1
            if left[self.index] < 0 and sum(n < 0 for n in left.values()) < 3:
                raise DeviceError(f"cuda:{self.index} fell off the bus")
            super().launch(*arguments)

    monkeypatch.setattr(prunus.hardware.cuda, "CudaDevice", Frail)
    monkeypatch.setitem(GpuExplorer.__init__.__kwdefaults__, "slice_seconds", 2e-6)
    monkeypatch.setattr(record, "REMEMBER", rng.choice((0, 0.05, 10)))
    result = prunus.solve(
        TOUR, devices="cuda:0,cuda:1,cuda:2", upper_bound=proof[0], method="interval"
    )
    assert (result.status, result.nodes) == ("infeasible", proof[1])
    assert result.explored == 1.0
    assert result.statistics["failures"]


def test_a_device_does_not_wait_for_ever_for_one_that_has_failed(monkeypatch):
    """Whoever gives and never leaves ends the receiver's kernel, as a failure."""
    one, _ = linked(2)
    monkeypatch.setattr(LinkedDevice, "_step", 10**8)
    one.sharing = True
    control(one, "gate")[0] += 1
    with pytest.raises(DeviceError, match="cuda:0 waited in vain"):
        one.explore(Incumbent(0), 1.0)


def test_a_device_that_failed_before_it_began_has_nothing_later(monkeypatch):
    """What it was to take up is forgotten when it is cleared, and it hopes for other work."""
    one, other = linked(2)
    one.load(Intervals.whole(LEVELS))

    def fail(*arguments):
        raise DeviceError("cuda:0 fell off the bus")

    with monkeypatch.context() as patch:
        patch.setattr(one.engine.device, "launch", fail)
        with pytest.raises(DeviceError):
            one.explore(Incumbent(), 1.0)
    for explorer in (one, other):
        explorer.clear()
        explorer.sharing = True
    control(other, "waiting")[0] = other.explorers  # as when it has nothing either
    report = one.explore(Incumbent(), 1.0)
    assert (report.nodes, report.exhausted) == (0, True)
    assert one.state() == ([], 0)


def test_who_is_not_linked(proof):
    """A device alone, devices out of each other's reach: their kernels know of no others."""
    alone = [GpuExplorer(atsp_program(TOUR), LinkedDevice())]
    apart = [GpuExplorer(atsp_program(TOUR), d) for d in (LinkedDevice(0), EmulatedDevice())]
    for explorers in (alone, apart):
        link(explorers)
        assert not any(explorer.linked for explorer in explorers)


@pytest.mark.gpu
@pytest.mark.parametrize("count", [2, 4])
def test_explorers_on_cards_exchange_work(count):
    """On all cards there are, or side by side on one: every node of ta022 is branched once."""
    cards = [
        prunus.hardware.cuda.CudaDevice(i % prunus.hardware.cuda.devices()) for i in range(count)
    ]
    for card in cards:
        assert all(card.connect(other) for other in cards)
        card.linkable = all(card.shares(other) for other in cards)
    program = flowshop_program(prunus.read("ta022"))
    explorers = [GpuExplorer(program, card, explorers=512) for card in cards]
    link(explorers)
    team = Team(explorers, Incumbent(2099))
    assert team.run(Intervals.whole(20), lambda now: team.survey() is None and False, every=0.004)
    assert team.snapshot().nodes == 45_955_964
    assert team.state().explored == leaves(tuple(range(20, 0, -1)))
