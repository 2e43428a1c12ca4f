"""Search the pieces over any ``concurrent.futures.Executor``: a process pool, a cluster.

A task is a pure function of a few hundred bytes. It may fail, be lost with its worker, or be done
twice by an engine that repeats it: its range counts when its answer arrives, once, and a range of
which no answer comes is handed out again. When the executor itself is broken, as a process pool is
after one of its processes was killed, what is left is searched on the cores of this machine.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from prunus.hardware.executor import ExecutorEngine
from prunus.subsetsum.pieces.accounting import PieceAccounting
from prunus.subsetsum.pieces.description import SearchDescription, explore
from prunus.subsetsum.pieces.machine import POLL_S

__all__ = ["search_on_executor"]

_SPELL = 0.4
_AHEAD = 3


def search_on_executor(
    engine: ExecutorEngine,
    work: SearchDescription,
    ledger: PieceAccounting,
    look: Callable[[], bool],
    *,
    size: int = 1,
) -> None:
    """Search until all is done, `look` says to stop, or the executor is broken.

    Parameters
    ----------
    size
        Pieces in the first tasks; later ones take about half a second.
    """
    seen = perf_counter()
    try:
        while not ledger.finished and engine.broken is None:
            window = _AHEAD * engine.workers
            while len(engine) < window and (taken := ledger.take(size)) is not None:
                ticket, first, last = taken
                if not engine.submit(ticket, explore, work, first, last):
                    ledger.give_back(ticket)
                    break
            for heard in engine.collect(POLL_S if len(engine) else 0.0):
                if heard.error is not None:
                    ledger.give_back(heard.tag)
                    continue
                finding, spent = heard.value
                ledger.note(heard.tag, finding)
                wanted = int(_SPELL * (finding.last - finding.first) / max(spent, 1e-6))
                share = -(-(ledger.pieces - ledger.done) // (2 * window))
                size = max(1, min(wanted, 4 * size, share))
            if perf_counter() - seen >= POLL_S:
                seen = perf_counter()
                if look():
                    break
    finally:
        for ticket in engine.abandon():
            ledger.give_back(ticket)
