"""What is said about one work unit while it is explored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.distributed.messages import Message, MessageKind

if TYPE_CHECKING:
    from prunus.treesearch.distributed.worker_connection import WorkerConnection


class UnitChannel:
    """What is said about one work unit; a context for as long as it is explored.

    There may be no connection to the coordinator. ``called_back``: the unit shall come back.
    """

    def __init__(self, connection: WorkerConnection | None, ticket: int) -> None:
        self.called_back = False
        self._connection, self._ticket = connection, ticket
        self._incumbent: Incumbent | None = None
        self._stop: Callable[[], None] = lambda: None
        self._reported = 0

    def __enter__(self) -> UnitChannel:
        """Say that it has arrived."""
        if self._connection is not None:
            self._connection.channels[self._ticket] = self
            self.send(MessageKind.RECEIVED)
        return self

    def __exit__(self, *_: object) -> None:
        """Listen no more."""
        channels = {} if self._connection is None else self._connection.channels
        if channels.get(self._ticket) is self:
            del channels[self._ticket]

    @contextmanager
    def attached(self, incumbent: Incumbent, stop: Callable[[], None]) -> Iterator[None]:
        """Keep an incumbent up to date, and call ``stop`` when the unit shall come back."""
        self._incumbent, self._stop = incumbent, stop
        incumbent.watch(self._report)
        self.send(MessageKind.SEARCHING)
        try:
            yield
        finally:
            self._stop = lambda: None

    def receive(self, message: Message) -> None:
        if message.kind is MessageKind.CUTOFF and self._incumbent is not None:
            self._incumbent.lower_cutoff(message.value)
        elif message.kind is MessageKind.RETURN:
            self.called_back = True
            self._stop()

    def _report(self) -> None:
        """Say what was found, when something was."""
        found = self._incumbent.improvements if self._incumbent is not None else []
        if len(found) > self._reported:
            self._reported = len(found)
            best = found[-1]
            self.send(MessageKind.FOUND, int(best.objective), best.solution)

    def send(self, kind: MessageKind, value: int = 0, solution: Int64Array | None = None) -> None:
        """Say something of the unit."""
        if self._connection is not None:
            self._connection.send(Message(kind, self._ticket, value, solution))
