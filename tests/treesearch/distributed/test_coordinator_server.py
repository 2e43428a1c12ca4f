"""The coordinator's port: who may connect, and what happens when nobody can."""

from __future__ import annotations

import errno
import multiprocessing
import os
import socket
import sys
import threading
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import zmq

import prunus
from prunus import NQueens
from prunus.treesearch.distributed import coordinator, coordinator_server, message_loop, messaging
from prunus.treesearch.distributed.messages import Address, Message, MessageKind
from prunus.treesearch.distributed.worker_connection import WorkerConnection
from tests.treesearch.distributed.listener import Listener, a_listener


def other_keys(address: Address) -> dict[str, Address]:
    """Return an address with the keys of somebody else."""
    public, secret = zmq.curve_keypair()
    return {
        "another worker": replace(address, worker_key=public, worker_secret_key=secret),
        "a worker without its secret": replace(address, worker_secret_key=secret),
        "another coordinator": replace(address, coordinator_key=public),
    }


@pytest.mark.parametrize(
    "who", ["another worker", "a worker without its secret", "another coordinator"]
)
def test_only_this_searchs_workers_are_let_in(listener: Listener, who: str) -> None:
    """Nobody else hears or says anything, and the coordinator goes on listening to workers."""
    with pytest.raises(ConnectionRefusedError):
        WorkerConnection(other_keys(listener.server.address)[who])
    line = WorkerConnection(listener.server.address)
    line.send(Message(MessageKind.SEARCHING, 7))
    assert listener.until(lambda: MessageKind.SEARCHING in listener.kinds())
    line.close()
    assert [message.ticket for message in listener.received] == [7]


@pytest.mark.parametrize("mechanism", ["none", "plain"])
def test_who_speaks_zeromq_without_a_key_is_not_heard(listener: Listener, mechanism: str) -> None:
    """Whatever else ZeroMQ offers for security."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as stranger:
        stranger.linger = 0
        if mechanism == "plain":
            stranger.plain_username, stranger.plain_password = b"worker", b"secret"
        failed = stranger.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        stranger.connect(f"tcp://127.0.0.1:{listener.server.address.local_port}")
        stranger.send(Message(MessageKind.SEARCHING, 7).pack())
        assert failed.poll(60_000)
        stranger.disable_monitor()
        failed.close()
    line = WorkerConnection(listener.server.address)
    line.close()
    assert listener.units.received({7}) == []


def test_noise_is_not_heard(listener: Listener) -> None:
    """Other protocols, halves of greetings, nothing at all."""
    noise = [b"", b"GET / HTTP/1.1\r\n\r\n", b"\xff" + bytes(8) + b"\x7f\x03", b"\xff" * 1000]
    for part in noise * 5:
        place = ("127.0.0.1", listener.server.address.local_port)
        with socket.create_connection(place) as one, suppress(OSError):
            one.sendall(part)
    line = WorkerConnection(listener.server.address)
    line.send(Message(MessageKind.SEARCHING, 7))
    assert listener.until(lambda: MessageKind.SEARCHING in listener.kinds())
    line.close()
    assert len(listener.received) == 1


def test_what_is_no_message_is_for_nobody(listener: Listener) -> None:
    """A worker that sends something else is heard when it sends a message."""
    line = WorkerConnection(listener.server.address)
    for junk in (b"", b"\x01" * 16, b"\xff" * 17):
        line._loop.do(lambda junk=junk: line._line.send(junk))
    line.send(Message(MessageKind.SEARCHING, 7))
    assert listener.until(lambda: MessageKind.SEARCHING in listener.kinds())
    line.close()
    assert len(listener.received) == 1


def test_strangers_beyond_its_limit_are_all_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those whose time to prove who they are has not run out; a worker gets through after."""
    monkeypatch.setattr(message_loop, "HANDSHAKE_S", 0)  # there is no such time
    monkeypatch.setattr(coordinator_server, "MAX_STRANGERS", 4)
    with a_listener() as listener:
        place = ("127.0.0.1", listener.server.address.local_port)
        strangers = []
        for _ in range(20):
            with suppress(OSError):
                strangers.append(socket.create_connection(place, timeout=60))
        for one in strangers[:5]:
            with suppress(ConnectionError):  # but not TimeoutError
                while one.recv(100):  # ZeroMQ's greeting, and then the end
                    pass
        for one in strangers:
            one.close()
        for _ in range(600):
            with suppress(OSError):
                WorkerConnection(listener.server.address).close()
                break
            threading.Event().wait(0.1)
        else:
            pytest.fail("it listens no longer")


