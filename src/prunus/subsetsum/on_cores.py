"""Search the pieces on the cores of this machine: threads, each taking a few pieces at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import perf_counter

import numpy as np

from prunus.subsetsum.ledger import Ledger
from prunus.subsetsum.work import Plan

__all__ = ["LOOK", "on_cores"]

LOOK = 0.1
"""Seconds between two looks at the clock."""

_SPELL = 0.03


def on_cores(plan: Plan, ledger: Ledger, cores: int, look: Callable[[], bool]) -> None:
    """Search until all is done or `look`, called about ten times a second, says to stop.

    Raises
    ------
    Exception
        What a thread has raised.
    """
    stop = np.zeros(1, np.int64)
    failed: list[BaseException] = []

    def work() -> None:
        size = 1
        try:
            while not stop[0]:
                taken = ledger.take(size)
                if taken is None:
                    return
                ticket, first, last = taken
                start = perf_counter()
                finding = plan.run(first, last, stop)
                ledger.note(ticket, finding)
                each = (perf_counter() - start) / max(1, finding.last - first)
                share = -(-(ledger.pieces - ledger.done) // (4 * cores))
                size = max(1, min(int(_SPELL / max(each, 1e-9)), 2 * size, share))
        except BaseException as error:
            failed.append(error)
            ledger.changed.set()

    threads = [threading.Thread(target=work, daemon=True) for _ in range(cores)]
    for thread in threads:
        thread.start()
    seen = perf_counter()
    try:
        while any(thread.is_alive() for thread in threads) and not failed:
            ledger.changed.wait(LOOK)
            ledger.changed.clear()
            if ledger.finished:
                break
            if perf_counter() - seen >= LOOK:
                seen = perf_counter()
                if look():
                    break
    finally:
        stop[0] = 1
        for thread in threads:
            thread.join()
    if failed:
        raise failed[0]
