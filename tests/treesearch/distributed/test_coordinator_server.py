"""The coordinator's port: who may connect, and what happens when nobody can."""

from __future__ import annotations

import errno
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from prunus.treesearch.distributed import coordinator_server
from prunus.treesearch.distributed.coordinator_server import CoordinatorServer
from prunus.treesearch.distributed.messages import MessageStream


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[CoordinatorServer]:
    """Give a server that greets two at a time."""
    monkeypatch.setattr(coordinator_server, "MAX_HANDSHAKES", 2)
    made = CoordinatorServer(lambda: None)
    yield made
    made.close()


def connect(server: CoordinatorServer) -> socket.socket:
    """Connect, and say nothing."""
    return socket.create_connection(("127.0.0.1", server.address.local_port), timeout=60)


def until(true: Callable[[], bool]) -> bool:
    """Wait for something, a minute at most."""
    end = time.monotonic() + 60
    while not true() and time.monotonic() < end:
        time.sleep(0.01)
    return true()


def test_who_says_nothing_keeps_few_threads(server: CoordinatorServer) -> None:
    """Two are heard out, all others are sent away at once; later a worker gets through."""
    before = threading.active_count()
    server.listen()
    strangers = [connect(server) for _ in range(20)]
    away = [one for one in strangers[2:] if one.recv(100) == b""]
    assert len(away) == 18
    assert threading.active_count() <= before + 1 + 2
    for one in strangers:
        one.close()
    assert until(lambda: threading.active_count() == before + 1)
    with connect(server) as worker:
        MessageStream(worker, server.address.secret, coordinator=False)


def test_it_goes_on_when_a_connection_cannot_be_accepted(
    server: CoordinatorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For want of file descriptors, say: the next one is accepted."""
    monkeypatch.setattr(coordinator_server, "ACCEPT_PAUSE_S", 0.01)
    (listener,) = server._listeners
    failures = [OSError(errno.EMFILE, "too many open files")] * 3

    class Full:
        def accept(self) -> tuple[socket.socket, object]:
            if failures:
                raise failures.pop()
            return listener.accept()

    threading.Thread(target=server._accept, args=(Full(),), daemon=True).start()
    with connect(server) as worker:
        MessageStream(worker, server.address.secret, coordinator=False)
    assert not failures


def test_it_goes_on_when_no_thread_can_be_started(
    server: CoordinatorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who came is sent away, the next one is greeted."""
    start = threading.Thread.start
    refused: list[None] = []

    def fail_once(thread: threading.Thread) -> None:
        if threading.current_thread().name == "prunus-connection" and not refused:
            refused.append(None)
            raise RuntimeError("can't start new thread")
        start(thread)

    server.listen()
    monkeypatch.setattr(threading.Thread, "start", fail_once)
    with connect(server) as stranger:
        assert stranger.recv(100) == b""
    with connect(server) as worker:
        MessageStream(worker, server.address.secret, coordinator=False)


def test_a_machine_without_ports_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nobody to hear, and nothing fails."""

    def fail(*arguments: object, **options: object) -> socket.socket:
        raise OSError(errno.EMFILE, "too many open files")

    monkeypatch.setattr(socket, "create_server", fail)
    server = CoordinatorServer(lambda: None)
    server.listen()
    server.open_for("elsewhere")
    assert (server.address.local_port, server.address.remote_port) == (0, 0)
    server.close()
