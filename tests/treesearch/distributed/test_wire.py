"""Messages between a coordinator and its workers."""

from __future__ import annotations

import socket
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.treesearch.distributed import wire
from prunus.treesearch.distributed.wire import HEADER, Kind, Message, greet, receive, send

NONSENSE = [b"", b"\x01", HEADER.pack(77, 0, 0, 0), HEADER.pack(4, 0, 0, 2**30)]
NUMBERS = st.integers(-(2**63), 2**63 - 1)


@given(st.sampled_from(Kind), NUMBERS, NUMBERS, st.none() | st.lists(NUMBERS, min_size=1))
def test_what_is_said_is_heard(kind, ticket, value, solution) -> None:
    """One message after the other, numbers of any size included."""
    told = None if solution is None else np.array(solution, np.int64)
    one, other = socket.socketpair()
    with one, other:
        for _ in range(2):
            send(one, Message(kind, ticket, value, told))
        for _ in range(2):
            heard = receive(other)
            assert (heard.kind, heard.ticket, heard.value) == (kind, ticket, value)
            assert (heard.solution is None) == (solution is None)
            assert solution is None or heard.solution.tolist() == solution


@pytest.mark.parametrize(
    "bad", [b"", b"\x01", HEADER.pack(77, 0, 0, 0), HEADER.pack(4, 0, 0, 2**30)]
)
def test_what_makes_no_sense_ends_the_line(bad) -> None:
    """Neither a part of a message, nor an unknown kind, nor one of gigabytes."""
    one, other = socket.socketpair()
    with other:
        with one:
            one.sendall(bad)
        with pytest.raises(OSError, match=r"gone|no sense"):
            receive(other)


@pytest.mark.parametrize("secrets", [(b"a", b"a"), (b"a", b"b")])
def test_both_must_know_the_secret(secrets) -> None:
    """Neither side goes on with somebody who does not."""
    one, other = _pair()
    known = []

    def know(line, secret, coordinator) -> None:
        try:
            greet(line, secret, coordinator)
            known.append(coordinator)
        except OSError:
            line.close()

    with one, other:
        thread = threading.Thread(target=know, args=(other, secrets[1], True))
        thread.start()
        know(one, secrets[0], False)
        thread.join()
    assert len(known) == (2 if secrets[0] == secrets[1] else 0)


def test_nobody_is_taken_for_the_other_side() -> None:
    """Who says what it hears, as if it were its own, does not know the secret."""
    one, other = _pair()

    def echo() -> None:
        while heard := other.recv(100):
            other.sendall(heard)

    with one, other:
        thread = threading.Thread(target=echo)
        thread.start()
        with pytest.raises(OSError, match="does not know"):
            greet(one, b"a", coordinator=False)
        one.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_who_says_nothing_is_not_waited_for(monkeypatch) -> None:
    """The beginning has a limit."""
    monkeypatch.setattr(wire, "PATIENCE", 0.05)
    one, other = _pair()
    with one, other, pytest.raises(OSError, match="timed out"):
        greet(one, b"a", coordinator=True)


def _pair() -> tuple[socket.socket, socket.socket]:
    """Return two ends of a TCP connection."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        one = socket.create_connection(door.getsockname())
        return one, door.accept()[0]
