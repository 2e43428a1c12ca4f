"""What is said about a slice while it is explored."""

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
from prunus.treesearch.distributed import slice as slices
from prunus.treesearch.distributed.hub import Hub
from prunus.treesearch.distributed.line import Talk, line_to
from prunus.treesearch.distributed.slice import Slice, explore, introduce
from prunus.treesearch.distributed.wire import Kind, Message
from prunus.treesearch.interval.interval import Intervals, leaves
from prunus.treesearch.interval.packed import Packed, audit
from prunus.treesearch.options import StealingPolicy

SHOP = prunus.read("ta051")  # nobody comes to the end of it
RADIX = tuple(range(50, 0, -1))


class Listening:
    """A hub, and what it has heard, one by one."""

    def __init__(self) -> None:
        self.news: SimpleQueue[None] = SimpleQueue()
        self.hub = Hub(lambda: self.news.put(None))
        self.hub.listen()
        self.heard: list[Message] = []

    def until(self, true: Callable[[], bool]) -> bool:
        """Wait until something is true, or for a minute in which nothing new is heard."""
        while not true():
            try:
                self.news.get(timeout=60)
            except Empty:
                return False
            self.heard += self.hub.heard()
        return True

    def kinds(self) -> list[Kind]:
        """Return what has been heard of slices."""
        return [message.kind for message in self.heard if message.ticket >= 0]


@pytest.fixture
def office():
    """Return a coordinator that only listens."""
    office = Listening()
    yield office
    office.hub.close()


def slice_of(office: Listening, **changes) -> Slice:
    """Return a slice that takes ever so long, unless something is said."""
    factory = FlowShopExplorerFactory(SHOP, StealingPolicy.POWER, Bound.LB1, Branching.MINBRANCH)
    whole = Slice(
        ticket=7,
        copy=0,
        factory=pickle.dumps(factory),
        digest="ta051",
        devices="cpu:1",
        workers=(),
        intervals=Packed.of(Intervals.whole(50)),
        cutoff=4500,
        seconds=1e6,
        address=office.hub.address,
    )
    return replace(whole, **changes)


def test_a_slice_comes_back_when_it_is_called(office) -> None:
    """With all that is left; what was found meanwhile had been said before."""
    answers: list = []
    thread = threading.Thread(target=lambda: answers.append(explore(slice_of(office))), daemon=True)
    thread.start()
    assert office.until(lambda: Kind.FOUND in office.kinds())
    assert office.kinds()[:2] == [Kind.HAVE, Kind.SEARCH]
    assert office.hub.began(7) is not None
    office.hub.recall(7)
    assert office.hub.is_recalled(7)
    thread.join(60)
    (answer,) = answers
    left = audit(answer.intervals, RADIX)
    assert left + answer.passed == leaves(RADIX)
    assert left > 0
    assert answer.worker.online
    found = [message for message in office.heard if message.kind is Kind.FOUND]
    assert SHOP.evaluate(found[0].solution) == found[0].value < 4500
    office.hub.done(7)
    assert office.hub.began(7) is None
    assert not office.hub.is_recalled(7)


def test_a_slice_that_is_called_before_it_has_begun_comes_back(office) -> None:
    """It does not matter when it hears of it."""

    class Early(Talk):
        def __enter__(self):
            super().__enter__()
            self.hear(Message(Kind.RETURN, 7))
            return self

    answers: list = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slices, "Talk", Early)
        thread = threading.Thread(
            target=lambda: answers.append(explore(slice_of(office))), daemon=True
        )
        thread.start()
        thread.join(60)
    assert len(answers) == 1


def test_a_better_incumbent_arrives_in_a_slice(office) -> None:
    """In the slice it is said to and in no other; a worse one changes nothing."""
    line = line_to(office.hub.address)
    mine, others = Incumbent(100), Incumbent(100)
    lowered = threading.Event()
    mine.watch(lambda: mine.cutoff == 60 and lowered.set())
    with (
        Talk(line, 1) as talk,
        Talk(line, 2) as other,
        talk.about(mine, lambda: None),
        other.about(others, lambda: None),
    ):
        assert office.until(lambda: office.kinds().count(Kind.SEARCH) == 2)
        for value in (90, 95, 60):
            office.hub.tell(Message(Kind.BEAT, 1, value))
        assert lowered.wait(60)
    assert (mine.cutoff, others.cutoff) == (60, 100)


def test_one_line_for_all_slices_of_a_process(office) -> None:
    """And none where nobody listens, or to somebody else: a slice goes on without."""
    address = office.hub.address
    assert line_to(address) is line_to(address) is not None
    office.hub.close()
    assert line_to(None) is None
    assert line_to(replace(address, secret=b"another")) is None
    shop = prunus.read("ta030")
    factory = FlowShopExplorerFactory(shop, StealingPolicy.POWER, Bound.LB1, Branching.MINBRANCH)
    answer = explore(
        slice_of(
            office,
            factory=pickle.dumps(factory),
            digest="ta030",
            intervals=Packed.of(Intervals.whole(20)),
            cutoff=2178,
            address=replace(address, near=1, secret=b"a third"),
        )
    )
    assert (answer.nodes, answer.worker.online) == (2_415_779, False)


def test_whoever_hangs_up_has_no_slices(office) -> None:
    """A worker that dies is not reckoned with."""
    line = line_to(office.hub.address)
    with Talk(line, 3) as talk, talk.about(Incumbent(), lambda: None):
        assert office.until(lambda: office.hub.began(3) is not None)
        line._connection.shutdown(2)
        assert office.until(lambda: office.hub.began(3) is None)


def test_workers_of_other_machines_reach_the_coordinator() -> None:
    """Once one has introduced itself, by another door; nobody does before."""
    office = Listening()
    before = office.hub.address
    assert before.far == 0
    assert introduce(0, "cpu", replace(before, host="elsewhere")).worker.online is False
    office.hub.open_for(before.host)
    assert office.hub.address == before
    office.hub.open_for("elsewhere")
    after = office.hub.address
    assert after.far > 0
    there = replace(after, host="elsewhere", names=("no.such.host.invalid", "127.0.0.1"))
    assert introduce(0, "cpu", there).worker.online is True
    office.hub.close()


def wait_for(path: str, function, *arguments):
    """Compile, as it were, until a file is there; in a worker."""
    search = slices._explore

    def slow(*given):
        with clock.paused():
            until = time.monotonic() + 60
            while not Path(path).exists() and time.monotonic() < until:
                time.sleep(0.01)
        return search(*given)

    slices._explore = slow
    try:
        return function(*arguments)
    finally:
        slices._explore = search


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
