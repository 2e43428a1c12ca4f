"""A worker's connection to the coordinator, for all work units of a process."""

from __future__ import annotations

import os
import socket as sockets
import threading
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

import zmq

from prunus.hardware import clock
from prunus.treesearch.distributed.message_loop import (
    HANDSHAKE_S,
    MessageLoop,
    ZmqContext,
    ZmqSocket,
    new_context,
    new_socket,
)
from prunus.treesearch.distributed.messages import Address, Message, MessageKind
from prunus.treesearch.distributed.unit_channel import UnitChannel

CONNECT_S = HANDSHAKE_S
"""Seconds for which a process waits for the coordinator's answer, once a search."""

KEPT_CONNECTIONS = 4
"""Searches whose connections a process keeps; they end with their coordinator."""

_GONE = zmq.EVENT_DISCONNECTED | zmq.EVENT_CLOSED


class WorkerConnection:
    """A connection to a coordinator, until that or its network is gone.

    Raises ``OSError, RuntimeError, zmq.ZMQError`` if it does not answer, or there are no files or
    threads for it. ``channels`` are what is listened to, by ticket.
    """

    def __init__(self, address: Address) -> None:
        self.channels: dict[int, UnitChannel] = {}
        self.open = True
        self._compiling = False
        context = new_context()
        try:
            self._line = _first_to_answer(context, address)
            handlers = {self._line.socket: self._receive, self._line.monitor: self._hang_up}
            self._loop = MessageLoop(context, handlers, self._end)
        except BaseException:
            context.destroy(linger=0)
            raise
        clock.listeners.append(self._report_compiling)
        self._report_compiling(clock.paused_since() is not None)

    def send(self, message: Message) -> None:
        """Say something; without effect if the coordinator has gone."""
        packed = message.pack()
        self._loop.do(lambda: self._line.send(packed))

    def close(self) -> None:
        self._loop.close()

    def _report_compiling(self, compiling: bool) -> None:
        if compiling != self._compiling:
            self._compiling = compiling
            self.send(Message(MessageKind.COMPILING if compiling else MessageKind.COMPILED))

    def _receive(self, frames: list[bytes]) -> None:
        with suppress(ValueError):
            (packed,) = frames
            message = Message.unpack(packed)
            channel = self.channels.get(message.ticket)
            if channel is not None:
                channel.receive(message)

    def _hang_up(self, event: list[bytes]) -> None:
        self._loop.close()

    def _end(self) -> None:
        self.open = False
        with suppress(ValueError):
            clock.listeners.remove(self._report_compiling)


class _Line:
    """A socket that connects to one place, and what tells when it is no longer connected."""

    def __init__(self, context: ZmqContext, address: Address, host: str, port: int) -> None:
        self.socket = new_socket(context, zmq.DEALER)
        self.socket.setsockopt(zmq.CURVE_SERVERKEY, address.coordinator_key)
        self.socket.setsockopt(zmq.CURVE_PUBLICKEY, address.worker_key)
        self.socket.setsockopt(zmq.CURVE_SECRETKEY, address.worker_secret_key)
        self.socket.setsockopt(zmq.RECONNECT_IVL, -1)
        self.monitor: ZmqSocket = self.socket.get_monitor_socket(_GONE)
        self.socket.connect(f"tcp://{host}:{port}")
        self.send(Message(MessageKind.CONNECTED).pack())

    def send(self, packed: bytes) -> None:
        with suppress(zmq.ZMQError):  # it has gone
            self.socket.send(packed, zmq.NOBLOCK)

    def close(self) -> None:
        self.socket.disable_monitor()
        self.monitor.close(0)
        self.socket.close(0)


def _first_to_answer(context: ZmqContext, address: Address) -> _Line:
    """Return a line to the coordinator.

    All addresses are tried at once, and if none is right, what its name stands for here.

    Raises ``ConnectionRefusedError, TimeoutError`` if it does not let anybody in, for now perhaps;
    if nobody answers.
    """
    local = address.local_port and address.host == sockets.gethostname()
    places = [("127.0.0.1", address.local_port)] if local else []
    if address.remote_port:
        places += [(name, address.remote_port) for name in address.names]
    try:
        return _dial(context, address, places)
    except OSError:
        if not address.remote_port:
            raise
        named = [(name, address.remote_port) for name in _addresses(address.host)]
        new = [place for place in named if place not in places]
        if not new:
            raise
        return _dial(context, address, new)


def _addresses(host: str) -> list[str]:
    """Return what a name stands for here, if anything."""
    with suppress(OSError):
        return sockets.gethostbyname_ex(host)[2]
    return []


def _dial(context: ZmqContext, address: Address, places: list[tuple[str, int]]) -> _Line:
    """Return a line to the first place that answers; raise an error if none does."""
    lines = [_Line(context, address, host, port) for host, port in places]
    poller, until, first = zmq.Poller(), monotonic() + CONNECT_S, None
    for line in lines:
        poller.register(line.socket, zmq.POLLIN)
        poller.register(line.monitor, zmq.POLLIN)
    waiting = list(lines)
    while waiting and first is None and (left := until - monotonic()) > 0:
        ready = dict(poller.poll(int(1000 * left) + 1))
        first = next((line for line in waiting if line.socket in ready), None)
        for line in [line for line in waiting if line.monitor in ready]:
            poller.unregister(line.monitor)
            waiting.remove(line)
    for line in lines:
        if line is not first:
            line.close()
    if first is None:
        raise TimeoutError if waiting else ConnectionRefusedError
    return first


@dataclass(slots=True)
class _Known:
    """What came of connecting to a coordinator: a connection, or an error."""

    address: Address
    connection: WorkerConnection | None = None
    silent: bool = False

    def is_worth_another_try(self, address: Address) -> bool:
        """Return whether it is not connected, and another try may succeed or takes no time."""
        if self.connection is not None:
            return not self.connection.open
        return self.address != address or not self.silent


_known: dict[bytes, _Known] = {}
_connecting = threading.Lock()


def connect_to(address: Address) -> WorkerConnection | None:
    """Return the connection to a coordinator, made if need be; None if it cannot be reached."""
    with _connecting:
        known = _known.get(address.coordinator_key)
        if known is None or known.is_worth_another_try(address):
            while len(_known) >= KEPT_CONNECTIONS:
                oldest = _known.pop(next(iter(_known))).connection
                if oldest is not None:
                    oldest.close()
            known = _known[address.coordinator_key] = _Known(address)
            try:
                known.connection = WorkerConnection(address)
            except (OSError, RuntimeError, zmq.ZMQError) as error:
                known.silent = isinstance(error, TimeoutError)
        return known.connection


def _begin_anew() -> None:
    """Forget all connections in a forked process, which has none of their threads."""
    global _connecting
    _known.clear()
    _connecting = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
