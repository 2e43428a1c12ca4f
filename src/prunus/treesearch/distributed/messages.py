"""What the coordinator and its workers tell each other while work units are explored.

Short messages of a fixed form over TCP, between two who know the same secret; it came to the worker
with its first call. Each message carries a code that only they can make, of its bytes and its place
in the conversation, so that no relay in between can change, repeat or leave out any. Nothing in
a message is code, and no proof depends on one: a worker that cannot connect does without.
"""

from __future__ import annotations

import hmac
import secrets
import socket
import struct
import threading
from dataclasses import dataclass
from enum import IntEnum
from time import perf_counter

import numpy as np

from prunus.model.arrays import Int64Array

__all__ = ["HANDSHAKE_S", "Address", "Message", "MessageKind", "MessageStream"]

HANDSHAKE_S = 2.0
"""Seconds that the whole handshake may take."""

MAX_SOLUTION_NUMBERS = 2**20
"""Numbers of a solution in a message, at most."""

_HEADER = struct.Struct("<BqqI")
_SEQUENCE = struct.Struct("<Q")
_NONCE_BYTES = _CODE_BYTES = 32
_ROLES = (b"worker", b"coordinator")


class MessageKind(IntEnum):
    """What a message says.

    Attributes
    ----------
    RECEIVED
        A worker has a work unit.
    SEARCHING
        It has all it needs, and searches.
    COMPILING, COMPILED
        It compiles; it does so no longer.
    FOUND
        It has found a solution, and its objective.
    CUTOFF
        Solutions must be better than this from now on.
    RETURN
        It shall return what is left: another worker has nothing to do.
    """

    RECEIVED = 0
    SEARCHING = 1
    COMPILING = 2
    COMPILED = 3
    FOUND = 4
    CUTOFF = 5
    RETURN = 6


@dataclass(frozen=True, slots=True)
class Message:
    """Something that is said of a work unit."""

    kind: MessageKind
    ticket: int = -1
    value: int = 0
    solution: Int64Array | None = None


@dataclass(frozen=True, slots=True)
class Address:
    """Where a coordinator listens.

    Attributes
    ----------
    host
        The machine it is on.
    local_port, remote_port
        Ports for those on the same machine, and for others; 0 for none.
    names
        What others may reach it by.
    secret
        Who knows it may speak.
    """

    host: str
    local_port: int
    remote_port: int
    names: tuple[str, ...]
    secret: bytes


class MessageStream:
    """A connection whose two sides have proved to each other that they know the secret.

    Parameters
    ----------
    connection
        A new TCP connection; it remains the caller's to close.
    secret
        What both sides know.
    coordinator
        Which side this is.

    Raises
    ------
    OSError
        If the other side does not know the secret, or takes too long.
    """

    def __init__(self, connection: socket.socket, secret: bytes, *, coordinator: bool) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._sent = self._received = 0
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        deadline = perf_counter() + HANDSHAKE_S
        connection.settimeout(HANDSHAKE_S)
        mine = secrets.token_bytes(_NONCE_BYTES)
        connection.sendall(mine)
        theirs = self._exactly(_NONCE_BYTES, deadline)
        # One key a direction and a connection, of both nonces: no code is of use anywhere else.
        nonces = mine + theirs if coordinator else theirs + mine
        my_role, their_role = _ROLES[coordinator], _ROLES[not coordinator]
        self._my_key = hmac.digest(secret, nonces + my_role, "sha256")
        self._their_key = hmac.digest(secret, nonces + their_role, "sha256")
        connection.sendall(hmac.digest(self._my_key, b"hello", "sha256"))
        expected = hmac.digest(self._their_key, b"hello", "sha256")
        if not hmac.compare_digest(self._exactly(_CODE_BYTES, deadline), expected):
            raise OSError("the other side does not know the secret")
        connection.settimeout(None)

    def send(self, message: Message) -> None:
        """Say something; raise ``OSError`` if the other side has gone."""
        solution = message.solution
        numbers = b"" if solution is None else np.asarray(solution, "<i8").tobytes()
        count = len(numbers) // 8
        body = _HEADER.pack(message.kind, message.ticket, message.value, count) + numbers
        with self._sending:
            self._connection.sendall(body + _code(self._my_key, self._sent, body))
            self._sent += 1

    def receive(self) -> Message:
        """Wait for what the other side says.

        Raises
        ------
        OSError
            If the other side has gone, or this is not what it has said next.
        """
        header = self._exactly(_HEADER.size)
        kind, ticket, value, count = _HEADER.unpack(header)
        if kind not in tuple(MessageKind) or count > MAX_SOLUTION_NUMBERS:
            raise OSError("a message that makes no sense")
        numbers = self._exactly(8 * count)
        code = _code(self._their_key, self._received, header + numbers)
        if not hmac.compare_digest(self._exactly(_CODE_BYTES), code):
            raise OSError("a message that was changed on its way")
        self._received += 1
        solution = np.frombuffer(numbers, "<i8").astype(np.int64) if count else None
        return Message(MessageKind(kind), ticket, value, solution)

    def _exactly(self, count: int, deadline: float | None = None) -> bytes:
        """Wait for so many bytes."""
        got = bytearray()
        while len(got) < count:
            if deadline is not None:
                self._connection.settimeout(max(1e-3, deadline - perf_counter()))
                if perf_counter() >= deadline:
                    raise TimeoutError("the handshake takes too long")
            more = self._connection.recv(count - len(got))
            if not more:
                raise OSError("the other side has gone")
            got += more
        return bytes(got)


def _code(key: bytes, sequence: int, body: bytes) -> bytes:
    return hmac.digest(key, _SEQUENCE.pack(sequence) + body, "sha256")
