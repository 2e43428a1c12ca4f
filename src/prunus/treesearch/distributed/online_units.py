"""What is known, by messages, of the work units that are out."""

from __future__ import annotations

from collections.abc import Callable, Container
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import perf_counter

from prunus.treesearch.distributed.messages import Message, MessageKind, MessageSink


class OnlineUnits:
    """Notes what workers say of their units, and tells them what is new.

    Any thread may note something; all else is for the coordinator's thread. ``wake`` is called, in
    any thread, when something has been noted that the coordinator may act upon.
    """

    def __init__(self, wake: Callable[[], None], now: Callable[[], float] = perf_counter) -> None:
        self._wake, self._now = wake, now
        self._inbox: SimpleQueue[tuple[float, MessageSink, Message | None]] = SimpleQueue()
        self._workers: dict[int, MessageSink] = {}
        self._search_began: dict[int, float] = {}
        self._called_back: set[int] = set()
        self._compiling: dict[MessageSink, bool] = {}

    def note(self, worker: MessageSink, message: Message) -> None:
        """Note what a worker says, and where to answer."""
        self._inbox.put((self._now(), worker, message))
        if message.kind is not MessageKind.RECEIVED:  # of which the coordinator makes nothing
            self._wake()

    def forget(self, worker: MessageSink) -> None:
        """Note that a worker has gone."""
        self._inbox.put((self._now(), worker, None))
        self._wake()

    def received(self, out: Container[int]) -> list[Message]:
        """Return what has been received since the last call.

        ``out`` are the units that are out; of others it is too late to say that they are searched.
        """
        messages = []
        with suppress(Empty):
            while True:
                when, worker, message = self._inbox.get_nowait()
                if message is None:
                    self._forget(worker)
                else:
                    self._note(when, worker, message, message.ticket in out)
                    messages.append(message)
        return messages

    def _note(self, when: float, worker: MessageSink, message: Message, is_out: bool) -> None:
        kind, ticket = message.kind, message.ticket
        if kind in (MessageKind.COMPILING, MessageKind.COMPILED):
            self._compiling[worker] = kind is MessageKind.COMPILING
        elif kind is MessageKind.RECEIVED and is_out:
            self.done(ticket)
            self._workers[ticket] = worker
        elif kind is MessageKind.SEARCHING and ticket in self._workers:
            self._search_began[ticket] = when

    def _forget(self, worker: MessageSink) -> None:
        self._compiling.pop(worker, None)
        for ticket in [ticket for ticket, of in self._workers.items() if of == worker]:
            self.done(ticket)

    def all_compile(self) -> bool:
        """Return whether all that are known to have a work unit compile.

        Something is sent to each of them then, since that shows which of them have gone.
        """
        workers = set(self._workers.values())
        if not workers or not all(self._compiling.get(worker, False) for worker in workers):
            return False
        for worker in workers:
            worker.send(Message(MessageKind.CONNECTED))
        return True

    def search_began(self) -> list[tuple[int, float]]:
        """Return the units that are searched and are not called back, each with since when.

        The one that is searched longest comes first.
        """
        return [one for one in self._search_began.items() if one[0] not in self._called_back]

    @property
    def called_back(self) -> int:
        """How many units were called back and are not yet done."""
        return len(self._called_back)

    def call_back(self, ticket: int) -> None:
        """Have a work unit come back soon."""
        if ticket in self._workers and ticket not in self._called_back:
            self._called_back.add(ticket)
            self._workers[ticket].send(Message(MessageKind.RETURN, ticket))

    def tell_cutoff(self, ticket: int, cutoff: int) -> None:
        """Tell the worker that explores a unit, if it is known, what solutions must beat."""
        if ticket in self._workers:
            self._workers[ticket].send(Message(MessageKind.CUTOFF, ticket, cutoff))

    def done(self, ticket: int) -> None:
        """Forget a work unit."""
        self._workers.pop(ticket, None)
        self._search_began.pop(ticket, None)
        self._called_back.discard(ticket)
