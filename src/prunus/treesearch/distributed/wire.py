"""What the coordinator and its workers say to one another while slices are explored.

Short messages of a fixed form over TCP, between two who know the same secret; it came to the worker
with its first call. Nothing that is said is code, and nothing depends on it: who cannot be reached
does without.
"""

from __future__ import annotations

import hmac
import secrets
import socket
import struct
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

__all__ = ["PATIENCE", "Address", "Kind", "Message", "greet", "receive", "send"]

PATIENCE = 2.0
"""Seconds in which the other side has to answer at the beginning."""

HEADER = struct.Struct("<BqqI")
LARGEST = 2**20
"""Numbers of a message, at most."""
NONCE = 32


class Kind(IntEnum):
    """What a message says.

    Attributes
    ----------
    HAVE
        A worker has begun with a slice.
    SEARCH
        It has all it needs, and searches.
    STAND, GO
        It compiles; it does so no longer.
    FOUND
        It has found a solution, and its objective.
    BEAT
        Solutions must be better than this from now on.
    RETURN
        It shall hand in what is left: somebody has nothing to do.
    """

    HAVE = 0
    SEARCH = 1
    STAND = 2
    GO = 3
    FOUND = 4
    BEAT = 5
    RETURN = 6


@dataclass(frozen=True, slots=True)
class Message:
    """Something that is said of a slice."""

    kind: Kind
    ticket: int = -1
    value: int = 0
    solution: NDArray[np.int64] | None = None


@dataclass(frozen=True, slots=True)
class Address:
    """Where a coordinator listens.

    Attributes
    ----------
    host
        The machine it is on.
    near, far
        Ports for those on the same machine, and for others; 0 for none.
    names
        What others may reach it by.
    secret
        Who knows it may speak.
    """

    host: str
    near: int
    far: int
    names: tuple[str, ...]
    secret: bytes


def send(line: socket.socket, message: Message) -> None:
    """Say something; raise ``OSError`` if nobody listens any more."""
    solution = message.solution
    numbers = b"" if solution is None else np.asarray(solution, "<i8").tobytes()
    line.sendall(
        HEADER.pack(message.kind, message.ticket, message.value, len(numbers) // 8) + numbers
    )


def receive(line: socket.socket) -> Message:
    """Wait for what the other side says; raise ``OSError`` if it has gone or makes no sense."""
    kind, ticket, value, count = HEADER.unpack(_exactly(line, HEADER.size))
    if kind not in tuple(Kind) or count > LARGEST:
        raise OSError("a message that makes no sense")
    numbers = np.frombuffer(_exactly(line, 8 * count), "<i8").astype(np.int64) if count else None
    return Message(Kind(kind), ticket, value, numbers)


def greet(line: socket.socket, secret: bytes, coordinator: bool) -> None:
    """Prove to the other side that one knows the secret; raise ``OSError`` unless it does too."""
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    line.settimeout(PATIENCE)
    mine = secrets.token_bytes(NONCE)
    line.sendall(mine)
    theirs = _exactly(line, NONCE)
    line.sendall(_proof(secret, theirs, coordinator))
    expected = _proof(secret, mine, not coordinator)
    if not hmac.compare_digest(_exactly(line, len(expected)), expected):
        raise OSError("somebody who does not know the secret")
    line.settimeout(None)


def _proof(secret: bytes, nonce: bytes, coordinator: bool) -> bytes:
    return hmac.digest(secret, nonce + (b"coordinator" if coordinator else b"worker"), "sha256")


def _exactly(line: socket.socket, count: int) -> bytes:
    """Wait for so many bytes."""
    got = bytearray()
    while len(got) < count:
        more = line.recv(count - len(got))
        if not more:
            raise OSError("the other side has gone")
        got += more
    return bytes(got)
