"""The workers of an executor, as far as they have been heard of."""

from __future__ import annotations

import logging
import math
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import prunus
from prunus.errors import DeviceError, OptionError, PrunusError
from prunus.hardware.executor import CallOutcome, ExecutorEngine
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.distributed.device_sharing import WorkerInfo
from prunus.treesearch.distributed.messages import Address
from prunus.treesearch.distributed.result_checks import checked_hello
from prunus.treesearch.distributed.tuning import DistributedTuning
from prunus.treesearch.distributed.work_unit import WorkUnitResult
from prunus.treesearch.distributed.worker import say_hello

if TYPE_CHECKING:
    from prunus.treesearch.distributed.coordinator_server import CoordinatorServer

_log = logging.getLogger(__name__)

UNITS_TO_CONNECT = 2
"""The first work unit of a worker may have been sent before its machine was known."""

KNOWN_VALID_S = 1.0
"""Seconds for which it is believed who has been heard of lately, unless somebody new comes."""


@dataclass
class _Entry:
    """A worker, when it was last heard of, and what it has done."""

    worker: WorkerInfo
    heard: float = 0.0
    units: int = 0
    nodes: int = 0
    search_s: float = 0.0
    devices: tuple[str, ...] = ()
    bad_results: int = 0
    bad_in_a_row: int = 0


class WorkerRegistry:
    """Knows who is there, so that those on one machine can share it, and who is left out.

    The server is where workers connect to, if they can.
    """

    def __init__(
        self,
        server: CoordinatorServer | None,
        tuning: DistributedTuning,
        now: Callable[[], float] = perf_counter,
    ) -> None:
        self._server, self._tuning, self._now = server, tuning, now
        self._entries: dict[str, _Entry] = {}
        self._lately: tuple[WorkerInfo, ...] = ()
        self._lately_until = -math.inf
        self._packed = b""
        self._told_of_offline = False

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def address(self) -> Address | None:
        """Where workers reach the coordinator; None if nowhere."""
        return None if self._server is None else self._server.address

    def greet_all(self, engine: ExecutorEngine, devices: str, monitor: AnyMonitor) -> None:
        """Wait for the first worker, and a little for others.

        Raises ``DeviceError`` if no worker can take part; ``InputError`` if the workers have
        another version of prunus.
        """
        until = math.inf
        while not len(self) or (len(engine) and self._now() < until):
            if not len(engine):
                for number in range(engine.workers):
                    engine.submit(None, say_hello, number, devices, self.address)
            refused = [heard for heard in engine.collect(0.1) if not self.register(heard, engine)]
            if not len(self):
                _give_up(engine, refused[-1].error if refused else None)
            elif until == math.inf:
                until = self._now() + self._tuning.hello_wait_s
            if monitor.poll("waiting for workers"):
                break

    def register(self, heard: CallOutcome, engine: ExecutorEngine) -> bool:
        """Note a worker that has said who it is; return whether it has.

        Raises ``InputError`` if it has another version of prunus.
        """
        if heard.error is not None:
            return False
        try:
            hello = checked_hello(heard.value)
        except ValueError as error:
            engine.count_as_failed(str(error))
            return False
        if hello.version != prunus.__version__:
            raise OptionError(
                "executor",
                f"its workers have prunus {hello.version}, this is {prunus.__version__}; "
                "install the same version there",
            )
        self._entry(hello.worker)
        return True

    def note(self, result: WorkUnitResult) -> None:
        entry = self._entry(result.worker)
        entry.units += 1
        entry.nodes += result.nodes
        entry.search_s += result.search_s
        entry.devices = result.devices
        entry.bad_in_a_row = 0
        if entry.units == UNITS_TO_CONNECT and not result.worker.online:
            self._tell_of_offline(result.worker)

    def _tell_of_offline(self, worker: WorkerInfo) -> None:
        """Say once that a worker does not reach the coordinator though it could know where."""
        address = self.address
        if address is not None and not self._told_of_offline:
            self._told_of_offline = True
            port = address.remote_port if worker.host != address.host else address.local_port
            _log.warning(
                "worker %s cannot reach the coordinator on TCP port %d (a firewall, another "
                "network, or no pyzmq there); the search continues, but such workers learn of "
                "better solutions and are recalled only between work units, which are shorter",
                worker.label,
                port,
            )

    def note_bad(self, worker: WorkerInfo | None) -> None:
        """Note a result that made no sense; the only worker there is needs not be named."""
        if worker is None and len(self._entries) == 1:
            (entry,) = self._entries.values()
        elif worker is not None:
            entry = self._entry(worker)
        else:
            return
        entry.bad_results += 1
        entry.bad_in_a_row += 1

    def is_left_out(self, worker: WorkerInfo) -> bool:
        """Return whether the results of a worker no longer count: too many made no sense.

        The last one that is not left out never is.
        """
        entry = self._entries.get(worker.label)
        if entry is None or entry.bad_results < self._tuning.bad_results:
            return False
        return any(
            other.bad_results < self._tuning.bad_results
            for label, other in self._entries.items()
            if label != worker.label
        )

    @property
    def all_bad(self) -> bool:
        """Whether the last few results of every worker made no sense."""
        limit = self._tuning.bad_results
        return bool(self._entries) and all(
            entry.bad_in_a_row >= limit for entry in self._entries.values()
        )

    def _entry(self, worker: WorkerInfo) -> _Entry:
        entry = self._entries.get(worker.label)
        if entry is None or entry.worker != worker:
            self._lately_until = -math.inf
            entry = self._entries.setdefault(worker.label, _Entry(worker))
            entry.worker = worker
            if self._server is not None:
                self._server.open_for(worker.host)
        entry.heard = self._now()
        return entry

    @property
    def known(self) -> tuple[WorkerInfo, ...]:
        """Those that have been heard of lately."""
        now = self._now()
        if now >= self._lately_until:
            since = now - self._tuning.forget_worker_s
            entries = self._entries.values()
            self._lately = tuple(entry.worker for entry in entries if entry.heard > since)
            self._packed = pickle.dumps(self._lately)
            self._lately_until = now + KNOWN_VALID_S
        return self._lately

    @property
    def known_packed(self) -> bytes:
        """The same, pickled once for all work units that tell of them."""
        _ = self.known
        return self._packed

    @property
    def online(self) -> bool:
        """Whether everybody who has been heard of lately is connected to the coordinator."""
        return bool(self._entries) and all(worker.online for worker in self.known)

    @property
    def gpus(self) -> bool:
        return any(entry.worker.gpus for entry in self._entries.values())

    def statistics(self) -> list[dict[str, Any]]:
        return [
            {
                "name": name,
                "devices": list(entry.devices),
                "online": entry.worker.online,
                "work_units": entry.units,
                "nodes": entry.nodes,
                "search_time": entry.search_s,
            }
            for name, entry in self._entries.items()
        ]


def _give_up(engine: ExecutorEngine, error: BaseException | None) -> None:
    """Raise if the workers cannot do what is asked, or do not answer."""
    if isinstance(error, PrunusError):
        raise error
    if engine.broken is not None:
        raise DeviceError(
            f"executor: no worker can search; {engine.broken} (workers need prunus, and "
            'a script that starts processes needs: if __name__ == "__main__")'
        )
