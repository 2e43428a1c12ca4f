"""What the coordinator and its workers tell each other while work units are explored.

Short messages of a fixed form, which ZeroMQ carries encrypted between those who have the keys of
the search. Nothing in a message is code, and no proof depends on one: a worker that cannot connect
does without.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

import numpy as np

from prunus.model.arrays import Int64Array

_HEADER = struct.Struct("<Bqq")

MAX_SOLUTION_NUMBERS = 2**20
"""Numbers of a solution in a message, at most."""

MAX_MESSAGE_BYTES = _HEADER.size + 8 * MAX_SOLUTION_NUMBERS


class MessageKind(IntEnum):
    """What a message says.

    Attributes
    ----------
    CONNECTED
        Each side hears the other.
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

    CONNECTED = 0
    RECEIVED = 1
    SEARCHING = 2
    COMPILING = 3
    COMPILED = 4
    FOUND = 5
    CUTOFF = 6
    RETURN = 7


@dataclass(frozen=True, slots=True)
class Message:
    """Something that is said of a work unit."""

    kind: MessageKind
    ticket: int = -1
    value: int = 0
    solution: Int64Array | None = None

    def pack(self) -> bytes:
        """Return it as bytes: kind, ticket, value, and what numbers the solution has."""
        header = _HEADER.pack(self.kind, self.ticket, self.value)
        return header if self.solution is None else header + self.solution.astype("<i8").tobytes()

    @staticmethod
    def unpack(packed: bytes) -> Message:
        """Return what was packed.

        Raises ``ValueError`` if it is no message.
        """
        numbers = len(packed) - _HEADER.size
        if numbers < 0 or numbers % 8 or len(packed) > MAX_MESSAGE_BYTES:
            raise ValueError(f"{len(packed)} bytes are no message")
        kind, ticket, value = _HEADER.unpack_from(packed)
        solution = np.frombuffer(packed, "<i8", offset=_HEADER.size).astype(np.int64)
        return Message(MessageKind(kind), ticket, value, solution if numbers else None)


class MessageSink(Protocol):
    """Where the coordinator says something to a worker; the same worker is equal to itself."""

    def send(self, message: Message) -> None:
        """Say something; without effect if the worker has gone."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a coordinator listens, and the keys for it; it travels over the executor."""

    host: str
    """The machine it is on."""
    local_port: int
    remote_port: int
    """Ports for those on the same machine, and for others; 0 for none."""
    names: tuple[str, ...]
    """By which IPv4 addresses others may reach it."""
    coordinator_key: bytes
    """Its public CURVE key: who answers is the coordinator."""
    worker_key: bytes
    worker_secret_key: bytes = field(repr=False)
    """The key pair of this search's workers: only they are let in."""
