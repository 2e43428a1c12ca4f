"""Threads that take numbered pieces of work, and a clock that is looked at between pieces."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count

from prunus.runtime.stop_token import StoppedError

__all__ = ["PieceWorkers"]


class PieceWorkers:
    """Threads, the caller's among them.

    Parameters
    ----------
    size
        How many.
    look
        Called by the caller's thread after each of its pieces; says whether to stop.
    """

    def __init__(self, size: int, look: Callable[[], bool]) -> None:
        self.size = max(1, size)
        self._look = look
        self._pool: ThreadPoolExecutor | None = None
        self._stop = False

    def close(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def share(self, pieces: int, work: Callable[[int, int], None], *, alone: bool = False) -> None:
        """Do ``work(piece, member)`` for every piece; each member has one at a time.

        With ``alone`` the caller's thread does it all, and looks at nothing meanwhile.

        Raises
        ------
        StoppedError
            If the look said so; some pieces are then not done.
        """
        if alone:
            for piece in range(pieces):
                work(piece, 0)
            return
        numbers = count()
        self._stop = False

        def member(index: int) -> None:
            try:
                while (piece := next(numbers)) < pieces and not self._stop:
                    work(piece, index)
                    if index == 0 and self._look():
                        raise StoppedError
            except BaseException:
                self._stop = True
                raise

        others: list[Future[None]] = []
        if pieces > 1 and self.size > 1:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.size - 1)
            others = [self._pool.submit(member, k) for k in range(1, min(self.size, pieces))]
        try:
            member(0)
        finally:
            failures = [other.exception() for other in others]
        for failure in failures:
            if failure is not None:
                raise failure
