"""A hungry member asks whoever has something to spare, and leaves alone who has not."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from prunus.treesearch.model import ExplorerStatistics
from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.asking import Asking
from prunus.treesearch.scheduler.member import Member
from prunus.treesearch.scheduler.standing import Standing


def member(power=400.0, *, idle=False, can_give=True):
    """A member that is at work, or idle."""
    found = Member(SimpleNamespace(power=power, reliable=True), idle=idle)
    found.report = ExplorerStatistics(0, 0, 1, 1, exhausted=idle, can_give=can_give)
    return found


def asking(*members, policy=StealingPolicy.POWER):
    """How these members ask each other, a second into a search."""
    standing = Standing(members)
    standing.begin()
    standing._start -= 10.0
    return Asking(standing, policy, 0)


@pytest.mark.parametrize("policy", [StealingPolicy.POWER, StealingPolicy.HALF])
def test_those_who_have_something_to_spare_are_asked_at_random(policy):
    """Not the hungry one itself, nobody who is idle, and nobody who says that he cannot give."""
    hungry, one, other = member(idle=True), member(), member()
    ask = asking(hungry, one, other, member(idle=True), member(can_give=False), policy=policy)
    assert {id(ask.victim(hungry)) for _ in range(100)} == {id(one), id(other)}


def test_nobody_is_asked_during_a_survey_or_without_stealing():
    """What is looked at stays where it is."""
    hungry, full = member(idle=True), member()
    assert asking(hungry, full, policy=StealingPolicy.NONE).victim(hungry) is None
    ask = asking(hungry, full)
    assert ask.victim(hungry) is full
    ask._standing.surveying = True
    assert ask.victim(hungry) is None


def test_a_weak_member_does_not_interrupt_a_strong_one():
    """A hungry GPU has everybody look whether there is something by now, a core only cores."""
    called = []
    members = [member(power) for power in (400.0, 1.0, 400.0, 1.0)]
    for name, one in zip("ABCD", members, strict=True):
        one.brief = False
        one.explorer.interrupt = lambda name=name: called.append(name)
    members[0].idle = members[1].idle = True
    ask = asking(*members)
    ask.wake_up_for(members[1])
    assert called == ["D"]
    ask.wake_up_for(members[0])
    assert called == ["D", "C", "D"]
