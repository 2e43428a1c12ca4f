"""Where workers connect to: the coordinator's ZeroMQ socket, which lets in who has a key."""

from __future__ import annotations

import socket
import struct
from contextlib import suppress
from dataclasses import dataclass, replace

import zmq
from zmq.utils import z85

from prunus.treesearch.distributed.host_names import host_addresses
from prunus.treesearch.distributed.message_loop import MessageLoop, new_context, new_socket
from prunus.treesearch.distributed.messages import Address, Message, MessageKind
from prunus.treesearch.distributed.online_units import OnlineUnits

BIND_S = 10.0
"""Seconds for the thread of the socket to open another port."""

MAX_STRANGERS = 64
"""Connections of which nothing is known yet, at most: each takes one of the files that this process
may open."""

_EVENT = struct.Struct("=Hi")


class CoordinatorServer:
    """Listens to the workers of one search until it is closed.

    Raises ``OSError, RuntimeError, zmq.ZMQError`` if the machine has no file, thread or port for
    it.

    What is said of units that are out is noted in ``units``. ``address`` is where workers reach it,
    with the keys that let them in.
    """

    def __init__(self, units: OnlineUnits) -> None:
        self._units = units
        self._connections: set[int] = set()
        self._workers: set[bytes] = set()
        self._endpoints: list[str] = []
        self._listens = True
        key, secret_key = zmq.curve_keypair()
        self._worker_key, worker_secret_key = zmq.curve_keypair()
        context = new_context()
        try:
            self._gate = context.socket(zmq.REP)  # ZeroMQ asks there whom to let in (its RFC 27)
            self._gate.bind("inproc://zeromq.zap.01")
            self._socket = new_socket(context, zmq.ROUTER)
            self._socket.setsockopt(zmq.CURVE_SERVER, 1)
            self._socket.setsockopt(zmq.CURVE_SECRETKEY, secret_key)
            self._socket.setsockopt(zmq.ZAP_DOMAIN, b"prunus")
            self._socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
            self._socket.setsockopt(zmq.ROUTER_HANDOVER, 1)
            counted = zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED | zmq.EVENT_CLOSED
            monitor = self._socket.get_monitor_socket(counted)
            port = self._bind("127.0.0.1")
            handlers = {
                monitor: self._count,
                self._gate: self._let_in,
                self._socket: self._receive,
            }
            self._loop = MessageLoop(context, handlers)
        except BaseException:
            context.destroy(linger=0)
            raise
        self.address = Address(
            socket.gethostname(), port, 0, (), key, self._worker_key, worker_secret_key
        )

    def open_for(self, host: str) -> None:
        """Listen to other machines as well if a worker is on one."""
        if host != self.address.host and not self.address.remote_port:
            with suppress(zmq.ZMQError, TimeoutError):
                port = self._loop.call(lambda: self._bind("0.0.0.0"), BIND_S)
                names = host_addresses(self.address.host)
                self.address = replace(self.address, remote_port=port, names=names)

    def _bind(self, where: str) -> int:
        self._socket.bind(f"tcp://{where}:*")
        self._endpoints.append(self._socket.get_string(zmq.LAST_ENDPOINT))
        return int(self._endpoints[-1].rpartition(":")[2])

    def _count(self, event: list[bytes]) -> None:
        """Count connections; if too many are strangers', close all and listen anew.

        ZeroMQ cannot refuse single ones. Workers connect again with their next work units.
        """
        kind, file = _EVENT.unpack(event[0])
        if kind == zmq.EVENT_ACCEPTED:
            self._connections.add(file)
        elif kind == zmq.EVENT_DISCONNECTED:
            self._connections.discard(file)
        else:
            self._connections.clear()
            self._workers.clear()
            self._listens = True
            with suppress(zmq.ZMQError):  # another process has the port by now
                self._socket.bind(event[1].decode())
        if self._listens and len(self._connections) > MAX_STRANGERS + len(self._workers):
            self._listens = False
            for endpoint in self._endpoints:
                self._socket.unbind(endpoint)

    def _let_in(self, request: list[bytes]) -> None:
        """Answer ZeroMQ whether a peer may connect that has the secret key to the one it shows."""
        version, number, _, _, _, mechanism, *keys = request
        good = (mechanism, keys) == (b"CURVE", [z85.decode(self._worker_key)])
        answer = [b"200", b"OK"] if good else [b"400", b"another key"]
        self._gate.send_multipart([version, number, *answer, b"", b""])

    def _receive(self, frames: list[bytes]) -> None:
        """Note what a worker says; what is no message is for nobody."""
        with suppress(ValueError):
            identity, packed = frames
            worker, message = _Worker(self, identity), Message.unpack(packed)
            if message.kind is MessageKind.CONNECTED:
                self._workers.add(identity)
                worker.send(message)
            else:
                self._units.note(worker, message)

    def send(self, identity: bytes, message: Message) -> None:
        """Say something to a worker, which is forgotten if it has gone."""

        def order() -> None:
            try:
                self._socket.send_multipart([identity, message.pack()], zmq.NOBLOCK)
            except zmq.ZMQError:
                self._workers.discard(identity)
                self._units.forget(_Worker(self, identity))

        self._loop.do(order)

    def close(self) -> None:
        self._loop.close()


@dataclass(frozen=True, slots=True)
class _Worker:
    """A worker that is connected."""

    server: CoordinatorServer
    identity: bytes

    def send(self, message: Message) -> None:
        """Say something; without effect if the worker has gone."""
        self.server.send(self.identity, message)
