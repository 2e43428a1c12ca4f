"""Who is asked for work, by whom, and for how much."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from prunus.treesearch.model import Explorer, ExplorerStatistics
from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.member import Member
from prunus.treesearch.scheduler.team_state import TeamState
from prunus.treesearch.scheduler.tuning import SchedulerTuning
from prunus.treesearch.scheduler.victim_selector import VictimSelector

TUNING = SchedulerTuning()


def member(power: float = 400.0, *, idle: bool = False, has_spare_work: bool = True) -> Member:
    """A member that is at work, or idle; its explorer has nothing but a power."""
    explorer = cast(Explorer, SimpleNamespace(power=power, reliable=True))
    found = Member(explorer, idle=idle)
    found.last_slice = ExplorerStatistics(0, 0, 1, 1, exhausted=idle, has_spare_work=has_spare_work)
    return found


def selector(
    *members: Member, policy: StealingPolicy = StealingPolicy.POWER, elapsed: float = 10.0
) -> VictimSelector:
    """How these members choose, so many seconds into a search."""
    team = TeamState(members)
    team.begin()
    team._start -= elapsed
    return VictimSelector(team, policy, 0)


@pytest.mark.parametrize("policy", [StealingPolicy.POWER, StealingPolicy.HALF])
def test_those_who_have_something_to_spare_are_asked_at_random(policy: StealingPolicy) -> None:
    """Not the thief itself, nobody who is idle, and nobody who says that it has nothing."""
    thief, one, other = member(idle=True), member(), member()
    members = [thief, one, other, member(idle=True), member(has_spare_work=False)]
    choice = selector(*members, policy=policy)
    assert {id(choice.victim(thief)) for _ in range(100)} == {id(one), id(other)}


def test_nobody_is_asked_during_a_snapshot_or_without_stealing() -> None:
    """What is looked at stays where it is."""
    thief, full = member(idle=True), member()
    assert selector(thief, full, policy=StealingPolicy.NONE).victim(thief) is None
    choice = selector(thief, full)
    assert choice.victim(thief) is full
    choice._team.snapshot_running = True
    assert choice.victim(thief) is None


def test_a_weak_member_does_not_interrupt_a_strong_one() -> None:
    """A starving GPU has everybody look whether there is something by now, a core only cores."""
    called: list[str] = []
    members = [member(power) for power in (400.0, 1.0, 400.0, 1.0)]
    for name, one in zip("ABCD", members, strict=True):
        one.in_short_slice = False
        explorer: Any = one.explorer
        explorer.interrupt = lambda name=name: called.append(name)
    members[0].idle = members[1].idle = True
    choice = selector(*members)
    choice.interrupt_for(members[1])
    assert called == ["D"]
    choice.interrupt_for(members[0])
    assert called == ["D", "C", "D"]


def test_equals_share_in_half() -> None:
    """Two cores, or two GPUs, give each other half under every policy."""
    for power in (1.0, 400.0):
        for policy in (StealingPolicy.POWER, StealingPolicy.HALF):
            choice = selector(policy=policy)
            assert choice.share(member(power), member(power)) == pytest.approx(0.5)


def test_a_share_follows_the_power() -> None:
    """A GPU takes all a core has, a core next to nothing of a GPU's."""
    gpu, core = member(399.0), member(1.0)
    assert selector().share(gpu, core) == 1.0
    assert selector().share(core, gpu) == pytest.approx(1 / 400)
    assert selector(policy=StealingPolicy.HALF).share(core, gpu) == 0.5


def test_several_thieves_get_alike() -> None:
    """Three GPUs that ask a fourth one after the other end with a quarter each."""
    victim, thieves = member(400.0), [member(400.0) for _ in range(3)]
    left, got = 1.0, []
    while thieves:
        thief = thieves.pop(0)
        got.append(left * selector().share(thief, victim, thieves))
        left -= got[-1]
    assert [*got, left] == pytest.approx([0.25] * 4)


def test_weak_thieves_wait_their_turn() -> None:
    """A core leaves a GPU alone at first, and after each donation; a GPU may always ask."""
    gpu, core = member(400.0), member(1.0)
    delay, interval = TUNING.weak_delay_s, TUNING.weak_interval_s
    assert not selector(elapsed=delay / 2).may_ask(core, gpu)
    assert selector(elapsed=delay * 2).may_ask(core, gpu)
    gpu.last_donation = delay * 2
    assert not selector(elapsed=delay * 2 + interval / 2).may_ask(core, gpu)
    assert selector(elapsed=delay * 2 + interval * 2).may_ask(core, gpu)
    assert selector(elapsed=0.0).may_ask(gpu, core)
    assert selector(elapsed=0.0, policy=StealingPolicy.HALF).may_ask(core, gpu)


def test_a_few_cores_beside_a_gpu_stay_in_reserve() -> None:
    """They would cost more than they do; many cores and equals take part."""
    gpu, cores = member(400.0), [member(1.0) for _ in range(64)]
    assert selector(gpu, *cores[:15]).in_reserve()
    assert not selector(gpu, *cores).in_reserve()
    gpu.failed = "lost"
    assert selector(gpu, *cores[:15]).in_reserve()  # there are no weak ones then
