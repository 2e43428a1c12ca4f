"""Ctrl-C ends a solve in an orderly way, and what comes after it does no harm."""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

import prunus
from prunus.model.registry import spec_of
from prunus.runtime import interrupts as module
from prunus.runtime.checkpoint import CheckpointWriter
from prunus.runtime.interrupts import Interrupts, deliver
from prunus.runtime.outcome import Outcome
from prunus.runtime.progress import Progress
from prunus.treesearch.scheduler.scheduler import Scheduler


@pytest.fixture(autouse=True)
def default_handler() -> Iterator[None]:
    """Python's own handler, whatever the tests are run by."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


def test_a_note_and_no_exception() -> None:
    """Whoever listens may go on until the next look; then nothing is raised any more."""
    with Interrupts() as interrupts:
        assert not interrupts.acknowledge()
        interrupt()
        assert interrupts.requested
        assert interrupts.acknowledge()
        interrupt()
        sleep(module.GRACE_S + 0.1)
    assert not interrupts.raised


def test_insisted_on_once() -> None:
    """What does not listen gets the exception, in the midst of a wait of a minute, and only one."""
    with Interrupts() as interrupts:
        start = monotonic()
        with pytest.raises(KeyboardInterrupt):
            interrupt_and_wait()
        assert monotonic() < start + 50
        interrupt()
        interrupt()
        assert interrupts.raised


def test_a_way_out_that_takes_long_can_be_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Acknowledged, but nothing came of it: another one is raised, not into an indivisible step."""
    with Interrupts() as interrupts:
        interrupt()
        assert interrupts.acknowledge()
        interrupt()
        monkeypatch.setattr(module, "FORCE_AFTER_S", 0.0)
        with interrupts.deferred():
            interrupt()
        with pytest.raises(KeyboardInterrupt):
            interrupt()
        interrupt()
        interrupts.silence()
        interrupt()


def interrupt_and_wait() -> None:
    interrupt()
    interrupt()
    sleep(60)


def test_one_that_is_lost_is_raised_again(capfd: pytest.CaptureFixture[str]) -> None:
    """A callback from C swallows the exception; nothing is printed, and the next one gets out."""
    lost = []

    @ctypes.CFUNCTYPE(None)
    def callback() -> None:
        lost.append(True)
        interrupt_and_wait()

    def call_and_wait() -> None:
        callback()
        sleep(60)

    before = sys.unraisablehook
    start = monotonic()
    with Interrupts(), pytest.raises(KeyboardInterrupt):
        call_and_wait()
    assert monotonic() < start + 50
    assert lost == [True]
    assert capfd.readouterr().err == ""
    assert sys.unraisablehook is before


def test_other_lost_errors_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only an interrupt is nobody's mistake."""
    reported: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: reported.append(lost.exc_type))

    @ctypes.CFUNCTYPE(None)
    def callback() -> None:
        raise ValueError("a defect")

    with Interrupts():
        callback()
    assert reported == [ValueError]


def test_nothing_comes_after_the_end() -> None:
    """An interrupt in the last moment is not raised into what follows the solve."""
    with Interrupts():
        interrupt()
    sleep(module.GRACE_S + 0.2)


def test_inner_contexts_share_the_outer_one() -> None:
    """A solve inside a command is stopped by what was asked of the command."""
    with Interrupts() as outer:
        interrupt()
        with Interrupts() as inner:
            assert inner is outer
            assert inner.acknowledge()


def test_other_threads_hear_nothing() -> None:
    """In another thread there is no handler to set, and nothing is changed."""
    heard = []

    def listen() -> None:
        with Interrupts() as interrupts:
            heard.append(interrupts.acknowledge())

    thread = threading.Thread(target=listen)
    thread.start()
    thread.join()
    assert heard == [False]


def test_a_handler_of_the_user_stays() -> None:
    """Whoever handles Ctrl-C himself goes on to do so; other signals can still be delivered."""
    seen = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        with Interrupts() as interrupts:
            interrupt()
            assert seen == [signal.SIGINT]
            assert not interrupts.requested
            assert deliver(signal.SIGTERM, None)
            assert interrupts.acknowledge()
    finally:
        signal.signal(signal.SIGINT, before)
    assert not deliver(signal.SIGTERM, None)


def stopper(times: int = 1) -> Callable[[Progress], bool]:
    """Ask for an end in the middle of a tree search."""
    sent: list[bool] = []

    def look(progress: Progress) -> bool:
        if progress.phase == "tree search" and progress.nodes and not sent:
            sent.append(True)
            for _ in range(times):
                interrupt()
        return False

    return look


@pytest.mark.parametrize("place", ["wind up", "write"])
def test_a_second_one_while_the_end_is_near(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Ctrl-C while threads are joined, or while the last checkpoint is written, does no harm."""
    path = tmp_path / "run.ckpt"
    owner, name = (Scheduler, "_sample") if place == "wind up" else (CheckpointWriter, "_write")
    honest: Any = getattr(owner, name)

    def again(self: Any, *args: Any) -> None:
        interrupt()
        honest(self, *args)

    shop = prunus.read("ta029")
    monkeypatch.setattr(owner, name, again)
    first = prunus.solve(shop, upper_bound=2237, devices="cpu:2", stop=stopper(), checkpoint=path)
    monkeypatch.setattr(owner, name, honest)
    assert first.stopped_by == "interrupt"
    second = prunus.resume(path, devices="cpu:2")
    assert (second.status, second.nodes, second.explored) == ("infeasible", 12233430, 1.0)


def test_an_interrupt_that_was_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A callback from C loses the exception and something else comes out: it is still a stop."""
    solver = spec_of(prunus.NQueens(6)).load_solver()

    def compile_slowly(*args: Any) -> Outcome:
        try:
            interrupt_and_wait()
        except KeyboardInterrupt:
            raise RuntimeError("no compiled object yet") from None
        raise AssertionError

    monkeypatch.setattr(solver, "run", compile_slowly)
    result = prunus.solve(prunus.NQueens(6))
    assert (result.status, result.stopped_by) == ("feasible", "interrupt")


def test_other_errors_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an interrupt a defect is a defect."""
    solver = spec_of(prunus.NQueens(6)).load_solver()

    def fail(*args: Any) -> Outcome:
        raise RuntimeError("a defect")

    monkeypatch.setattr(solver, "run", fail)
    with pytest.raises(RuntimeError, match="a defect"):
        prunus.solve(prunus.NQueens(6))
