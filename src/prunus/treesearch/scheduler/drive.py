"""The course of one thread of a team: explore, let others have some, ask for more."""

from __future__ import annotations

from prunus.errors import DeviceError
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.scheduler.exchange import Exchange
from prunus.treesearch.scheduler.member import Member
from prunus.treesearch.scheduler.standing import Standing
from prunus.treesearch.scheduler.surveyor import Surveyor

__all__ = ["drive"]

FIRST, LONGEST = 0.004, 0.05
"""Seconds between two looks of a thread around, unless a request interrupts: at first, at most."""

BRIEF = 0.0005
"""The same while others wait for it to have something to spare."""


def drive(
    member: Member,
    standing: Standing,
    exchange: Exchange,
    surveyor: Surveyor,
    incumbent: Incumbent,
) -> None:
    """Drive one explorer until the search is over; runs in the explorer's thread."""
    try:
        working = not member.idle
        seconds = FIRST
        while not standing.stopping:
            if not working and not exchange.obtain(member):
                break
            surveyor.show(member)
            brief = not member.report.can_give and exchange.wanted_from(member)
            member.brief = brief
            report = member.explorer.explore(incumbent, BRIEF if brief else seconds)
            if not brief:
                seconds = min(LONGEST, 2 * seconds)
            member.add(report)
            working = not report.exhausted
            if working:
                surveyor.show(member)
                exchange.serve(member)
            else:
                retire(member, standing, surveyor)
    except DeviceError as failure:
        standing.lose(member, failure)
    except BaseException as error:
        standing.stop(error)


def retire(member: Member, standing: Standing, surveyor: Surveyor) -> None:
    """Note that a member has no work, and turn down whoever asked it for some."""
    with standing.changed:
        surveyor.show_last(member)
        member.rest()
        standing.withdraw(member)
