"""A worker's connection to the coordinator, for all work units of a process."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache

from prunus.hardware import clock
from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.distributed.messages import (
    HANDSHAKE_S,
    Address,
    Message,
    MessageKind,
    MessageStream,
)

__all__ = ["UnitChannel", "WorkerConnection", "connect_to"]


class UnitChannel:
    """What is said about one work unit; a context for as long as it is explored.

    Parameters
    ----------
    connection
        To the coordinator, if there is one.
    ticket
        Of the work unit.

    Attributes
    ----------
    called_back
        The unit shall come back.
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
        """Do what is asked."""
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


class WorkerConnection:
    """A connection to a coordinator.

    Parameters
    ----------
    connection
        The socket.
    stream
        Both sides know each other.

    Attributes
    ----------
    channels
        By ticket, what is listened to.
    """

    def __init__(self, connection: socket.socket, stream: MessageStream) -> None:
        self.channels: dict[int, UnitChannel] = {}
        self._connection, self._stream = connection, stream
        self._open = True
        self._process = os.getpid()
        self._compiling = False
        self._lock = threading.Lock()
        threading.Thread(target=self._listen, daemon=True, name="prunus-connection").start()
        clock.listeners.append(self._report_compiling)
        self._report_compiling(clock.paused_since() is not None)

    @property
    def open(self) -> bool:
        """Whether the coordinator is there."""
        return self._open

    def send(self, message: Message) -> None:
        """Say something; without effect if the coordinator has gone."""
        with self._lock:
            if self._open and self._process == os.getpid():
                try:
                    self._stream.send(message)
                except OSError:
                    self._close()

    def _report_compiling(self, compiling: bool) -> None:
        if compiling == self._compiling:
            return
        self._compiling = compiling
        self.send(Message(MessageKind.COMPILING if compiling else MessageKind.COMPILED))

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                message = self._stream.receive()
                channel = self.channels.get(message.ticket)
                if channel is not None:
                    channel.receive(message)
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._open:
            self._open = False
            with suppress(OSError):
                self._connection.shutdown(socket.SHUT_RDWR)  # who listens here is woken
            self._connection.close()
            with suppress(ValueError):
                clock.listeners.remove(self._report_compiling)


_connecting = threading.Lock()


def connect_to(address: Address | None) -> WorkerConnection | None:
    """Return the connection to a coordinator, made if need be; None if it cannot be reached."""
    if address is None:
        return None
    with _connecting:
        connection = _connect(address)
    return connection if connection is not None and connection.open else None


@lru_cache(maxsize=4)
def _connect(address: Address) -> WorkerConnection | None:
    local = address.local_port and address.host == socket.gethostname()
    targets = [("127.0.0.1", address.local_port)] if local else []
    targets += [(name, address.remote_port) for name in address.names if address.remote_port]
    for target in targets:
        with suppress(OSError):
            connection = socket.create_connection(target, timeout=HANDSHAKE_S)
            try:
                stream = MessageStream(connection, address.secret, coordinator=False)
            except OSError:
                connection.close()
                continue
            return WorkerConnection(connection, stream)
    return None
