"""Threads that take numbered pieces of work, and ask between pieces whether to stop."""

from __future__ import annotations

from collections.abc import Callable

from prunus.hardware.threads import Threads
from prunus.runtime.stop_token import StoppedError


class PieceWorkers:
    """Threads, the caller's among them.

    ``should_stop`` is asked by the caller's thread after each of its pieces.
    """

    def __init__(self, size: int, should_stop: Callable[[], bool]) -> None:
        self.size = max(1, size)
        self._should_stop = should_stop

    def share(self, pieces: int, work: Callable[[int, int], None], *, alone: bool = False) -> None:
        """Do ``work(piece, member)`` for every piece; each member has one at a time.

        With ``alone`` the caller's thread does it all, and does not ask meanwhile.

        Raises ``StoppedError`` if it was to stop; some pieces are then not done.
        """
        if alone:
            Threads(1).take_pieces(pieces, work)
        elif not Threads(self.size).take_pieces(pieces, work, self._should_stop):
            raise StoppedError
