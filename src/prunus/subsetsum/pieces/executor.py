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
from prunus.subsetsum.pieces.description import SearchDescription
from prunus.subsetsum.pieces.worker_process import explore
from prunus.subsetsum.tuning import TUNING


def search_on_executor(
    engine: ExecutorEngine,
    work: SearchDescription,
    accounting: PieceAccounting,
    look: Callable[[], bool],
    *,
    size: int,
) -> None:
    """Search until all is done, `look` says to stop, or the executor is broken.

    The first tasks have ``size`` pieces; later ones take about half a second.
    """
    seen = perf_counter()
    try:
        while not accounting.finished and engine.broken is None:
            window = TUNING.executor_tasks_ahead * engine.workers
            while len(engine) < window and (taken := accounting.take(size)) is not None:
                ticket, first, last = taken
                if not engine.submit(ticket, explore, work, first, last):
                    accounting.give_back(ticket)
                    break
            for heard in engine.collect(TUNING.poll_s if len(engine) else 0.0):
                if heard.error is not None:
                    accounting.give_back(heard.tag)
                    continue
                try:
                    finding, spent = heard.value
                    accounting.note(heard.tag, finding)
                except (TypeError, ValueError) as error:
                    engine.count_as_failed(str(error))
                    accounting.give_back(heard.tag)
                    continue
                wanted = int(
                    TUNING.executor_task_s * (finding.last - finding.first) / max(spent, 1e-6)
                )
                share = -(-(accounting.pieces - accounting.done) // (2 * window))
                size = max(1, min(wanted, 4 * size, share))
            if perf_counter() - seen >= TUNING.poll_s:
                seen = perf_counter()
                if look():
                    break
    finally:
        for ticket in engine.abandon():
            accounting.give_back(ticket)
