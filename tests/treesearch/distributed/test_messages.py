"""Messages between a coordinator and its workers."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.treesearch.distributed import messages
from prunus.treesearch.distributed.messages import Message, MessageKind, MessageStream

NUMBERS = st.integers(-(2**63), 2**63 - 1)
SECRET = b"a secret"


def pair() -> tuple[socket.socket, socket.socket]:
    """Return two ends of a TCP connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        one = socket.create_connection(listener.getsockname())
        return one, listener.accept()[0]


def greeted(
    worker: socket.socket, coordinator: socket.socket, secrets: tuple[bytes, bytes]
) -> list[MessageStream | None]:
    """Have both sides greet each other; return their streams, the worker's first."""
    made: list[MessageStream | None] = [None, None]

    def greet(connection: socket.socket, side: int) -> None:
        try:
            made[side] = MessageStream(connection, secrets[side], coordinator=bool(side))
        except OSError:
            connection.close()

    thread = threading.Thread(target=greet, args=(coordinator, 1))
    thread.start()
    greet(worker, 0)
    thread.join()
    return made


@contextmanager
def streams() -> Iterator[tuple[MessageStream, MessageStream]]:
    """Give the two ends of a conversation."""
    one, other = pair()
    with one, other:
        mine, theirs = greeted(one, other, (SECRET, SECRET))
        assert mine is not None
        assert theirs is not None
        yield mine, theirs


class Relay:
    """Sits between a worker and a coordinator and changes what it passes on."""

    def __init__(self, change) -> None:
        self.change = change
        worker, to_worker = pair()
        to_coordinator, coordinator = pair()
        self.sockets = [worker, to_worker, to_coordinator, coordinator]
        for source, target, forge in (
            (to_worker, to_coordinator, False),
            (to_coordinator, to_worker, True),
        ):
            threading.Thread(target=self._pass_on, args=(source, target, forge)).start()
        self.worker, self.coordinator = greeted(worker, coordinator, (SECRET, SECRET))

    def _pass_on(self, source: socket.socket, target: socket.socket, forge: bool) -> None:
        greeting = True
        try:
            for count in (32, 32):  # nonces and proofs
                target.sendall(source.recv(count, socket.MSG_WAITALL))
            greeting = False
            while data := source.recv(1000):
                for piece in self.change(data) if forge else [data]:
                    target.sendall(piece)
        except OSError:
            assert not greeting

    def close(self) -> None:
        for one in self.sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@given(st.sampled_from(MessageKind), NUMBERS, NUMBERS, st.none() | st.lists(NUMBERS, min_size=1))
def test_what_is_said_is_heard(kind, ticket, value, solution) -> None:
    """One message after the other, both ways, numbers of any size included."""
    told = None if solution is None else np.array(solution, np.int64)
    with streams() as (mine, theirs):
        for one, other in [(mine, theirs), (theirs, mine)] * 2:
            one.send(Message(kind, ticket, value, told))
            heard = other.receive()
            assert (heard.kind, heard.ticket, heard.value) == (kind, ticket, value)
            assert (heard.solution is None) == (solution is None)
            assert solution is None or heard.solution.tolist() == solution


def forged(data: bytes) -> list[bytes]:
    """Another cutoff in an honest message."""
    kind, ticket, value, count = messages._HEADER.unpack(data[: messages._HEADER.size])
    return [messages._HEADER.pack(kind, ticket, value - 1, count) + data[messages._HEADER.size :]]


def invented(data: bytes) -> list[bytes]:
    """A message of its own before the honest one."""
    return [messages._HEADER.pack(MessageKind.CUTOFF, 7, 0, 0) + bytes(32), data]


def repeated(data: bytes) -> list[bytes]:
    """An honest message twice."""
    return [data, data]


@pytest.mark.parametrize("change", [forged, invented, repeated])
def test_a_relay_cannot_say_anything(change) -> None:
    """Who knows no secret may hear all, the greeting included, and is found out at once."""
    relay = Relay(change)
    try:
        relay.coordinator.send(Message(MessageKind.CUTOFF, 7, 1139))
        if change is repeated:
            assert relay.worker.receive().value == 1139
        with pytest.raises(OSError, match="changed on its way"):
            relay.worker.receive()
    finally:
        relay.close()


def test_what_one_says_is_not_taken_for_the_others_word() -> None:
    """A message that is sent back to its sender is no message."""
    one, other = pair()
    with one, other:
        _, theirs = greeted(one, other, (SECRET, SECRET))
        theirs.send(Message(MessageKind.CUTOFF, 7, 1139))
        echo = one.recv(1000)
        one.sendall(echo)
        with pytest.raises(OSError, match="changed on its way"):
            theirs.receive()


@pytest.mark.parametrize(
    "bad",
    [b"", b"\x01", messages._HEADER.pack(77, 0, 0, 0), messages._HEADER.pack(4, 0, 0, 2**30)],
)
def test_what_makes_no_sense_ends_the_connection(bad) -> None:
    """Neither a part of a message, nor an unknown kind, nor one of gigabytes."""
    one, other = pair()
    with other:
        with one:
            _, theirs = greeted(one, other, (SECRET, SECRET))
            one.sendall(bad)
        with pytest.raises(OSError, match=r"gone|no sense"):
            theirs.receive()


@pytest.mark.parametrize("secrets", [(b"a", b"a"), (b"a", b"b")])
def test_both_must_know_the_secret(secrets) -> None:
    """Neither side goes on with somebody who does not."""
    one, other = pair()
    with one, other:
        known = [stream is not None for stream in greeted(one, other, secrets)]
    assert known == [secrets[0] == secrets[1]] * 2


def test_nobody_is_taken_for_the_other_side() -> None:
    """Who says what it hears, as if it were its own, does not know the secret."""
    one, other = pair()

    def echo() -> None:
        while heard := other.recv(100):
            other.sendall(heard)

    with one, other:
        thread = threading.Thread(target=echo)
        thread.start()
        with pytest.raises(OSError, match="does not know"):
            MessageStream(one, b"a", coordinator=False)
        one.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.mark.parametrize("drip", [False, True])
def test_the_handshake_has_one_deadline(monkeypatch, drip) -> None:
    """Who says nothing is not waited for, nor who says it byte by byte."""
    monkeypatch.setattr(messages, "HANDSHAKE_S", 0.2)
    one, other = pair()
    ended = threading.Event()

    def say_slowly() -> None:
        while drip and not ended.wait(0.05):
            other.sendall(b"x")

    with one, other:
        thread = threading.Thread(target=say_slowly)
        thread.start()
        began = time.perf_counter()
        with pytest.raises(OSError, match=r"timed out|too long"):
            MessageStream(one, b"a", coordinator=True)
        assert time.perf_counter() - began < 1.0
        ended.set()
        thread.join()
