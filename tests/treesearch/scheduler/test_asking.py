"""A hungry member asks whoever has something to spare, and leaves alone who has not."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from prunus.treesearch.model import ExplorerStatistics
from prunus.treesearch.scheduler.asking import Asking
from prunus.treesearch.scheduler.exchange import Exchange
from prunus.treesearch.scheduler.member import Member
from prunus.treesearch.scheduler.policy import StealingPolicy
from prunus.treesearch.scheduler.standing import Standing


def member(power=400.0, *, idle=False, can_give=True):
    """A member that is at work, or idle."""
    found = Member(SimpleNamespace(power=power, reliable=True, linked=False), idle=idle)
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


def linked(*, idle=False, hungry=False):
    """A member whose explorer exchanges work while it runs."""
    found = member(idle=idle)
    found.explorer.linked, found.hungry = True, hungry
    return found


def test_those_who_are_linked_do_not_ask_each_other():
    """One without work runs and hopes as long as another one has some; cores ask as ever."""
    here, there, core = linked(idle=True), linked(), member(power=1.0, idle=True)
    ask = asking(here, there, core)
    assert ask.may_hope(here)
    assert ask.victim(here) is None
    assert ask.victim(core) is there
    assert not ask.may_hope(core)
    there.hungry = True
    assert not ask.may_hope(here)


@pytest.mark.parametrize("policy", [StealingPolicy.HALF, StealingPolicy.NONE])
def test_the_papers_policy_knows_no_links(policy):
    """Whoever is linked asks, if anybody may be asked."""
    here, there = linked(idle=True), linked()
    ask = asking(here, there, policy=policy)
    assert not ask.may_hope(here)
    assert not ask.linking
    assert ask.victim(here) is (there if policy is StealingPolicy.HALF else None)


def test_links_are_shut_while_all_are_looked_at_and_after_a_failure():
    """Who has been looked at stays what it was; who has failed may have failed in a link."""
    here, there = linked(idle=True), linked()
    ask = asking(here, there)
    exchange = Exchange(ask._standing, StealingPolicy.POWER, 0)
    shared = []
    for surveying, linking in ((False, True), (True, True), (False, False)):
        ask._standing.surveying, ask._standing.linking = surveying, linking
        there.has_given = False
        exchange.link(there)
        shared.append(there.explorer.sharing)
        assert there.has_given is there.explorer.sharing
        assert ask.may_hope(here) is there.explorer.sharing
    assert shared == [True, False, False]


def test_nobody_leaves_while_another_one_may_be_given_something():
    """A search is over when nobody has work, and nobody may be given some."""
    here, there = linked(idle=True), linked(idle=True)
    ask = asking(here, there)
    exchange = Exchange(ask._standing, StealingPolicy.POWER, 0)
    ask._standing.hope(there)
    assert not exchange._is_over()
    with ask._standing.changed:
        ask._standing.withdraw(there)
    assert exchange._is_over()
    assert (there.idle, there.hungry, ask._standing.running) == (True, False, 0)
