"""A worker's end of the line to the coordinator, for all slices of a process."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from prunus.hardware import clock
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.distributed.wire import (
    PATIENCE,
    Address,
    Kind,
    Message,
    greet,
    receive,
    send,
)

__all__ = ["Line", "Talk", "line_to"]


class Talk:
    """What is said about one slice; a context for as long as it is explored.

    Parameters
    ----------
    line
        The line, if there is one.
    ticket
        Of the slice.

    Attributes
    ----------
    returns
        The slice shall come back.
    """

    def __init__(self, line: Line | None, ticket: int) -> None:
        self.returns = False
        self._line, self._ticket = line, ticket
        self._incumbent: Incumbent | None = None
        self._stop: Callable[[], None] = lambda: None
        self._found = 0

    def __enter__(self) -> Talk:
        """Say that one has it."""
        if self._line is not None:
            self._line.talks[self._ticket] = self
            self.say(Kind.HAVE)
        return self

    def __exit__(self, *_: object) -> None:
        """Hear no more of it."""
        if self._line is not None and self._line.talks.get(self._ticket) is self:
            del self._line.talks[self._ticket]

    @contextmanager
    def about(self, incumbent: Incumbent, stop: Callable[[], None]) -> Iterator[None]:
        """Keep an incumbent up to date, and call ``stop`` when the slice shall come back."""
        self._incumbent, self._stop = incumbent, stop
        incumbent.watch(self._tell)
        self.say(Kind.SEARCH)
        try:
            yield
        finally:
            self._stop = lambda: None

    def hear(self, message: Message) -> None:
        """Do what is asked."""
        if message.kind is Kind.BEAT and self._incumbent is not None:
            self._incumbent.lower_cutoff(message.value)
        elif message.kind is Kind.RETURN:
            self.returns = True
            self._stop()

    def _tell(self) -> None:
        """Say what was found, when something was."""
        found = self._incumbent.improvements if self._incumbent is not None else []
        if len(found) > self._found:
            self._found = len(found)
            best = found[-1]
            self.say(Kind.FOUND, int(best.objective), best.solution)

    def say(self, kind: Kind, value: int = 0, solution: NDArray[np.int64] | None = None) -> None:
        """Say something of the slice."""
        if self._line is not None:
            self._line.say(Message(kind, self._ticket, value, solution))


class Line:
    """A connection to a coordinator.

    Parameters
    ----------
    connection
        Both sides know one another.

    Attributes
    ----------
    talks
        By ticket, what is listened to.
    """

    def __init__(self, connection: socket.socket) -> None:
        self.talks: dict[int, Talk] = {}
        self._connection: socket.socket | None = connection
        self._process = os.getpid()
        self._stands = False
        self._lock = threading.Lock()
        threading.Thread(target=self._listen, daemon=True, name="prunus-line").start()
        clock.listeners.append(self._keep_time)
        self._keep_time(clock.paused_since() is not None)

    @property
    def open(self) -> bool:
        """Whether anybody is there."""
        return self._connection is not None

    def say(self, message: Message) -> None:
        """Say something; nothing happens if nobody is there."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                try:
                    send(self._connection, message)
                except OSError:
                    self._hang_up()

    def _keep_time(self, standing: bool) -> None:
        if standing == self._stands:
            return
        self._stands = standing
        self.say(Message(Kind.STAND if standing else Kind.GO))

    def _listen(self) -> None:
        connection = self._connection
        assert connection is not None
        with suppress(OSError):
            while True:
                message = receive(connection)
                talk = self.talks.get(message.ticket)
                if talk is not None:
                    talk.hear(message)
        with self._lock:
            self._hang_up()

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
            with suppress(ValueError):
                clock.listeners.remove(self._keep_time)


_connecting = threading.Lock()


def line_to(address: Address | None) -> Line | None:
    """Return the line to a coordinator, opened if need be; None if it cannot be reached."""
    if address is None:
        return None
    with _connecting:
        line = _open(address)
    return line if line is not None and line.open else None


@lru_cache(maxsize=4)
def _open(address: Address) -> Line | None:
    near = address.near and address.host == socket.gethostname()
    ways = [("127.0.0.1", address.near)] if near else []
    ways += [(name, address.far) for name in address.names if address.far]
    for way in ways:
        with suppress(OSError):
            connection = socket.create_connection(way, timeout=PATIENCE)
            try:
                greet(connection, address.secret, coordinator=False)
            except OSError:
                connection.close()
                continue
            return Line(connection)
    return None
