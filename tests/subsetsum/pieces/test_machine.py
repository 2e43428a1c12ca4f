"""Members of different speeds share the pieces: each once, and nobody waits for a slow last one."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from contextlib import contextmanager

import pytest

from prunus.errors import DeviceError
from prunus.subsetsum.pieces import machine as module
from prunus.subsetsum.pieces.accounting import PieceAccounting, PieceResult
from prunus.subsetsum.pieces.machine import MachineSearch, Worker, core_workers
from tests.subsetsum.pretended_time import pretended_time


class Lists:
    """Pieces that take a known time; notes which were searched."""

    rate = piece_s = 0.0

    def __init__(self, pieces, seconds=0.0, fail_after=None, hit=None, sleep=time.sleep):
        self.pieces, self.seconds, self.fail_after, self.hit = pieces, seconds, fail_after, hit
        self.seen, self.calls, self.sleep = [], 0, sleep
        self.watch = lambda: None

    def run(self, first, last, stop):
        """Search a range."""
        self.calls += 1
        self.watch()
        if self.fail_after is not None and self.calls > self.fail_after:
            raise DeviceError("cuda:0 (some card) failed: it is gone")
        self.sleep(self.seconds * (last - first))
        self.seen += range(first, last)
        found = (0,) if self.hit is not None and first <= self.hit < last else None
        return PieceResult(first, last, found, last - first)


def books(pieces, enough=None):
    """A accounting whose every subset is worth 1."""
    return PieceAccounting(pieces, lambda subset: 1, enough)


def test_every_piece_is_searched_once() -> None:
    """By four equals, from few pieces to many."""
    for pieces in (1, 3, 100, 5000):
        accounting, lists = books(pieces), Lists(pieces)
        MachineSearch(core_workers(lists, 4), accounting).search(lambda: False)
        assert accounting.finished
        assert sorted(lists.seen) == list(range(pieces))
        assert accounting.count == pieces


def test_shares_follow_the_speeds() -> None:
    """A worker ten times as fast does about ten times as much, and both end together."""
    accounting = books(4000)
    with pretended_time() as sleep:
        fast, slow = Lists(4000, 1e-4, sleep=sleep), Lists(4000, 1e-3, sleep=sleep)
        workers = [Worker("fast", lambda: fast, rate=5e3), Worker("slow", lambda: slow, rate=5e3)]
        done = MachineSearch(workers, accounting).search(lambda: False)
    assert sum(done.values()) == 4000
    assert sorted(fast.seen + slow.seen) == list(range(4000))
    assert 9 < done["fast"] / done["slow"] < 11


@pytest.mark.parametrize(("pieces", "helps"), [(400, False), (900, True)])
def test_a_helper_stays_out_of_a_short_search(pieces, helps) -> None:
    """A core makes no lists for what a GPU ends at once, and helps where there is much left."""
    made = []
    with pretended_time() as sleep:
        gpu, core = Lists(pieces, 1e-3, sleep=sleep), Lists(pieces, 1e-2, sleep=sleep)
        workers = [
            Worker("cuda:0", lambda: gpu, rate=1e3),
            Worker("cpu:0", lambda: made.append(core) or core, helper=True),
        ]
        done = MachineSearch(workers, books(pieces)).search(lambda: False)
    assert bool(made) == helps
    assert (0 < done["cpu:0"] < done["cuda:0"]) == helps
    assert sorted(gpu.seen + core.seen) == list(range(pieces))


@pytest.mark.parametrize(
    ("rate", "fail_after", "helps"), [(1.0, None, False), (200.0, None, True), (1.0, 1, True)]
)
def test_helpers_of_no_use_stay_out_unless_nobody_else_is_left(
    monkeypatch, rate, fail_after, helps
) -> None:
    """Cores that are expected to do too little make no lists, however long a search is."""
    started, accounting, start = [], books(900), module.start_task
    monkeypatch.setattr(module, "start_task", lambda *job: started.append(job) or start(*job))
    with pretended_time() as sleep:
        gpu = Lists(900, 1e-3, fail_after, sleep=sleep)
        core = Lists(900, 1 / rate, sleep=sleep)
        workers = [
            Worker("cuda:0", lambda: gpu, rate=1e3),
            Worker("cpu:0", lambda: core, rate=rate, helper=True),
        ]
        MachineSearch(workers, accounting).search(lambda: False)
    assert bool(core.seen) == bool(started) == helps
    assert accounting.finished


def test_a_member_that_is_lost_leaves_its_pieces_to_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What it held is searched by another; if there is none, the error is told."""
    accounting, good = books(500), Lists(500, 1e-4)
    bad, gone = Lists(500, 1e-4, fail_after=2), threading.Event()
    bad.watch = lambda: gone.set() if bad.calls > 2 else None
    good.watch = lambda: gone.wait(20)  # or it might have done everything by then
    workers = [Worker("cuda:0", lambda: bad, rate=1e3), Worker("cuda:1", lambda: good, rate=1e3)]
    MachineSearch(workers, accounting).search(lambda: False)
    assert accounting.finished
    assert sorted(good.seen + bad.seen) == list(range(500))
    assert [words for words in caplog.messages if words.startswith("device lost: cuda:0: ")]
    alone = [Worker("cuda:0", lambda: Lists(500, fail_after=1), rate=1e3)]
    with pytest.raises(DeviceError, match="it is gone"):
        MachineSearch(alone, books(500)).search(lambda: False)


