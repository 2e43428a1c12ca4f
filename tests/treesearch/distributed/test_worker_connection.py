"""What is said about a work unit while it is explored."""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import socket
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest

import prunus
from prunus import NQueens
from prunus.flowshop.explorer_factory import FlowShopExplorerFactory
from prunus.flowshop.rules import Bound, Branching
from prunus.hardware import clock
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.distributed import worker, worker_connection
from prunus.treesearch.distributed.messages import Message, MessageKind
from prunus.treesearch.distributed.messaging import connect_to
from prunus.treesearch.distributed.unit_channel import UnitChannel
from prunus.treesearch.distributed.work_unit import WorkUnit
from prunus.treesearch.distributed.worker import explore, say_hello
from prunus.treesearch.distributed.worker_connection import WorkerConnection
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.interval.packed import Packed, audit
from prunus.treesearch.options import StealingPolicy
from tests.treesearch.distributed.listener import Listener, a_listener

SHOP = prunus.read("ta051")  # nobody comes to the end of it
RADIX = tuple(range(50, 0, -1))


def unit_of(listener: Listener, **changes) -> WorkUnit:
    """Return a unit that takes ever so long, unless something is said."""
    factory = FlowShopExplorerFactory(SHOP, StealingPolicy.POWER, Bound.LB1, Branching.MINBRANCH)
    whole = WorkUnit(
        ticket=7,
        copy=0,
        factory=pickle.dumps(factory),
        digest="ta051",
        devices="cpu:1",
        workers=pickle.dumps(()),
        work=Packed.of(Intervals.whole(50)),
        cutoff=4500,
        bound=None,
        seconds=1e6,
        address=listener.server.address,
    )
    return replace(whole, **changes)


def test_a_unit_comes_back_when_it_is_called(listener) -> None:
    """With all that is left; what was found meanwhile had been said before."""
    answers: list = []
    thread = threading.Thread(
        target=lambda: answers.append(explore(unit_of(listener))), daemon=True
    )
    thread.start()
    assert listener.until(lambda: MessageKind.FOUND in listener.kinds())
    assert listener.kinds()[1:3] == [MessageKind.SEARCHING, MessageKind.FOUND]
    assert [ticket for ticket, _ in listener.units.search_began()] == [7]
    listener.units.call_back(7)
    assert (listener.units.called_back, listener.units.search_began()) == (1, [])
    thread.join(60)
    (answer,) = answers
    left = audit(answer.left, RADIX)
    assert left + answer.fathomed == leaves(RADIX)
    assert left > 0
    assert answer.worker.online
    found = [message for message in listener.received if message.kind is MessageKind.FOUND]
    assert SHOP.evaluate(found[0].solution) == found[0].value < 4500
    listener.units.done(7)
    assert (listener.units.called_back, listener.units.search_began()) == (0, [])


def test_a_unit_that_is_called_before_it_has_begun_comes_back(listener) -> None:
    """It does not matter when it hears of it."""

    class Early(UnitChannel):
        def __enter__(self):
            super().__enter__()
            self.receive(Message(MessageKind.RETURN, 7))
            return self

    answers: list = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "UnitChannel", Early)
        thread = threading.Thread(
            target=lambda: answers.append(explore(unit_of(listener))), daemon=True
        )
        thread.start()
        thread.join(60)
    assert len(answers) == 1


def test_a_better_incumbent_arrives_in_a_unit(listener) -> None:
    """In the slice it is said to and in no other; a worse one changes nothing."""
    connection = connect_to(listener.server.address)
    mine, others = Incumbent(100), Incumbent(100)
    lowered = threading.Event()
    mine.watch(lambda: mine.cutoff == 60 and lowered.set())
    with (
        UnitChannel(connection, 1) as talk,
        UnitChannel(connection, 2) as other,
        talk.attached(mine, lambda: None),
        other.attached(others, lambda: None),
    ):
        assert listener.until(lambda: listener.kinds().count(MessageKind.SEARCHING) == 2)
        for value in (90, 95, 60):
            listener.units.tell_cutoff(1, value)
        assert lowered.wait(60)
    assert (mine.cutoff, others.cutoff) == (60, 100)


def test_one_connection_for_all_units_of_a_process(listener) -> None:
    """And none where nobody listens, or to somebody else: a slice goes on without."""
    address = listener.server.address
    line = connect_to(address)
    assert connect_to(address) is line is not None
    listener.server.close()
    line._loop._thread.join(60)
    assert connect_to(None) is None
    shop = prunus.read("ta030")
    factory = FlowShopExplorerFactory(shop, StealingPolicy.POWER, Bound.LB1, Branching.MINBRANCH)
    answer = explore(
        unit_of(
            listener,
            factory=pickle.dumps(factory),
            digest="ta030",
            work=Packed.of(Intervals.whole(20)),
            cutoff=2178,
            address=address,
        )
    )
    assert (answer.nodes, answer.worker.online) == (2_415_779, False)


def test_whoever_hangs_up_has_no_slices(listener) -> None:
    """A worker that dies is not reckoned with."""
    connection = connect_to(listener.server.address)
    with UnitChannel(connection, 3) as talk, talk.attached(Incumbent(), lambda: None):
        assert listener.until(lambda: bool(listener.units.search_began()))
        connection.close()
        listener.units.call_back(3)
        for _ in range(6000):  # what is sent before the server knows of it is lost without a word
            listener.units.tell_cutoff(3, 1)
            listener.units.received(())
            if not listener.units.called_back:
                break
            sleep(0.01)
        assert not listener.units.called_back
    assert listener.units.search_began() == []


