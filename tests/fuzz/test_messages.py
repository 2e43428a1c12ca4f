"""What peers, relays and broken workers send: heard as it was said, or not at all."""

from __future__ import annotations

import dataclasses
import random
import socket
import threading
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus.treesearch.distributed import tuning, worker, worker_connection
from prunus.treesearch.distributed.messages import Message, MessageKind
from prunus.treesearch.distributed.result_checks import checked_hello, checked_result
from prunus.treesearch.distributed.work_unit import Hello, WorkUnitResult
from prunus.treesearch.distributed.worker_connection import WorkerConnection
from tests.fuzz.fuzzing import CASES, outcome
from tests.treesearch.distributed.listener import a_listener
from tests.treesearch.distributed.relay import Relay

NUMBERS = st.integers(-(2**63), 2**63 - 1)
messages = st.builds(
    Message,
    st.sampled_from(MessageKind),
    NUMBERS,
    NUMBERS,
    st.none() | st.lists(NUMBERS, min_size=1, max_size=5).map(lambda n: np.array(n, np.int64)),
)


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=100) | st.just(b"GET / HTTP/1.1\r\n\r\n"), max_size=3))
def test_strangers_say_what_they_like(noise: list[bytes]) -> None:
    """A coordinator notes none of it, and hears the worker that comes after."""
    CASES["strangers"] += 1
    with a_listener() as listener:
        for part in noise:
            place = ("127.0.0.1", listener.server.address.local_port)
            with socket.create_connection(place) as stranger:
                stranger.sendall(part)
        line = WorkerConnection(listener.server.address)
        line.send(Message(MessageKind.SEARCHING, 7))
        assert listener.until(lambda: bool(listener.received))
        line.close()
    assert [(heard.kind, heard.ticket) for heard in listener.received] == [
        (MessageKind.SEARCHING, 7)
    ]


@settings(max_examples=25)
@given(st.lists(messages, max_size=4), st.integers(0, 2**32), st.booleans())
def test_nothing_is_heard_that_was_not_said(said: list[Message], seed: int, early: bool) -> None:
    """However a conversation or its greeting is damaged: what is heard was said, in that order."""
    CASES["conversations"] += 1
    on, chance = threading.Event(), random.Random(seed)

    def change(data: bytes, from_worker: bool) -> list[bytes]:
        pieces = [data[: len(data) // 2], data[len(data) // 2 :]]
        if on.is_set() and chance.random() < 0.3:
            piece = bytearray(data)
            piece[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            pieces = chance.choice([[bytes(piece)], [data, data], pieces[::-1], pieces[:1], []])
        return pieces

    with a_listener() as listener, pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_connection, "CONNECT_S", 0.1 if early else 60.0)
        relay = Relay(listener.server.address.local_port, change)
        if early:
            on.set()
        try:
            line = WorkerConnection(replace(listener.server.address, local_port=relay.port))
            on.set()
            for message in said:
                line.send(message)
            line.send(Message(MessageKind.SEARCHING, 1))
            line.close()
        except OSError:
            pass
        finally:
            relay.close()
    left = iter([*said, Message(MessageKind.SEARCHING, 1)])
    for heard in listener.units.received(()):
        assert any(heard.pack() == one.pack() for one in left)  # of those after the last one


ODD: list[Any] = [
    *(None, -1, 1.5, float("nan"), "x", b"", (), [], {}, True, 2**70, object()),
    *(np.int64(3), np.zeros(3), np.zeros((2, 2), np.int64), np.array([0, 0, 1]), np.array(None)),
]


class Broken(Executor):
    """Runs each call at once, and breaks the answers of one worker in two as it likes."""

    _max_workers = 2

    def __init__(self, seed: int) -> None:
        self.rng, self.broken = random.Random(seed), 0

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Answer, at times with something else."""
        future: Future[Any] = Future()
        answer = function(*args, **kwargs)
        if self.rng.random() < 0.4:
            self.broken += 1
            answer = self.other(answer)
        future.set_result(answer)
        return future

    def other(self, answer: Any) -> Any:
        """Return an answer that makes no sense, or claims what is not so."""
        rng = self.rng
        if rng.random() < 0.2 or not isinstance(answer, WorkUnitResult | Hello):
            return rng.choice(ODD)
        fields = {field.name for field in dataclasses.fields(answer)} - {"nodes", "leaves"}
        changes: dict[str, Any] = {rng.choice(sorted(fields)): rng.choice(ODD)}
        if "found" in fields and rng.random() < 0.6:
            first = np.random.default_rng(rng.getrandbits(32)).permutation(7)
            changes = rng.choice(
                [
                    {"found": (rng.choice([0, 1, 300]), first)},
                    {"found": (1, rng.choice(ODD))},
                    {"fathomed": rng.choice([0, 1, 5040, 2**64])},
                    {"cutoff": rng.choice([0, 1, -5])},
                    {"intervals": rng.choice([answer.intervals[:1], answer.intervals[:0]])},
                ]
            )
            if changes.get("fathomed") == answer.fathomed or (
                "intervals" in changes and len(answer.intervals) < 2
            ):
                return None
        return dataclasses.replace(answer, **changes)


SHOP = prunus.FlowShop(np.random.default_rng(5).integers(1, 60, (7, 4)))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have coordinators neither wait for connections nor rest after a failure."""
    quick = dataclasses.replace(tuning.DEFAULT_TUNING, failure_pause_s=0.0)
    monkeypatch.setattr(tuning, "DEFAULT_TUNING", quick)
    monkeypatch.setattr(worker, "connect_to", lambda address: None)


@pytest.fixture(scope="session")
def optimum() -> int:
    """Return that of the shop, found on this machine."""
    return prunus.solve(SHOP, devices="cpu:1").objective


@pytest.mark.usefixtures("at_once")
@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_broken_answers_change_no_answer(optimum: int, seed: int) -> None:
    """Proofs and counts are right, or the search stops and says why, or raises a sentence."""
    executor = Broken(seed)
    for problem, options, truth in (
        (SHOP, {"first_incumbent": "none"}, optimum),
        (prunus.NQueens(7), {"symmetry": "none"}, 40),
    ):
        result = outcome(
            "answers of broken workers",
            lambda problem=problem, options=options: prunus.solve(
                problem, executor=executor, devices="cpu:1", **options
            ),
        )
        if result is not None and result.status == "optimal":
            assert result.objective == truth
            assert result.explored == 1.0


@settings(max_examples=100)
@given(st.recursive(st.sampled_from(ODD), lambda part: st.lists(part) | st.tuples(part, part)))
def test_what_is_no_result_and_no_hello_is_told(folder: Path, value: Any) -> None:
    """Nothing but a ValueError comes of what a worker may have sent."""
    CASES["values for results"] += 1
    for check in (checked_result, checked_hello):
        with pytest.raises(ValueError, match="a worker returned"):
            check(value)
