"""The two ends of messages, where ZeroMQ is installed; a search goes on without them as well."""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING

from prunus.treesearch.distributed.messages import Address
from prunus.treesearch.distributed.online_units import OnlineUnits

if TYPE_CHECKING:
    from prunus.treesearch.distributed.coordinator_server import CoordinatorServer
    from prunus.treesearch.distributed.worker_connection import WorkerConnection

_log = logging.getLogger(__name__)


@cache
def _has_messages() -> bool:
    """Return whether ZeroMQ is there, with encryption."""
    try:
        import zmq
    except ImportError:
        return False
    return bool(zmq.has("curve"))


@cache
def _tell_without() -> None:
    _log.warning(
        "without pyzmq (pip install 'prunus[executor]') workers learn of better solutions and "
        "are recalled only between work units, which are shorter; the search takes longer"
    )


def open_server(units: OnlineUnits) -> CoordinatorServer | None:
    """Return a new server for workers; None if there can be none here, which is told once."""
    if not _has_messages():
        _tell_without()
        return None
    import zmq

    from prunus.treesearch.distributed.coordinator_server import CoordinatorServer

    try:
        return CoordinatorServer(units)
    except (OSError, RuntimeError, zmq.ZMQError) as error:  # no file, no thread, no port
        _log.warning("searching without messages between workers: %s", error)
        return None


def connect_to(address: Address | None) -> WorkerConnection | None:
    """Return this process's connection to a coordinator; None if it cannot be reached."""
    if address is None or not _has_messages():
        return None
    from prunus.treesearch.distributed import worker_connection

    return worker_connection.connect_to(address)
