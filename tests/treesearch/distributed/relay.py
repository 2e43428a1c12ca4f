"""A machine between a worker and its coordinator, which passes on what it likes."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

Change = Callable[[bytes, bool], list[bytes]]
"""What is passed on for some bytes; the second argument tells whether they are the worker's."""


class Relay:
    """Listens on a port of its own and connects whoever comes to another one.

    Attributes
    ----------
    port
        Where it listens.
    wire
        All that it was sent, from both sides.
    """

    def __init__(self, target: int, change: Change) -> None:
        self.wire = b""
        self._target, self._change = target, change
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._sockets = [self._listener]
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                worker, _ = self._listener.accept()
                coordinator = socket.create_connection(("127.0.0.1", self._target))
                self._sockets += [worker, coordinator]
                for one, other, from_worker in (
                    (worker, coordinator, True),
                    (coordinator, worker, False),
                ):
                    thread = threading.Thread(target=self._pass_on, args=(one, other, from_worker))
                    self._threads.append(thread)
                    thread.start()

    def _pass_on(self, one: socket.socket, other: socket.socket, from_worker: bool) -> None:
        with suppress(OSError):
            while data := one.recv(2**16):
                self.wire += data
                for piece in self._change(data, from_worker):
                    other.sendall(piece)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Cut all connections."""
        for one in self._sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for one in self._sockets:
            one.close()
