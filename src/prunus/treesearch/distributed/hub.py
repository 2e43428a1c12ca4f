"""The coordinator's end of the lines to its workers: what goes on in slices that are out."""

from __future__ import annotations

import secrets
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from time import perf_counter

from prunus.treesearch.distributed.wire import Address, Kind, Message, greet, receive, send

__all__ = ["Hub"]


class Hub:
    """Listens to workers, and tells them what is new.

    Parameters
    ----------
    wake
        Called, in any thread, when something has been heard.

    Attributes
    ----------
    address
        Where workers reach it.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._heard: SimpleQueue[Message] = SimpleQueue()
        self._lock = threading.Lock()
        self._lines: dict[socket.socket, bool] = {}
        self._slices: dict[int, socket.socket] = {}
        self._began: dict[int, float] = {}
        self._recalled: set[int] = set()
        self._doors: list[socket.socket] = []
        self._listening = False
        self.address = Address(socket.gethostname(), 0, 0, (), secrets.token_bytes(32))
        with suppress(OSError):  # nobody need be heard
            self.address = replace(self.address, near=self._open("127.0.0.1"))

    def listen(self) -> None:
        """Begin to answer whoever comes: threads, so that processes had better be forked before."""
        if not self._listening:
            self._listening = True
            for door in self._doors:
                _begin(self._admit, door)

    def open_for(self, host: str) -> None:
        """Listen to other machines as well if a worker is on one."""
        here = self.address.host
        if host != here and not self.address.far:
            with suppress(OSError):
                far = self._open("")
                self.address = replace(self.address, far=far, names=_names(here))

    def _open(self, host: str) -> int:
        door = socket.create_server((host, 0))
        self._doors.append(door)
        if self._listening:
            _begin(self._admit, door)
        return int(door.getsockname()[1])

    def _admit(self, door: socket.socket) -> None:
        """Wait for whoever comes, each of whom has a thread."""
        with suppress(OSError):
            while True:
                _begin(self._listen, door.accept()[0])

    def _listen(self, line: socket.socket) -> None:
        """Hear somebody until it goes."""
        with suppress(OSError), line:
            greet(line, self.address.secret, coordinator=True)
            with self._lock:
                self._lines[line] = False
            try:
                while True:
                    self._note(line, receive(line))
            finally:
                with self._lock:
                    del self._lines[line]
                    for ticket in [t for t, of in self._slices.items() if of is line]:
                        self._drop(ticket)
                self._wake()

    def _note(self, line: socket.socket, message: Message) -> None:
        with self._lock:
            if message.kind in (Kind.STAND, Kind.GO):
                self._lines[line] = message.kind is Kind.STAND
            elif message.kind is Kind.HAVE:
                self._drop(message.ticket)
                self._slices[message.ticket] = line
            elif message.kind is Kind.SEARCH and message.ticket in self._slices:
                self._began[message.ticket] = perf_counter()
        self._heard.put(message)
        self._wake()

    def heard(self) -> list[Message]:
        """Return what has been heard since."""
        found = []
        with suppress(Empty):
            while True:
                found.append(self._heard.get_nowait())
        return found

    @property
    def standing(self) -> bool:
        """Whether all that are known to explore something compile."""
        with self._lock:
            lines = set(self._slices.values())
            return bool(lines) and all(self._lines.get(line, False) for line in lines)

    def began(self, ticket: int) -> float | None:
        """Return since when a slice is searched (``perf_counter``), None if that is not known."""
        with self._lock:
            return self._began.get(ticket)

    def done(self, ticket: int) -> None:
        """Forget a slice."""
        with self._lock:
            self._drop(ticket)

    def _drop(self, ticket: int) -> None:
        self._slices.pop(ticket, None)
        self._began.pop(ticket, None)
        self._recalled.discard(ticket)

    def recall(self, ticket: int) -> None:
        """Have a slice come back soon."""
        with self._lock:
            self._recalled.add(ticket)
        self.tell(Message(Kind.RETURN, ticket))

    def is_recalled(self, ticket: int) -> bool:
        """Return whether a slice was told to come back."""
        with self._lock:
            return ticket in self._recalled

    def tell(self, message: Message) -> None:
        """Say something to whoever explores a slice, if it is known."""
        with self._lock:
            line = self._slices.get(message.ticket)
        if line is not None:
            with suppress(OSError):
                send(line, message)

    def close(self) -> None:
        """Listen no longer."""
        with self._lock:
            lines = [*self._doors, *self._lines]
        for line in lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)  # also where a forked process has it open
            line.close()


def _names(host: str) -> tuple[str, ...]:
    """Return by which names other machines may reach this one."""
    names = [host]
    with suppress(OSError):
        names += socket.gethostbyname_ex(host)[2]
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.connect(("192.0.2.1", 9))  # sends nothing: it is asked where it would go
        names.append(way.getsockname()[0])
    return tuple(dict.fromkeys(name for name in names if not name.startswith("127.")))


def _begin(function: Callable[..., None], *arguments: object) -> None:
    threading.Thread(target=function, args=arguments, daemon=True, name="prunus-line").start()
