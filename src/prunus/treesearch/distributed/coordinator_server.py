"""The coordinator's end of the connections to its workers."""

from __future__ import annotations

import secrets
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from time import perf_counter, sleep
from typing import Protocol

from prunus.treesearch.distributed.messages import Address, Message, MessageKind, MessageStream

__all__ = ["CoordinatorServer", "MessageSink"]

MAX_HANDSHAKES = 64
"""Connections that have not proved that they know the secret; more are closed at once."""

MAX_INTERFACES = 16
"""Networks of this machine of which the addresses are told to workers."""

SIOCGIFADDR = 0x8915
"""Linux: asks for the address of an interface."""

ACCEPT_PAUSE_S = 0.1
"""Seconds without connections after one could not be accepted, for want of files, say."""


class MessageSink(Protocol):
    """Where the coordinator says something to a worker: its end of a connection."""

    def send(self, message: Message) -> None:
        """Say something; raise ``OSError`` if the other side has gone."""


class CoordinatorServer:
    """Listens to workers, and tells them what is new.

    Parameters
    ----------
    wake
        Called, in any thread, when something has been received.
    now
        Returns the time in seconds.

    Attributes
    ----------
    address
        Where workers reach it.
    """

    def __init__(self, wake: Callable[[], None], now: Callable[[], float] = perf_counter) -> None:
        self._wake, self._now = wake, now
        self._inbox: SimpleQueue[Message] = SimpleQueue()
        self._lock = threading.Lock()
        self._handshakes = threading.Semaphore(MAX_HANDSHAKES)
        self._compiling: dict[MessageSink, bool] = {}
        self._connections: set[socket.socket] = set()
        self._units: dict[int, MessageSink] = {}
        self._search_began: dict[int, float] = {}
        self._called_back: set[int] = set()
        self._listeners: list[socket.socket] = []
        self._listening = self._closed = False
        self.address = Address(socket.gethostname(), 0, 0, (), secrets.token_bytes(32))
        with suppress(OSError):  # workers can do without
            self.address = replace(self.address, local_port=self._open("127.0.0.1"))

    def listen(self) -> None:
        """Begin to answer who connects, in threads; processes that are forked come before."""
        if not self._listening:
            self._listening = True
            for listener in self._listeners:
                _start_thread(self._accept, listener)

    def open_for(self, host: str) -> None:
        """Listen to other machines as well if a worker is on one."""
        here = self.address.host
        if host != here and not (self.address.remote_port or self._closed):
            with suppress(OSError):
                port = self._open("")
                self.address = replace(self.address, remote_port=port, names=_names(here))

    def _open(self, host: str) -> int:
        listener = socket.create_server((host, 0))
        self._listeners.append(listener)
        if self._listening:
            _start_thread(self._accept, listener)
        return int(listener.getsockname()[1])

    def _accept(self, listener: socket.socket) -> None:
        """Accept connections, each of which has a thread; go on after whatever fails."""
        while not self._closed:
            try:
                connection, _ = listener.accept()
            except OSError:
                sleep(0.0 if self._closed else ACCEPT_PAUSE_S)
                continue
            if self._closed or not self._handshakes.acquire(blocking=False):
                connection.close()
                continue
            try:
                _start_thread(self._serve, connection)
            except RuntimeError:  # no more threads
                self._handshakes.release()
                connection.close()

    def _serve(self, connection: socket.socket) -> None:
        """Receive what a worker says until it goes."""
        with suppress(OSError), connection:
            try:
                stream = MessageStream(connection, self.address.secret, coordinator=True)
            finally:
                self._handshakes.release()
            with self._lock:
                self._compiling[stream] = False
                self._connections.add(connection)
            try:
                while True:
                    self.note(stream, stream.receive())
            finally:
                with self._lock:
                    self._connections.discard(connection)
                self.forget(stream)

    def note(self, stream: MessageSink, message: Message) -> None:
        """Note what a worker says, and where to answer; any thread may call it."""
        kind = message.kind
        with self._lock:
            if kind in (MessageKind.COMPILING, MessageKind.COMPILED):
                self._compiling[stream] = kind is MessageKind.COMPILING
            elif kind is MessageKind.RECEIVED:
                self._drop(message.ticket)
                self._units[message.ticket] = stream
            elif kind is MessageKind.SEARCHING and message.ticket in self._units:
                self._search_began[message.ticket] = self._now()
        if kind is not MessageKind.RECEIVED:  # of which the coordinator makes nothing
            self._inbox.put(message)
            self._wake()

    def forget(self, stream: MessageSink) -> None:
        """Forget a worker that has gone."""
        with self._lock:
            self._compiling.pop(stream, None)
            for ticket in [t for t, of in self._units.items() if of is stream]:
                self._drop(ticket)
        self._wake()

    def received(self) -> list[Message]:
        """Return what has been received since the last call."""
        messages = []
        with suppress(Empty):
            while True:
                messages.append(self._inbox.get_nowait())
        return messages

    @property
    def all_compile(self) -> bool:
        """Whether all that are known to have a work unit compile."""
        with self._lock:
            if not any(self._compiling.values()):
                return False
            streams = set(self._units.values())
            return bool(streams) and all(self._compiling.get(s, False) for s in streams)

    def search_began(self) -> list[tuple[int, float]]:
        """Return the units that are searched and are not called back, each with since when.

        The one that is searched longest comes first.
        """
        with self._lock:
            began = self._search_began.items()
            return [one for one in began if one[0] not in self._called_back]

    @property
    def called_back(self) -> int:
        """How many units were called back and are not yet done."""
        with self._lock:
            return len(self._called_back)

    def done(self, ticket: int) -> None:
        """Forget a work unit."""
        with self._lock:
            self._drop(ticket)

    def _drop(self, ticket: int) -> None:
        self._units.pop(ticket, None)
        self._search_began.pop(ticket, None)
        self._called_back.discard(ticket)

    def call_back(self, ticket: int) -> None:
        """Have a work unit come back soon."""
        with self._lock:
            if ticket in self._units:
                self._called_back.add(ticket)
        self.tell(Message(MessageKind.RETURN, ticket))

    def tell(self, message: Message) -> None:
        """Say something to the worker that explores a unit, if it is known."""
        with self._lock:
            stream = self._units.get(message.ticket)
        if stream is not None:
            with suppress(OSError):
                stream.send(message)

    def close(self) -> None:
        """Listen no longer."""
        self._closed = True
        with self._lock:
            sockets = [*self._listeners, *self._connections]
        for one in sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)  # also where a forked process has it open
            one.close()


def _names(host: str) -> tuple[str, ...]:
    """Return by which names other machines may reach this one."""
    names = [host]
    with suppress(OSError):
        names += socket.gethostbyname_ex(host)[2]
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it is asked where it would go
        names.append(probe.getsockname()[0])
    names += _interface_addresses()
    return tuple(dict.fromkeys(name for name in names if not name.startswith("127.")))


def _interface_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine's networks; none where they cannot be asked for.

    A machine of a cluster often has several, and its name may stand for one that workers of the
    same cluster cannot reach.
    """
    found: list[str] = []
    with suppress(ImportError, OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        import fcntl

        for _, name in socket.if_nameindex()[:MAX_INTERFACES]:
            request = struct.pack("256s", name.encode()[:15])
            with suppress(OSError):  # it has none
                answer = fcntl.ioctl(asking.fileno(), SIOCGIFADDR, request)
                found.append(socket.inet_ntoa(answer[20:24]))
    return found


def _start_thread(function: Callable[[socket.socket], None], argument: socket.socket) -> None:
    threading.Thread(
        target=function, args=(argument,), daemon=True, name="prunus-connection"
    ).start()
