"""Tests of messages need pyzmq, which is an extra."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from prunus.treesearch.distributed import tuning

if TYPE_CHECKING:
    from tests.treesearch.distributed.listener import Listener

NEED_MESSAGES = ["test_coordinator_server.py", "test_relay.py", "test_what_listens.py"]

collect_ignore = [] if find_spec("zmq") else [*NEED_MESSAGES, "test_worker_connection.py"]


@pytest.fixture
def listener() -> Iterator[Listener]:
    """Give a coordinator that only listens."""
    from tests.treesearch.distributed.listener import a_listener

    with a_listener() as listener:
        yield listener


@pytest.fixture
def tune(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return what has coordinators use other times and ratios."""

    def replaced(**values: Any) -> None:
        monkeypatch.setattr(tuning, "DEFAULT_TUNING", replace(tuning.DEFAULT_TUNING, **values))

    return replaced
