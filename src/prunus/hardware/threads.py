"""The one pool of threads: they are kept, since starting one takes as long as a small search.

``start_task`` never waits for a thread: if none is free it starts another. So tasks may wait for
one another, and may be searches that last as long as the solve.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar, TypeVarTuple

Arguments = TypeVarTuple("Arguments")
T = TypeVar("T")


class Task(Generic[T]):
    """A call that runs in a thread of the pool.

    The function and its arguments are let go of as soon as it has returned.
    """

    def __init__(self, function: Callable[..., T], arguments: tuple[Any, ...]) -> None:
        self._call: list[tuple[Callable[..., T], tuple[Any, ...]]] = [(function, arguments)]
        self._ended = threading.Event()
        self._values: list[T] = []
        self._error: BaseException | None = None

    @property
    def running(self) -> bool:
        return not self._ended.is_set()

    def join(self, timeout: float | None = None) -> None:
        """Wait until it ends, or so many seconds."""
        self._ended.wait(timeout)

    def result(self) -> T:
        """Wait until it ends; return what it returned, or raise what it raised."""
        self._ended.wait()
        if self._error is not None:
            raise self._error
        return self._values[0]

    def cancel(self) -> bool:
        """Keep it from running if it has not begun; return whether it will not run."""
        try:
            self._call.pop()
        except IndexError:
            return False
        self._ended.set()
        return True

    def run(self) -> None:
        """Run it once, in whatever thread this is called, unless it is cancelled."""
        try:
            function, arguments = self._call.pop()
        except IndexError:
            return
        try:
            self._values.append(function(*arguments))
        except BaseException as error:
            self._error = error
        finally:
            del function, arguments
            self._ended.set()


_idle: SimpleQueue[SimpleQueue[Task[Any]]] = SimpleQueue()
"""The queues through which waiting threads get their next task."""


def reserve_threads(number: int) -> None:
    """See to it that so many threads wait for a task."""
    for _ in range(number - _idle.qsize()):
        _idle.put(_new_thread())


def start_task(function: Callable[[*Arguments], T], *arguments: *Arguments) -> Task[T]:
    """Call a function in a thread that waits, or in a new one."""
    task = Task(function, arguments)
    try:
        queue = _idle.get_nowait()
    except Empty:
        queue = _new_thread()
    queue.put(task)
    return task


def run_together(function: Callable[[int], T], numbers: Iterable[int]) -> list[T]:
    """Call a function for some numbers at the same time, for the first one in this thread.

    Comes back when all calls have ended; raises what one of them has raised.
    """
    first, *others = numbers
    tasks = [start_task(function, number) for number in others]
    try:
        value = function(first)
    finally:
        for task in tasks:
            task.join()
    return [value, *(task.result() for task in tasks)]


class Threads:
    """How many threads of the pool a method uses, the calling one among them.

    For compiled code, which does not hold the interpreter lock. With one, everything runs in the
    calling thread.
    """

    def __init__(self, cores: int) -> None:
        self.cores = max(1, cores)

    def share(self, size: int, work: Callable[[int, int, int], T], *, least: int = 1) -> list[T]:
        """Call ``work(thread, begin, end)`` for even shares of ``range(size)``; return the answers.

        No share of the ``size`` is made smaller than ``least``.
        """
        shares = max(1, min(self.cores, size // max(1, least)))
        ends = [size * k // shares for k in range(shares + 1)]
        return run_together(lambda k: work(k, ends[k], ends[k + 1]), range(shares))

    def take_pieces(
        self,
        pieces: int,
        work: Callable[[int, int], None],
        should_stop: Callable[[], bool] | None = None,
    ) -> bool:
        """Call ``work(piece, thread)`` for every piece; each thread takes the next when it is done.

        ``should_stop`` is asked by the calling thread after each of its pieces. Returns whether all
        are done; False if ``should_stop`` said so.
        """
        numbers = count()
        stopped = False

        def member(thread: int) -> None:
            nonlocal stopped
            try:
                while not stopped and (piece := next(numbers)) < pieces:
                    work(piece, thread)
                    if thread == 0 and should_stop is not None and should_stop():
                        stopped = True
            except BaseException:
                stopped = True
                raise

        run_together(member, range(max(1, min(self.cores, pieces))))
        return not stopped

    def assisted(
        self, work: Callable[[], T], assist: Callable[[int], object], close: Callable[[], None]
    ) -> T:
        """Call ``work()`` here while ``assist(thread)`` runs in all other threads.

        What ``work`` returns is returned. ``close`` is called after it; threads that have not begun
        to assist by then never do, and ``assist`` must come back soon after.
        """
        tasks = [start_task(assist, k) for k in range(1, self.cores)]
        try:
            return work()
        finally:
            close()
            for task in tasks:
                if not task.cancel():
                    task.result()


def _new_thread() -> SimpleQueue[Task[Any]]:
    """Start a thread; return the queue through which it gets its tasks."""
    queue: SimpleQueue[Task[Any]] = SimpleQueue()

    def work() -> None:
        while True:
            queue.get().run()
            _idle.put(queue)

    threading.Thread(target=work, daemon=True, name="prunus").start()
    return queue


def _begin_anew() -> None:
    """Forget the threads in a forked process, which has none of them."""
    global _idle
    _idle = SimpleQueue()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
