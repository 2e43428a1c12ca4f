"""Why a solve ends early, and the one flag by which everything in it learns that it shall.

Whatever wants an end requests it on the token: the monitor for the time limit and the stopping
criterion, the handler of Ctrl-C, a method that runs out of memory. Whatever works on the solve
polls it. The first reason wins. A solver never raises to stop: it returns what it has, with the
reason, in its ``Outcome``; ``StoppedError`` does not leave the method that it unwinds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class StopKind(StrEnum):
    """What kind of event ended a solve before its proof was complete."""

    TIME_LIMIT = "time limit"
    INTERRUPT = "interrupt"
    CRITERION = "criterion"
    MEMORY = "memory"
    METHOD = "method"
    """The method that was asked for cannot go on with this instance."""
    EXECUTOR = "executor"
    """The executor broke."""
    DEVICE = "device"
    """The last device failed."""


@dataclass(frozen=True, slots=True)
class StopReason:
    """Why a solve ended early."""

    kind: StopKind
    """For code."""
    text: str
    """For people: what ``Result.stopped_by`` shows."""

    def __str__(self) -> str:
        return self.text


TIME_LIMIT = StopReason(StopKind.TIME_LIMIT, "time limit")
INTERRUPT = StopReason(StopKind.INTERRUPT, "interrupt")
MEMORY = StopReason(StopKind.MEMORY, "memory")


class StopToken:
    """Set once, by any thread or by a signal handler; read by all.

    There is no lock: a signal handler may interrupt the thread that would hold it. To append to a
    list is atomic, and its first entry never changes.
    """

    __slots__ = ("_reasons",)

    def __init__(self) -> None:
        self._reasons: list[StopReason] = []

    def request(self, reason: StopReason) -> None:
        """Ask for an end; only the first reason counts."""
        if not self._reasons:
            self._reasons.append(reason)

    @property
    def requested(self) -> bool:
        """Whether the solve shall end."""
        return bool(self._reasons)

    @property
    def reason(self) -> StopReason | None:
        """Why, or None while it may go on."""
        return self._reasons[0] if self._reasons else None


class StoppedError(Exception):
    """Unwinds a computation that has no answer before its end, such as filling a table.

    The method that began it catches it and returns what it has.
    """
