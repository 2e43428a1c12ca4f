"""How a coordinator gets to know its workers: each says who it is; who does not fit is refused."""

from __future__ import annotations

import math
from time import perf_counter

import prunus
from prunus.errors import DeviceError, OptionError, PrunusError
from prunus.hardware.executor import CallOutcome, ExecutorEngine
from prunus.treesearch.distributed.crowd import Crowd
from prunus.treesearch.distributed.hub import Hub
from prunus.treesearch.distributed.slice import introduce
from prunus.treesearch.model import SearchMonitor

__all__ = ["greet", "welcome"]


GRACE = 0.5
"""Seconds for which the others are waited for once a worker is there: they share machines."""


def greet(
    engine: ExecutorEngine, devices: str, crowd: Crowd, hub: Hub, monitor: SearchMonitor
) -> None:
    """Wait for the first worker, and a little for others; processes are forked in this thread.

    Raises
    ------
    DeviceError
        If no worker can take part.
    InputError
        If the workers have another version of prunus.
    """
    until = math.inf
    while not len(crowd) or (len(engine) and perf_counter() < until):
        if not len(engine):
            for number in range(engine.workers):
                engine.submit(None, introduce, number, devices, hub.address)
            hub.listen()
        refused = [heard for heard in engine.collect(0.1) if not welcome(heard, crowd, hub)]
        if not len(crowd):
            _refuse(engine, refused[-1].error if refused else None)
        elif until == math.inf:
            until = perf_counter() + GRACE
        if monitor.poll("waiting for workers"):
            break


def welcome(heard: CallOutcome, crowd: Crowd, hub: Hub) -> bool:
    """Note a worker that has said who it is; return whether it has."""
    if heard.error is not None:
        return False
    if heard.value.version != prunus.__version__:
        raise OptionError(
            "executor",
            f"its workers have prunus {heard.value.version}, this is "
            f"{prunus.__version__}; install the same version there",
        )
    hub.open_for(heard.value.worker.host)
    crowd.note(heard.value.worker)
    return True


def _refuse(engine: ExecutorEngine, error: BaseException | None) -> None:
    """Give up if the workers cannot do what is asked, or do not answer."""
    if isinstance(error, PrunusError):
        raise error
    if engine.broken is not None:
        raise DeviceError(
            f"executor: no worker can search; {engine.broken} (workers need prunus, and "
            "processes that are spawned need a script that does nothing when it is imported)"
        )
