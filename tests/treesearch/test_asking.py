"""A hungry member asks whoever has most to spare, and leaves alone who has next to nothing."""

from __future__ import annotations

from time import perf_counter
from types import SimpleNamespace

import pytest

from prunus.treesearch import asking as asking_module
from prunus.treesearch.asking import CRUMBS, LULL, Asking
from prunus.treesearch.explorer import Report
from prunus.treesearch.member import Member
from prunus.treesearch.policy import Policy
from prunus.treesearch.standing import Standing


def member(spare, power=400.0, *, can_give=True):
    """A member at work that has so much to spare; idle if that is None."""
    found = Member(SimpleNamespace(power=power, reliable=True), idle=spare is None)
    found.report = Report(
        0, 0, 1, 1, exhausted=spare is None, can_give=can_give, spare=spare or 0.0
    )
    return found


def asking(*members, policy=Policy.POWER):
    """How these members ask each other, a second into a search."""
    standing = Standing(members)
    standing.begin()
    standing._start -= 10.0
    return Asking(standing, policy, 0)


def test_the_fullest_is_asked():
    """Not the hungry one itself, nobody who is idle, and nobody who says that he cannot give."""
    hungry, some, most = member(None), member(5.0), member(7.0)
    ask = asking(hungry, some, most, member(None), member(9.0, can_give=False))
    assert all(ask.victim(hungry) is most for _ in range(20))


def test_who_has_just_given_is_no_longer_the_fullest():
    """Though its explorer has not said yet how much it has left; if nothing was given, it is."""
    hungry, some, most = member(None), member(5.0), member(7.0)
    ask = asking(hungry, some, most)
    for given, victim in (((), most), ((1,), some)):
        most.explorer.split = lambda fraction, given=given: given
        most.give(0.5)
        assert ask.victim(hungry) is victim


@pytest.mark.parametrize("policy", [Policy.POWER, Policy.HALF])
def test_equals_are_asked_at_random(policy, monkeypatch):
    """Those with equally much to spare; by the paper's policy, and if we want so, all."""
    hungry, one, other = member(None), member(5.0), member(7.0)
    if policy is Policy.POWER:
        monkeypatch.setattr(asking_module, "FULLEST", False)
    ask = asking(hungry, one, other, policy=policy)
    assert {id(ask.victim(hungry)) for _ in range(100)} == {id(one), id(other)}


def test_nobody_is_asked_during_a_survey_or_without_stealing():
    """What is looked at stays where it is."""
    hungry, full = member(None), member(5.0)
    assert asking(hungry, full, policy=Policy.NONE).victim(hungry) is None
    ask = asking(hungry, full)
    ask._standing.surveying = True
    assert ask.victim(hungry) is None


def test_only_the_giver_of_crumbs_is_left_alone():
    """For a while, that grows while it goes on giving crumbs, and ends when it gives more."""
    hungry, giver, other = member(None), member(7.0), member(5.0)
    ask = asking(hungry, giver, other)
    hungry.giver, hungry.last_loot = giver, perf_counter()
    for lull in (LULL[0], 2 * LULL[0]):
        now = perf_counter()
        hungry.last_loot = now
        ask.judge(hungry, now)
        assert giver.lull == lull
        assert giver.quiet_until == now + lull
    giver.quiet_until = perf_counter() + 1000.0
    assert ask.victim(hungry) is other
    other.idle = True
    assert ask.victim(hungry) is None
    ask.judge(hungry, hungry.last_loot + 2 * CRUMBS)
    assert giver.lull == 0.0


def test_cores_are_not_judged():
    """What a core gives is always little."""
    hungry, core = member(None), member(1.0, power=1.0)
    hungry.giver, hungry.last_loot = core, perf_counter()
    asking(hungry, core).judge(hungry, perf_counter())
    assert core.quiet_until == 0.0


def test_a_weak_member_does_not_interrupt_a_strong_one():
    """A hungry GPU has everybody look whether there is something by now, a core only cores."""
    called = []
    members = [member(1.0, power=power) for power in (400.0, 1.0, 400.0, 1.0)]
    for name, one in zip("ABCD", members, strict=True):
        one.brief = False
        one.explorer.interrupt = lambda name=name: called.append(name)
    members[0].idle = members[1].idle = True
    ask = asking(*members)
    ask.wake_up_for(members[1])
    assert called == ["D"]
    ask.wake_up_for(members[0])
    assert called == ["D", "C", "D"]
