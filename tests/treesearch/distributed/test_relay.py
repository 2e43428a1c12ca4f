"""Whoever sits between a worker and its coordinator learns and changes nothing."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import prunus
from prunus import FlowShop, Status
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.distributed import coordinator
from prunus.treesearch.distributed.messages import Message, MessageKind
from prunus.treesearch.distributed.unit_channel import UnitChannel
from prunus.treesearch.distributed.worker_connection import WorkerConnection
from tests.reading import read
from tests.treesearch.distributed.listener import Listener
from tests.treesearch.distributed.relay import Relay

SOLUTION = np.array([2**61 + 7, 31, 41, 59, 26, 53], np.int64)


def flipped(data: bytes, bit: int) -> bytes:
    """Return bytes of which one bit is another."""
    place = bit // 8
    return data[:place] + bytes([data[place] ^ 1 << bit % 8]) + data[place + 1 :]


class Attack:
    """Passes everything on until it is told to begin, and then something else."""

    def __init__(self, kind: str) -> None:
        self.kind, self.on, self.last = kind, threading.Event(), b""
        self.random = random.Random(1)

    def __call__(self, data: bytes, from_worker: bool) -> list[bytes]:
        before, self.last = self.last, data
        if not self.on.is_set():
            return [data]
        return {
            "flip": [flipped(data, self.random.randrange(8 * len(data)))],
            "flip the end": [flipped(data, 8 * len(data) - 1)],
            "repeat": [data, data],
            "replay": [before, data],
            "insert": [b"\x00\x07" + bytes(7), data],
            "leave out": [],
        }[self.kind]


def test_a_relay_reads_nothing(listener: Listener) -> None:
    """What is found is heard, and neither it nor a key of the search is on the wire."""
    relay = Relay(listener.server.address.local_port, lambda data, from_worker: [data])
    address = listener.server.address
    try:
        line = WorkerConnection(replace(address, local_port=relay.port))
        line.send(Message(MessageKind.FOUND, 7, 1139, SOLUTION))
        assert listener.until(lambda: MessageKind.FOUND in listener.kinds())
        assert listener.received[-1].solution.tolist() == SOLUTION.tolist()
        line.close()
    finally:
        relay.close()
    assert len(relay.wire) > 500
    for secret in (
        SOLUTION[:1].tobytes(),
        SOLUTION[2:4].tobytes(),
        address.worker_secret_key,
        address.worker_key,
        address.coordinator_key,
    ):
        assert secret not in relay.wire


@pytest.mark.parametrize(
    "kind", ["flip", "flip the end", "repeat", "replay", "insert", "leave out"]
)
def test_a_relay_can_say_nothing(listener: Listener, kind: str) -> None:
    """What is heard was said, in that order: it can only be silent, or end the connection."""
    attack = Attack(kind)
    relay = Relay(listener.server.address.local_port, attack)
    try:
        line = WorkerConnection(replace(listener.server.address, local_port=relay.port))
        mine = Incumbent(2000)
        with UnitChannel(line, 7) as channel, channel.attached(mine, lambda: None):
            assert listener.until(lambda: MessageKind.SEARCHING in listener.kinds())
            attack.on.set()
            for cutoff in (1500, 1400, 1300):
                listener.units.tell_cutoff(7, cutoff)
                channel.send(MessageKind.FOUND, cutoff, SOLUTION)
            if kind in ("flip the end", "repeat", "insert"):
                assert listener.until(lambda: ended(listener, line))
        line.close()
    finally:
        relay.close()
    listener.received += listener.units.received({7})
    found = [message.value for message in listener.received if message.kind is MessageKind.FOUND]
    assert found == sorted(set(found) & {1500, 1400, 1300}, reverse=True)
    assert mine.cutoff in (2000, 1500, 1400, 1300)
    assert all(message.ticket in (7, -1) for message in listener.received)


def ended(listener: Listener, line: WorkerConnection) -> bool:
    """Return whether a worker's connection has ended."""
    listener.arrived.put(None)  # look again
    return not line.open


@pytest.mark.parametrize("kind", ["flip", "insert"])
def test_a_search_behind_a_relay_is_right(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Which forges as much as it can: the optimum is that of one machine, with its proof."""
    attack, relays = Attack(kind), []

    def opened(units):
        server = listen(units)
        relays.append(Relay(server.address.local_port, attack))
        server.address = replace(server.address, local_port=relays[-1].port)
        return server

    def begin(progress) -> bool:
        attack.on.set()
        return False

    listen = coordinator.open_server
    monkeypatch.setattr(coordinator, "open_server", opened)
    shop = FlowShop(read("ta001").processing_times[:9])
    best = prunus.solve(shop, devices="cpu:1")
    try:
        with ThreadPoolExecutor(2) as threads:
            result = prunus.solve(
                shop, executor=threads, first_incumbent="none", devices="cpu:1", stop=begin
            )
    finally:
        for relay in relays:
            relay.close()
    assert len(relays) == 1
    assert (result.status, result.objective) == (Status.OPTIMAL, best.objective)
    assert result.explored == 1.0
