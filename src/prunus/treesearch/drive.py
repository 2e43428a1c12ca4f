"""The course of one thread of a team: explore, let others have some, ask for more."""

from __future__ import annotations

from prunus.errors import DeviceError
from prunus.incumbent import Incumbent
from prunus.treesearch.exchange import Exchange
from prunus.treesearch.member import Member

__all__ = ["drive"]

FIRST, LONGEST = 0.004, 0.05
"""Seconds between two looks of a thread around, unless a request interrupts: at first, at most."""

BRIEF = 0.0005
"""The same while others wait for it to have something to spare."""


def drive(member: Member, exchange: Exchange, incumbent: Incumbent) -> None:
    """Drive one explorer until the search is over; runs in the explorer's thread."""
    try:
        working = not member.idle
        seconds = FIRST
        while not exchange.stopping:
            if not working and not exchange.obtain(member):
                break
            exchange.show(member)
            brief = not member.report.can_give and exchange.wanted_from(member)
            member.brief = brief
            report = member.explorer.explore(incumbent, BRIEF if brief else seconds)
            if not brief:
                seconds = min(LONGEST, 2 * seconds)
            member.add(report)
            working = not report.exhausted
            if working:
                exchange.show(member)
                exchange.serve(member)
            else:
                exchange.retire(member)
    except DeviceError as failure:
        exchange.lose(member, failure)
    except BaseException as error:
        exchange.stop(error)
