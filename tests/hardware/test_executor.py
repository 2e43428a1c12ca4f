"""Calls on an executor: each is heard of once, whatever becomes of it."""

from __future__ import annotations

import multiprocessing
import time
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from threading import Event

import pytest

from prunus import InputError
from prunus.hardware.executor import FAILURES_PER_ANSWER, MAX_RENEWALS, ExecutorEngine, workers
from tests.flaky import Flaky


class Held(Executor):
    """Keeps every call until somebody answers it."""

    _max_workers = 3
    _broken = False

    def __init__(self) -> None:
        self.futures: list[Future] = []
        self.over = False

    def submit(self, function, /, *args, **kwargs):
        """Return a future that nobody answers, or fail as a broken pool does."""
        if self._broken:
            raise BrokenExecutor("a process died")
        self.futures.append(Future())
        return self.futures[-1]

    def break_down(self) -> None:
        """Break as a process pool does: everything that is out fails."""
        self._broken = True
        for future in self.futures:
            if not future.done():
                future.set_exception(BrokenExecutor("a process died"))

    def shutdown(self, wait=True, *, cancel_futures=False):
        """Note that it was shut down."""
        self.over = True


def test_an_executor_says_how_many_workers_it_has() -> None:
    """A pool by its attribute, a cluster by its client, anything else by a guess."""

    class Client:
        def ncores(self):
            return {"a": 2, "b": 3}

    class Cluster(Flaky):
        _max_workers = None
        _client = Client()

    assert workers(Flaky(0, 0)) == 2
    assert workers(Cluster(0, 0)) == 5
    assert workers(Executor()) == 8


def test_every_call_is_heard_of_once() -> None:
    """Answers and failures come with the tags of their calls, and no call is forgotten."""
    engine = ExecutorEngine(Flaky(3, 0.4))
    for tag in range(100):
        assert engine.submit(tag, abs, -tag)
    heard = engine.collect(0)
    assert sorted(one.tag for one in heard) == list(range(100))
    assert all(one.value == one.tag for one in heard if one.error is None)
    assert (engine.answered, engine.failed) == (
        sum(one.error is None for one in heard),
        sum(one.error is not None for one in heard),
    )
    assert engine.failed > 0
    assert len(engine) == 0
    assert engine.collect(0) == []


def test_whoever_waits_can_be_woken() -> None:
    """A call that is not answered is not waited for when somebody wakes the one who waits."""
    engine = ExecutorEngine(Held())
    engine.submit("a", abs, 1)
    engine.wake()
    assert engine.collect(60) == []


def test_an_executor_that_only_fails_is_broken() -> None:
    """After some failures without an answer no more calls are taken, and it is said why."""
    engine = ExecutorEngine(Flaky(1, 1.0))
    sent = 0
    while engine.submit(sent, abs, 1):
        engine.collect(0)
        sent += 1
    assert sent == FAILURES_PER_ANSWER * FAILURES_PER_ANSWER + 1
    assert "only fails" in engine.broken


def test_a_broken_executor_takes_no_more() -> None:
    """What was out is heard of as lost, and the next call is refused."""
    held = Held()
    engine = ExecutorEngine(held)
    assert engine.submit("a", abs, 1)
    held.break_down()
    assert [one.tag for one in engine.collect(1)] == ["a"]
    assert engine.broken == "Held takes no more work: BrokenExecutor: a process died"
    assert not engine.submit("b", abs, 1)
    engine.close()
    assert not held.over


def test_a_function_makes_a_new_executor() -> None:
    """One that breaks is replaced, so often, and the last one is shut down at the end."""
    made: list[Held] = []

    def make():
        made.append(Held())
        return made[-1]

    engine = ExecutorEngine(make)
    engine.submit("a", abs, 1)
    engine.submit("b", abs, 1)
    made[0].break_down()
    assert len(engine.collect(1)) == 2
    assert engine.submit("c", abs, 1)
    assert len(made) == 2
    made[1].futures[0].set_result(1)
    assert engine.collect(1)[0].value == 1
    for _ in range(MAX_RENEWALS + 1):
        assert engine.broken is None
        engine.submit("d", abs, 1)
        made[-1].break_down()
        engine.collect(1)
    assert engine.broken is not None
    assert len(made) == MAX_RENEWALS + 2
    engine.close()
    assert all(held.over for held in made)


def test_what_is_forgotten_is_not_heard_of() -> None:
    """Recalled and forgotten calls give their tags back; late answers to them are ignored."""
    release = Event()
    with ThreadPoolExecutor(1) as pool:
        engine = ExecutorEngine(pool)
        for tag in "abcd":
            engine.submit(tag, release.wait)
        assert engine.cancel_queued(keep=2) == ["d", "c"]
        assert engine.abandon() == ["b", "a"]
        release.set()
    assert engine.collect(0.01) == []


def test_workers_are_sent_to_sleep_but_the_last() -> None:
    """Naps are no calls: nobody hears of them, and they count for nothing."""
    held = Held()
    engine = ExecutorEngine(held)
    for awake in (2, 1, 1):
        engine.back_off(60.0)
        assert engine.workers_awake == awake
    assert len(held.futures) == 2
    held.futures[0].set_result(None)
    held.futures[1].set_exception(MemoryError("not even that"))
    assert engine.collect(60.0) == []
    assert (engine.workers_awake, engine.answered, engine.failed, len(engine)) == (3, 0, 0, 0)
    engine.back_off(60.0)
    assert engine.abandon() == []
    assert engine.workers_awake == 3


def test_what_is_no_executor_is_refused() -> None:
    """In a sentence."""
    with pytest.raises(InputError, match="no method submit"):
        ExecutorEngine(5)
    with pytest.raises(InputError, match="returned 7"):
        _ = ExecutorEngine(lambda: 7).executor


class Missed(ProcessPoolExecutor):
    """A pool that has broken while it was starting a process, which Python then does not end."""

    _broken: object = "a process died"

    def __init__(self) -> None:
        super().__init__(1)
        self.left = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(600,))
        self.left.start()
        self._broken = "a process died"
        vars(self)["_processes"] = {self.left.pid: self.left}


@pytest.mark.parametrize("made", [True, False])
def test_no_process_of_a_broken_pool_stays_behind(made: bool) -> None:
    """The program would wait for it when it ends; whoever made the pool."""
    pool = Missed()
    engine = ExecutorEngine((lambda: pool) if made else pool)
    engine._executor = pool
    engine._replace_or_give_up(BrokenExecutor("a process died"))
    end = time.monotonic() + 60  # join comes back without the exit code if another thread has it
    while pool.left.exitcode is None and time.monotonic() < end:
        time.sleep(0.01)
    assert pool.left.exitcode is not None
