"""What the threads of a scheduler share: who works, who has failed and what that left open."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from prunus.errors import DeviceError
from prunus.hardware import clock
from prunus.treesearch.model import Work
from prunus.treesearch.scheduler.member import Member

_log = logging.getLogger(__name__)

WENT_BACK = "; the others go on from what was last known of all"


class TeamState:
    """All that is guarded by one lock, ``changed``.

    It is held while anything here changes, and notified when a thread may wait for that.
    ``patient``: at the end explorers are interrupted, not stopped; see ``Explorer``. Once
    ``stopping``, every thread ends as soon as it can. So many members are ``working``: they have
    work, or have some on its way. While ``snapshot_running`` a consistent snapshot is being taken,
    and no work may change hands. ``orphaned_work`` of a device that failed waits for another member
    to take it up; ``failures`` are sentences about those devices; ``in_doubt``: it is not known
    what one of them has left open. ``error`` is what ended the search, if something went wrong.
    """

    def __init__(self, members: Sequence[Member], patient: bool = False) -> None:
        self.members, self._patient = members, patient
        self.changed = threading.Condition()
        self.stopping = False
        self.working = 0
        self.snapshot_running = False
        self.orphaned_work: list[Work] = []
        self.failures: list[str] = []
        self.in_doubt = False
        self.error: BaseException | None = None
        self._start = 0.0

    def begin(self) -> None:
        """Note that a search begins with all that have work; the first one starts the clock."""
        self._start = self._start or clock.seconds()
        self.stopping = False
        self.working = sum(not member.idle for member in self.members)

    @property
    def elapsed(self) -> float:
        """Seconds since the search began, without those in which code was compiled."""
        return clock.seconds() - self._start

    def stop(self, error: BaseException | None = None) -> None:
        with self.changed:
            self.error = self.error or error
            self._end()
            self.changed.notify_all()

    def lose(self, member: Member, failure: DeviceError) -> None:
        """Go on without a failed device; its last known work waits for another member.

        If what it has done and given away since then is not known, or no member is left, the search
        ends with the failure.
        """
        _log.warning("device lost: %s: %s", member.explorer.name, failure)
        with self.changed:
            work = member.fail(str(failure))
            alone = all(m.failed is not None for m in self.members)
            if work is not None:
                self.orphaned_work += work
            self.in_doubt = self.in_doubt or work is None
            if work is None or alone:
                if not any(sentence.startswith(str(failure)) for sentence in self.failures):
                    self.failures.append(str(failure))
                self.error = failure
                self._end()
            else:
                name = member.explorer.name
                self.failures.append(f"{failure}; the search goes on without {name}")
            self.withdraw(member)

    def recover(self) -> bool:
        """Forget a failure that left doubt, with all open work; when no thread runs.

        A member that only took up work of a failed device may have failed with it, so each gets
        another chance. What is open is given again by the caller. Returns whether a member
        is left to take it.
        """
        self.orphaned_work.clear()
        for member in self.members:
            if member.failed is not None:
                if member.recoveries_left == 0:
                    continue
                member.recoveries_left -= 1
                member.failed = None
            try:
                member.clear()
            except DeviceError as failure:
                member.failed = str(failure)
                member.idle = True
        if all(member.failed is not None for member in self.members):
            return False
        self.in_doubt, self.error = False, None
        if not self.failures[-1].endswith(WENT_BACK):
            self.failures[-1] += WENT_BACK
        return True

    def withdraw(self, member: Member) -> None:
        """Count a member no longer among those with work, and refuse all that asked it for some.

        To be called with ``changed`` held.
        """
        member.idle = True
        self.working -= 1
        while member.requests:
            member.requests.popleft().inbox.put(None)
        self.changed.notify_all()

    def adopt(self, member: Member) -> None:
        """Give a member the work of a device that failed; with ``changed`` held."""
        parts = self.orphaned_work.copy()
        self.orphaned_work.clear()
        self.working += 1
        member.idle, member.bound = False, None
        member.load(*parts)

    def may_fail(self) -> bool:
        """Return whether a device at work might leave its work behind."""
        return any(not m.idle and not m.explorer.reliable for m in self.members)

    def keep_delivered(self) -> None:
        """Load what was on its way when the search was stopped, so that it stays open."""
        for member in self.members:
            while not member.inbox.empty():
                part = member.inbox.get()
                if part is not None:
                    member.load(part)
            member.requests.clear()

    def _end(self) -> None:
        self.stopping = True
        for member in self.members:
            member.inbox.put(None)
            if self._patient:
                member.explorer.interrupt()
            else:
                member.explorer.stop()
