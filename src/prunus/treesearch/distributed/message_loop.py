"""The one thread that uses a ZeroMQ socket: other threads leave with it what is to be sent."""

from __future__ import annotations

import os
import socket as sockets
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeAlias, TypeVar

import zmq

from prunus.treesearch.distributed.messages import MAX_MESSAGE_BYTES

T = TypeVar("T")
ZmqSocket: TypeAlias = "zmq.Socket[bytes]"
ZmqContext: TypeAlias = "zmq.Context[zmq.Socket[bytes]]"

HANDSHAKE_S = 3.0
"""Seconds after which a connection is dropped that has not proved who it is."""

HEARTBEAT_S = 5.0
"""Seconds between two signs of life on a connection; one that is silent for four times as long is
given up."""


SPARE_FILES = 64
"""File descriptors that are free before a context is made."""


def new_context() -> ZmqContext:
    """Return a context.

    Raises ``OSError`` if too few files can be opened: ZeroMQ would abort the process for want of
    one.
    """
    files: list[int] = []
    try:
        while len(files) < SPARE_FILES:
            files.append(os.open(os.devnull, os.O_RDONLY))
    finally:
        for file in files:
            os.close(file)
    return zmq.Context()


def new_socket(context: ZmqContext, kind: int) -> ZmqSocket:
    """Return a socket for messages, with the limits that hold on both sides."""
    socket = context.socket(kind)
    socket.linger = 0
    socket.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGE_BYTES)
    socket.setsockopt(zmq.HANDSHAKE_IVL, int(1000 * HANDSHAKE_S))
    socket.setsockopt(zmq.HEARTBEAT_IVL, int(1000 * HEARTBEAT_S))
    socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, int(4000 * HEARTBEAT_S))
    return socket


class MessageLoop:
    """Receives and sends in a thread of its own until it is closed; then its context is closed.

    The context has these sockets and no others. The handlers are called, in the thread, with the
    frames that a socket receives, and ``at_end`` when it ends.
    """

    def __init__(
        self,
        context: ZmqContext,
        handlers: Mapping[ZmqSocket, Callable[[list[bytes]], None]],
        at_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._context, self._handlers, self._at_end = context, handlers, at_end
        self._orders: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._bell, self._ear = sockets.socketpair()
        self._bell.setblocking(False)
        self._ending = False
        self._thread = threading.Thread(target=self._run, daemon=True, name="prunus-messages")
        self._thread.start()

    def do(self, order: Callable[[], None]) -> None:
        """Have something done in the thread, soon; any thread may ask for it.

        It has no effect once the loop is closed, nor in a forked process, which has no such thread.
        """
        self._orders.put(order)
        with suppress(OSError):  # it is full of rings, or closed
            self._bell.send(b"\0")

    def call(self, function: Callable[[], T], seconds: float) -> T:
        """Have something done in the thread and wait for what comes of it.

        Raises ``TimeoutError`` if nothing has come of it.
        """
        future: Future[T] = Future()

        def order() -> None:
            try:
                future.set_result(function())
            except Exception as error:
                future.set_exception(error)

        self.do(order)
        return future.result(seconds)

    def close(self) -> None:
        """End the thread and close its sockets and their context."""

        def end() -> None:
            self._ending = True

        self.do(end)
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        poller = zmq.Poller()
        poller.register(self._ear, zmq.POLLIN)
        for socket in self._handlers:
            poller.register(socket, zmq.POLLIN)
        try:
            while not self._ending:
                ready = dict(poller.poll())
                if self._ear.fileno() in ready:
                    self._ear.recv(4096)
                self._do_orders()
                for socket, handle in self._handlers.items():
                    if socket in ready and not self._ending:
                        _receive_all(socket, handle)
        finally:
            self._context.destroy(linger=0)
            self._bell.close()
            self._ear.close()
            self._at_end()

    def _do_orders(self) -> None:
        with suppress(Empty):
            while not self._ending:
                self._orders.get_nowait()()


def _receive_all(socket: ZmqSocket, handle: Callable[[list[bytes]], None]) -> None:
    """Handle whatever there is to be received."""
    while not socket.closed:
        try:
            frames = socket.recv_multipart(zmq.NOBLOCK)
        except zmq.Again:
            return
        handle(frames)
