"""How work moves between the members of a scheduler, and how they know that the search is over.

A member that runs dry asks another one for a part of its work (Gmys et al. 2017, section 3.5).
Requests are served by the victim's own thread, when its explorer pauses; a request interrupts it.
The search is over when every member is idle.
"""

from __future__ import annotations

import logging
from enum import Enum, auto
from time import sleep

from prunus.hardware import clock
from prunus.treesearch.model import Work
from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.member import Member
from prunus.treesearch.scheduler.team_state import TeamState
from prunus.treesearch.scheduler.victim_selector import VictimSelector

_log = logging.getLogger(__name__)


class WorkRequest(Enum):
    """What asking for work came to (the outcomes are those of the solver ddo)."""

    ITEM = auto()
    """There is work."""
    STARVATION = auto()
    """There is none now; others are at work and may have some later."""
    COMPLETE = auto()
    """There is none and there will be none."""
    ABORTED = auto()
    """The search is being stopped."""


class WorkStealing:
    """Moves work between members.

    The policy says who gets how much from whom, the selector whom a member without work asks.
    """

    def __init__(self, team: TeamState, policy: StealingPolicy, selector: VictimSelector) -> None:
        self._team = team
        self._policy = policy
        self._selector = selector

    def obtain(self, thief: Member) -> WorkRequest:
        """Wait and ask until there is work, or will never be any."""
        start = clock.seconds()
        team, selector, tuning = self._team, self._selector, self._selector.tuning
        interrupted_others = False
        pause = tuning.first_refusal_pause_s
        try:
            while True:
                with team.changed:
                    outcome = self._without_asking(thief)
                    if outcome is not WorkRequest.STARVATION:
                        return outcome
                    victim = selector.victim(thief)
                    if victim is None:
                        if not interrupted_others:
                            selector.interrupt_for(thief)
                            interrupted_others = True
                        team.changed.wait(selector.recheck_s(thief))
                        continue
                    victim.requests.append(thief)
                victim.explorer.interrupt()
                part = thief.inbox.get()
                if part is not None:
                    thief.load(part)
                    thief.steals += 1
                    return WorkRequest.ITEM
                _log.debug("steal failed: %s got nothing", thief.explorer.name)
                sleep(pause)
                pause = min(2 * pause, tuning.longest_refusal_pause_s)
        finally:
            thief.idle_time += clock.seconds() - start

    def _without_asking(self, thief: Member) -> WorkRequest:
        """Take up what a failed device left, or say why not; with ``changed`` held."""
        team = self._team
        if team.stopping:
            return WorkRequest.ABORTED
        if team.orphaned_work:
            if team.snapshot_running:
                return WorkRequest.STARVATION
            team.adopt(thief)
            return WorkRequest.ITEM
        isolated = self._policy is StealingPolicy.NONE and not team.may_fail()
        return WorkRequest.COMPLETE if team.working == 0 or isolated else WorkRequest.STARVATION

    def serve(self, victim: Member) -> None:
        """Answer all requests with a part of the victim's work, or nothing."""
        team = self._team
        donations: list[tuple[Member, Work | None]] = []
        try:
            while victim.requests and not team.snapshot_running:
                thief = victim.requests.popleft()
                donations.append((thief, None))
                fraction = self._selector.share(thief, victim, list(victim.requests))
                donations[-1] = thief, victim.donate(fraction)
        finally:
            # All at once: a thief that is at work already would hold up its victim. And whatever
            # happens to the victim, each thief gets an answer.
            with team.changed:
                for thief, part in donations:
                    self._deliver(part, victim, thief)
        if victim.last_slice.has_spare_work and self._selector.is_awaited(victim):
            with team.changed:
                team.changed.notify_all()

    def _deliver(self, part: Work | None, victim: Member, thief: Member) -> None:
        if part is not None and len(part):
            thief.idle, thief.bound = False, victim.bound
            self._team.working += 1
            victim.last_donation = self._team.elapsed
            thief.inbox.put(part)
        else:
            thief.inbox.put(None)
