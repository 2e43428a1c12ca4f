"""What is said about a work unit while it is explored."""

from __future__ import annotations

import math
import multiprocessing
import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest

import prunus
from prunus import NQueens
from prunus.flowshop.explorer_factory import FlowShopExplorerFactory
from prunus.flowshop.rules import Bound, Branching
from prunus.hardware import clock
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.distributed import worker
from prunus.treesearch.distributed.coordinator_server import CoordinatorServer
from prunus.treesearch.distributed.messages import Message, MessageKind
from prunus.treesearch.distributed.work_unit import WorkUnit
from prunus.treesearch.distributed.worker import explore, say_hello
from prunus.treesearch.distributed.worker_connection import UnitChannel, connect_to
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.interval.packed import Packed, audit
from prunus.treesearch.options import StealingPolicy

SHOP = prunus.read("ta051")  # nobody comes to the end of it
RADIX = tuple(range(50, 0, -1))


class Listening:
    """A server, and what it has received, one by one."""

    def __init__(self) -> None:
        self.news: SimpleQueue[None] = SimpleQueue()
        self.server = CoordinatorServer(lambda: self.news.put(None))
        self.server.listen()
        self.heard: list[Message] = []

    def until(self, true: Callable[[], bool]) -> bool:
        """Wait until something is true, or for a minute in which nothing new is heard."""
        while not true():
            try:
                self.news.get(timeout=60)
            except Empty:
                return False
            self.heard += self.server.received()
        return True

    def kinds(self) -> list[MessageKind]:
        """Return what has been heard of slices."""
        return [message.kind for message in self.heard if message.ticket >= 0]


@pytest.fixture
def office():
    """Return a coordinator that only listens."""
    office = Listening()
    yield office
    office.server.close()


def unit_of(office: Listening, **changes) -> WorkUnit:
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
        address=office.server.address,
    )
    return replace(whole, **changes)


def test_a_unit_comes_back_when_it_is_called(office) -> None:
    """With all that is left; what was found meanwhile had been said before."""
    answers: list = []
    thread = threading.Thread(target=lambda: answers.append(explore(unit_of(office))), daemon=True)
    thread.start()
    assert office.until(lambda: MessageKind.FOUND in office.kinds())
    assert office.kinds()[:2] == [MessageKind.SEARCHING, MessageKind.FOUND]
    assert [ticket for ticket, _ in office.server.search_began()] == [7]
    office.server.call_back(7)
    assert (office.server.called_back, office.server.search_began()) == (1, [])
    thread.join(60)
    (answer,) = answers
    left = audit(answer.left, RADIX)
    assert left + answer.fathomed == leaves(RADIX)
    assert left > 0
    assert answer.worker.online
    found = [message for message in office.heard if message.kind is MessageKind.FOUND]
    assert SHOP.evaluate(found[0].solution) == found[0].value < 4500
    office.server.done(7)
    assert (office.server.called_back, office.server.search_began()) == (0, [])


def test_a_unit_that_is_called_before_it_has_begun_comes_back(office) -> None:
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
            target=lambda: answers.append(explore(unit_of(office))), daemon=True
        )
        thread.start()
        thread.join(60)
    assert len(answers) == 1


def test_a_better_incumbent_arrives_in_a_unit(office) -> None:
    """In the slice it is said to and in no other; a worse one changes nothing."""
    connection = connect_to(office.server.address)
    mine, others = Incumbent(100), Incumbent(100)
    lowered = threading.Event()
    mine.watch(lambda: mine.cutoff == 60 and lowered.set())
    with (
        UnitChannel(connection, 1) as talk,
        UnitChannel(connection, 2) as other,
        talk.attached(mine, lambda: None),
        other.attached(others, lambda: None),
    ):
        assert office.until(lambda: office.kinds().count(MessageKind.SEARCHING) == 2)
        for value in (90, 95, 60):
            office.server.tell(Message(MessageKind.CUTOFF, 1, value))
        assert lowered.wait(60)
    assert (mine.cutoff, others.cutoff) == (60, 100)


def test_one_connection_for_all_units_of_a_process(office) -> None:
    """And none where nobody listens, or to somebody else: a slice goes on without."""
    address = office.server.address
    assert connect_to(address) is connect_to(address) is not None
    office.server.close()
    assert connect_to(None) is None
    assert connect_to(replace(address, secret=b"another")) is None
    shop = prunus.read("ta030")
    factory = FlowShopExplorerFactory(shop, StealingPolicy.POWER, Bound.LB1, Branching.MINBRANCH)
    answer = explore(
        unit_of(
            office,
            factory=pickle.dumps(factory),
            digest="ta030",
            work=Packed.of(Intervals.whole(20)),
            cutoff=2178,
            address=replace(address, local_port=1, secret=b"a third"),
        )
    )
    assert (answer.nodes, answer.worker.online) == (2_415_779, False)


def test_whoever_hangs_up_has_no_slices(office) -> None:
    """A worker that dies is not reckoned with."""
    connection = connect_to(office.server.address)
    with UnitChannel(connection, 3) as talk, talk.attached(Incumbent(), lambda: None):
        assert office.until(lambda: bool(office.server.search_began()))
        connection._connection.shutdown(2)
        assert office.until(lambda: not office.server.search_began())


def test_workers_of_other_machines_reach_the_coordinator() -> None:
    """Once one has introduced itself, by another door; nobody does before."""
    office = Listening()
    before = office.server.address
    assert before.remote_port == 0
    assert say_hello(0, "cpu", replace(before, host="elsewhere")).worker.online is False
    office.server.open_for(before.host)
    assert office.server.address == before
    office.server.open_for("elsewhere")
    after = office.server.address
    assert after.remote_port > 0
    there = replace(after, host="elsewhere", names=("no.such.host.invalid", "127.0.0.1"))
    assert say_hello(0, "cpu", there).worker.online is True
    office.server.close()


def wait_for(path: str, function, *arguments):
    """Compile, as it were, until a file is there; in a worker."""
    search = worker._explore

    def slow(*given):
        with clock.paused():
            until = time.monotonic() + 60
            while not Path(path).exists() and time.monotonic() < until:
                time.sleep(0.01)
        return search(*given)

    worker._explore = slow
    try:
        return function(*arguments)
    finally:
        worker._explore = search


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
