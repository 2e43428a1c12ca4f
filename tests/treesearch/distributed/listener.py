"""A coordinator that only listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue

from prunus.treesearch.distributed.coordinator_server import CoordinatorServer
from prunus.treesearch.distributed.messages import Message, MessageKind
from prunus.treesearch.distributed.online_units import OnlineUnits


class AllUnits:
    """All units are out."""

    def __contains__(self, ticket: object) -> bool:
        """Return that it is."""
        return True


class Listener:
    """A server, what it knows of units, and what it has received, one by one."""

    def __init__(self) -> None:
        self.arrived: SimpleQueue[None] = SimpleQueue()
        self.units = OnlineUnits(lambda: self.arrived.put(None))
        self.server = CoordinatorServer(self.units)
        self.received: list[Message] = []

    def until(self, true: Callable[[], bool]) -> bool:
        """Wait until something is true, or for a minute in which nothing new arrives."""
        while True:
            self.received += self.units.received(AllUnits())
            if true():
                return True
            try:
                self.arrived.get(timeout=60)
            except Empty:
                return False

    def kinds(self) -> list[MessageKind]:
        """Return what has been received of units."""
        return [message.kind for message in self.received if message.ticket >= 0]


@contextmanager
def a_listener() -> Iterator[Listener]:
    """Give a coordinator that only listens."""
    listener = Listener()
    try:
        yield listener
    finally:
        listener.server.close()
