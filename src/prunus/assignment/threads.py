"""Run compiled code on several cores: contiguous shares of a range, one a thread."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

__all__ = ["Threads"]

T = TypeVar("T")


class Threads:
    """A few threads for code that holds no interpreter lock; a context manager.

    Parameters
    ----------
    cores
        How many; with one, everything runs in the calling thread.
    """

    def __init__(self, cores: int) -> None:
        self.cores = max(1, cores)
        self._pool = ThreadPoolExecutor(self.cores - 1) if self.cores > 1 else None

    def __enter__(self) -> Threads:
        """Give the threads."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the threads; they have nothing to do, so that nobody waits for them."""
        if self._pool is not None:
            # On a busy machine they may be long in coming, and the answer is there. After an error
            # one of them may still be at work.
            self._pool.shutdown(wait=kind is not None)

    def share(self, count: int, work: Callable[[int, int, int], T], *, least: int = 1) -> list[T]:
        """Call ``work(thread, begin, end)`` for shares of ``range(count)``; return the answers.

        Parameters
        ----------
        count
            How much there is to do.
        work
            Does a share; the first is done in the calling thread.
        least
            No share is made smaller than this.
        """
        shares = max(1, min(self.cores, count // max(1, least)))
        ends = [count * k // shares for k in range(shares + 1)]
        others: list[Any] = []
        if self._pool is not None:
            others = [self._pool.submit(work, k, ends[k], ends[k + 1]) for k in range(1, shares)]
        return [work(0, 0, ends[1]), *(other.result() for other in others)]

    def helped(
        self, work: Callable[[], T], assist: Callable[[int], Any], close: Callable[[], None]
    ) -> T:
        """Call ``work()`` while ``assist(thread)`` runs in all other threads.

        Parameters
        ----------
        work
            Is called in the calling thread; what it returns is returned.
        assist
            Must come back soon after ``close``.
        close
            Is called after the work. Threads that have not begun to assist by then never do.
        """
        if self._pool is None:
            return work()
        others = [self._pool.submit(assist, k) for k in range(1, self.cores)]
        try:
            return work()
        finally:
            close()
            for other in others:
                if not other.cancel():
                    other.result()