def test_workers_of_other_machines_reach_the_coordinator(listener) -> None:
    """Once one has introduced itself, by another door; nobody does before."""
    before = listener.server.address
    assert before.remote_port == 0
    assert say_hello(0, "cpu", replace(before, host="elsewhere")).worker.online is False
    listener.server.open_for(before.host)
    assert listener.server.address == before
    listener.server.open_for("elsewhere")
    after = listener.server.address
    assert after.remote_port > 0
    there = replace(after, host="elsewhere", names=("127.0.0.9", "127.0.0.1"))
    assert say_hello(0, "cpu", there).worker.online is True


def test_a_name_that_means_nothing_here_does_no_harm(listener, monkeypatch) -> None:
    """Nor does one that stands for another machine: addresses are tried, then the name, and a
    worker that reaches nobody goes on without.
    """
    listener.server.open_for("elsewhere")
    monkeypatch.setattr(worker_connection, "CONNECT_S", 0.5)
    there = replace(listener.server.address, host="no.such.host.invalid")
    for names, reached in (((), False), (("192.0.2.1",), False), (("127.0.0.1",), True)):
        try:
            WorkerConnection(replace(there, names=names)).close()
        except OSError:
            assert not reached
        else:
            assert reached
    monkeypatch.setattr(worker_connection, "_addresses", lambda host: ["127.0.0.1"])
    WorkerConnection(replace(there, names=("192.0.2.1",))).close()


def test_a_worker_that_was_cut_off_connects_again(listener) -> None:
    """With its next unit; one that has waited in vain does not wait again."""
    address = listener.server.address
    first = connect_to(address)
    first.close()
    second = connect_to(address)
    assert second.open
    assert second is not first
    second.close()


def test_who_does_not_answer_is_not_waited_for_twice(monkeypatch) -> None:
    """A firewall that lets nothing in says nothing: the wait is once for all units of a search."""
    monkeypatch.setattr(worker_connection, "CONNECT_S", 0.05)
    tries = []
    dial = worker_connection._dial
    monkeypatch.setattr(
        worker_connection, "_dial", lambda *given: tries.append(given) or dial(*given)
    )
    with socket.create_server(("127.0.0.1", 0)) as mute, a_listener() as listener:
        address = replace(listener.server.address, local_port=mute.getsockname()[1])
        assert connect_to(address) is connect_to(address) is None
        assert len(tries) == 1
        more = replace(address, remote_port=1, names=("127.0.0.1",))
        assert connect_to(more) is None
    assert len(tries) > 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_process_has_no_connection(listener) -> None:
    """It neither speaks over that of its parent nor closes it, and makes its own."""
    mine = connect_to(listener.server.address)
    mine.send(Message(MessageKind.RECEIVED, 1))
    child = multiprocessing.get_context("fork").Process(
        target=speak_as_a_child, args=(mine, listener.server.address)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a fork beside threads: on purpose
        child.start()
    child.join(60)
    assert child.exitcode == 0
    mine.send(Message(MessageKind.SEARCHING, 1))
    assert listener.until(lambda: len(listener.kinds()) == 3)
    assert {(m.kind, m.ticket) for m in listener.received if m.ticket >= 0} == {
        (MessageKind.RECEIVED, 1),
        (MessageKind.SEARCHING, 1),
        (MessageKind.RECEIVED, 3),
    }
    mine.close()


def speak_as_a_child(parents, address) -> None:
    """Say something over a connection of the parent's, and over one's own."""
    parents.send(Message(MessageKind.RECEIVED, 2))
    parents.close()
    mine = connect_to(address)
    assert mine is not parents
    mine.send(Message(MessageKind.RECEIVED, 3))
    mine.close()


def wait_for(path: str, function, *arguments):
    """Compile, as it were, until a file is there; in a worker."""
    search = worker._search

    def slow(*given):
        with clock.paused():
            until = time.monotonic() + 60
            while not Path(path).exists() and time.monotonic() < until:
                time.sleep(0.01)
        return search(*given)

    worker._search = slow
    try:
        return function(*arguments)
    finally:
        worker._search = search


def test_limits_wait_for_workers_that_compile(tmp_path) -> None:
    """As long as nobody else searches, the coordinator's clock stands with that of a worker."""
    path, stood = tmp_path / "compiled", []

    class Slow(ProcessPoolExecutor):
        def submit(self, function, /, *args, **kwargs):
            if function is not explore:
                return super().submit(function, *args, **kwargs)
            return super().submit(wait_for, str(path), function, *args)

    def look(progress) -> bool:
        if clock.paused_since() is not None:
            stood.append(True)
            path.touch()
        return False

    with Slow(1, multiprocessing.get_context("spawn")) as executor:
        result = prunus.solve(NQueens(10), executor=executor, stop=look, devices="cpu:1")
    assert stood
    assert result.objective == 724
    assert clock.paused_since() is None
    assert result.statistics["compile_time"] > 0
    assert math.isclose(result.explored, 1.0)