def failing(*arguments: object, **options: object) -> int:
    """Fail for want of files."""
    raise OSError(errno.EMFILE, "Too many open files")


def test_a_machine_without_files_does_without(monkeypatch, caplog) -> None:
    """Nothing fails, and a sentence says why there are no messages."""
    with monkeypatch.context() as patch:
        patch.setattr(message_loop.os, "open", failing)
        assert messaging.open_server(None) is None
    assert "without messages between workers: [Errno 24] Too many open files" in caplog.text


def test_a_machine_without_a_port_for_others_goes_on(listener: Listener, monkeypatch) -> None:
    """Workers elsewhere are not told of one."""

    def full(where: str) -> int:
        raise zmq.ZMQError(errno.EADDRINUSE)

    monkeypatch.setattr(listener.server, "_bind", full)
    listener.server.open_for("elsewhere")
    assert listener.server.address.remote_port == 0


def test_without_pyzmq_a_search_goes_on(monkeypatch, caplog) -> None:
    """With the same answer, and one sentence that says what to install and what it costs."""
    monkeypatch.setattr(messaging, "_has_messages", lambda: False)
    messaging._tell_without.cache_clear()
    with ThreadPoolExecutor(2) as threads:
        for _ in range(2):
            result = prunus.solve(NQueens(9), executor=threads, devices="cpu:1")
    assert (result.objective, result.explored) == (352, 1.0)
    assert not any(worker["online"] for worker in result.statistics["workers"])
    assert caplog.text.count("pip install 'prunus[executor]'") == 1


def test_pyzmq_is_missing_where_it_cannot_be_imported_or_has_no_keys(monkeypatch) -> None:
    """Some distributions build ZeroMQ without encryption: no message is sent in the clear."""
    look = messaging._has_messages.__wrapped__
    assert look()
    with monkeypatch.context() as patch:
        patch.setattr(zmq, "has", lambda capability: capability != "curve")
        assert not look()
    monkeypatch.setitem(sys.modules, "zmq", None)
    assert not look()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_forked_workers_do_not_keep_the_port_open(monkeypatch) -> None:
    """They are forked before it is opened: while they live on, nobody listens after a search."""
    ports = []
    listen = coordinator.open_server

    def opened(units):
        server = listen(units)
        ports.append(server.address.local_port)
        return server

    monkeypatch.setattr(coordinator, "open_server", opened)
    with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # forks beside threads of others
            result = prunus.solve(NQueens(8), executor=pool, devices="cpu:1")
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", ports[0]), timeout=60)
    assert result.objective == 92
    assert all(worker["online"] for worker in result.statistics["workers"])


def of_zeromq() -> tuple[int, int]:
    """Count threads and event files of ZeroMQ in this process, as Linux tells."""
    names, files = [], []
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # a thread that has ended meanwhile
            names.append(task.joinpath("comm").read_text())
    for file in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            files.append(os.readlink(file))
    return sum("ZMQ" in name for name in names), files.count("anon_inode:[eventfd]")


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="looks into /proc")
def test_nothing_is_left_of_a_connection(listener: Listener) -> None:
    """Neither threads nor open files, on either side."""
    listener.server.close()
    for thread in threading.enumerate():
        if thread.name == "prunus-messages":  # of tests before
            thread.join(60)
    threads, files = of_zeromq()
    assert threads == 0
    with a_listener() as other:
        line = WorkerConnection(other.server.address)
        other.server.open_for("elsewhere")
        more_threads, more_files = of_zeromq()
        assert more_threads > 0
        assert more_files > files
    line._loop._thread.join(60)
    assert not line.open
    assert of_zeromq() == (0, files)
