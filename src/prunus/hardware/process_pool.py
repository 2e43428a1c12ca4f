"""Process pools that come to their end although some of their processes were killed.

A process that waits for a call holds the lock under which all of them read calls. If it is killed,
Python's pool ends the others, but not where it has just been told to shut down: then it waits for
them for ever, and so does the program when it ends.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from time import sleep
from typing import Any

_GLANCES, _GLANCE_S = 100, 0.01
"""So often, and with so long in between, the exit code of a process that has ended is looked for,
which another thread may be reading. Where SIGCHLD is ignored nobody learns it."""

_PATIENCE_S = 5.0
"""How long a pool whose processes have all been killed may take to end."""


def kill_if_broken(executor: Executor | None) -> None:
    """Kill what is left of a process pool that is broken.

    Python does so, but misses a process that was just being started.
    """
    if getattr(executor, "_broken", False):
        _kill(_processes(executor))


def shut_down(executor: Executor) -> None:
    """Shut an executor down without waiting for it; nobody wants the answers of what still runs."""
    processes = _processes(executor)
    manager = getattr(executor, "_executor_manager_thread", None)
    pipes = [
        getattr(getattr(executor, queue, None), end, None)
        for queue, end in (("_call_queue", "_reader"), ("_result_queue", "_writer"))
    ]
    kill_if_broken(executor)
    executor.shutdown(wait=False)
    if processes:
        arguments = processes, manager, pipes
        threading.Thread(target=_see_off, args=arguments, daemon=True).start()


def _see_off(processes: list[BaseProcess], manager: threading.Thread, pipes: list[Any]) -> None:
    """Wait until all processes have ended; once one has been killed, kill the others.

    Then nobody reads what is being sent to them, or finishes what they were sending: if the pool's
    thread waits for that, the ends of the pipes that this process has, too, are closed.
    """
    with suppress(Exception):  # the program is ending
        if not all(map(_has_returned, _in_order_of_their_ends(processes))):
            _kill(processes)
            manager.join(_PATIENCE_S)
            for pipe in pipes if manager.is_alive() else ():
                pipe.close()


def _in_order_of_their_ends(processes: list[BaseProcess]) -> Iterator[BaseProcess]:
    left = list(processes)
    while left:
        ended = wait([process.sentinel for process in left])
        yield from (process for process in left if process.sentinel in ended)
        left = [process for process in left if process.sentinel not in ended]


def _has_returned(process: BaseProcess) -> bool:
    """Tell whether a process that has ended was not killed."""
    for _ in range(_GLANCES):
        if process.exitcode is not None:
            break
        sleep(_GLANCE_S)
    return process.exitcode == 0


def _processes(executor: Executor | None) -> list[BaseProcess]:
    if not isinstance(executor, ProcessPoolExecutor):
        return []
    return list((getattr(executor, "_processes", None) or {}).values())


def _kill(processes: list[BaseProcess]) -> None:
    for process in processes:
        with suppress(Exception):  # it has ended
            process.kill()