def test_other_errors_are_told() -> None:
    """A fault of the program ends the search with its own words."""

    def make():
        raise ValueError("no lists")

    with pytest.raises(ValueError, match="no lists"):
        MachineSearch([Worker("cpu:0", make)], books(5)).search(lambda: False)


def test_a_hit_or_a_look_ends_it() -> None:
    """A subset that is enough ends the search; so does the monitor."""
    accounting, lists = books(10**6, enough=1), Lists(10**6, 1e-6, hit=10)
    MachineSearch(core_workers(lists, 1), accounting).search(lambda: False)
    assert accounting.satisfied
    assert accounting.done < 10**6
    accounting, lists = books(10**9), Lists(10**9, 1e-4)
    looks: list[int] = []
    search = MachineSearch(core_workers(lists, 2), accounting)
    search.search(lambda: looks.append(1) or len(looks) >= 2)
    assert len(looks) == 2
    calls = lists.calls
    time.sleep(0.01)
    assert lists.calls == calls  # nobody goes on
    assert 0 < accounting.done < 10**9


def test_lists_are_let_go_when_the_search_has_ended() -> None:
    """Without waiting for the collector of cycles: a card's memory and streams are wanted again."""
    gc.collect()
    gc.disable()
    try:
        devices = [Lists(500, 1e-5) for _ in range(3)]
        seen = [weakref.ref(device) for device in devices]
        workers = [Worker(f"cuda:{k}", lambda on=on: on, 1e3) for k, on in enumerate(devices)]
        MachineSearch(workers, books(500)).search(lambda: False)
        del workers, devices
        assert [device() for device in seen] == [None] * 3
    finally:
        gc.enable()


def test_a_time_limit_is_asked_about_when_it_ends() -> None:
    """The look that stops comes with the end of the time, not with the next tenth of a second."""
    for cores in (1, 2):
        begun, looks = time.perf_counter(), []
        lists = Lists(10**9, 1e-4)

        def left(begun=begun):
            return begun + 0.03 - time.perf_counter()

        def look(looks=looks, left=left):
            looks.append(left())
            return looks[-1] <= 0

        MachineSearch(core_workers(lists, cores), books(10**9), time_left=left).search(look)
        assert len(looks) == 1
        assert lists.seen


def test_the_caller_searches_unless_its_pieces_take_long() -> None:
    """One worker starts no thread, unless its pieces outlast a look."""
    names: list[str] = []

    class Named(Lists):
        def run(self, first, last, stop):
            names.append(threading.current_thread().name)
            return super().run(first, last, stop)

    here = threading.current_thread().name
    with pretended_time():
        quick = Named(20, sleep=lambda seconds: None)
        MachineSearch(core_workers(quick, 1), books(20)).search(lambda: False)
    assert set(names) == {here}
    names.clear()
    slow, looks = Named(10**6, 0.11), []
    search = MachineSearch(core_workers(slow, 1), books(10**6))
    search.search(lambda: looks.append(1) or len(looks) >= 2)
    assert names[0] == here
    assert here not in names[1:]
    assert len(slow.seen) == len(set(slow.seen)) < 20


def test_books_are_kept_while_no_interrupt_is_raised() -> None:
    """Whatever is taken or noted in the caller's thread is so while interrupts are held."""
    held: list[int] = []

    @contextmanager
    def hold():
        held.append(1)
        yield
        held.pop()

    class Books(PieceAccounting):
        def take(self, size):
            assert held
            return super().take(size)

        def note(self, ticket, finding):
            assert held
            super().note(ticket, finding)

    accounting = Books(50, lambda subset: 1, None)
    workers = [Worker("cuda:0", lambda: Lists(50), rate=1e3)]
    MachineSearch(workers, accounting, hold).search(lambda: False)
    assert accounting.finished


def test_more_pieces_than_a_float_can_tell() -> None:
    """Five thousand items leave 2**5000 pieces: taken as any others."""
    accounting, lists = books(1 << 5000, enough=1), Lists(1, 1e-6, hit=10)
    MachineSearch(core_workers(lists, 1), accounting).search(lambda: False)
    assert accounting.satisfied
