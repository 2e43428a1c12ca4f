"""When checkpoints are written: soon at first, then by the clock, seldom where they cost much."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from prunus.errors import InputError
from prunus.nqueens.problem import NQueens
from prunus.runtime.checkpoint import Checkpoint, CheckpointWriter, writer
from prunus.runtime.checkpoint.lock import FileLock
from prunus.runtime.checkpoint.state import read_checkpoint


class Clock:
    """A clock that goes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(writer, "perf_counter", clock)
    return clock


@pytest.fixture
def kept(tmp_path: Path, clock: Clock) -> CheckpointWriter:
    """Return a writer that writes every half minute."""
    return CheckpointWriter(
        str(tmp_path / "run.ckpt"), Checkpoint(NQueens(8), None, {}, None, 0), every=30.0
    )


def test_the_first_comes_after_a_second_and_the_next_by_the_clock(
    kept: CheckpointWriter, clock: Clock
) -> None:
    """Or after a second if the incumbent has improved since."""
    clock.now = 0.9
    assert not kept.due(None)
    clock.now = 1.0
    assert kept.due(None)
    kept.write(nodes=1)
    for now, objective, due in ((30.9, None, False), (1.9, 7, False), (2.1, 7, True)):
        clock.now = now
        assert kept.due(objective) == due
    clock.now = 31.1
    assert kept.due(None)
    kept.close()


def test_what_held_up_the_search_is_not_done_again_soon(
    kept: CheckpointWriter, clock: Clock
) -> None:
    """A search that stood still for a second goes on for a hundred, whatever it finds."""
    kept.write_aside({"objective": 9, "nodes": 1}, held=1.0, share=0.0)
    kept.wait()
    assert kept.seconds == 1.0
    for now, due in ((31.0, False), (99.0, False), (100.5, True)):
        clock.now = now
        assert kept.due(8) == due
    kept.close()


def test_a_file_that_is_there_is_not_overwritten(kept: CheckpointWriter) -> None:
    """And the lock is let go, so that somebody else may go on with it."""
    kept.write(nodes=1)
    kept.close()
    for _ in range(2):
        with pytest.raises(InputError, match="already exists"):
            CheckpointWriter(kept.path, Checkpoint(NQueens(8), None, {}, None, 0))


@pytest.fixture
def lying_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a file system that grants every lock to everybody."""
    monkeypatch.setattr(pytest.importorskip("fcntl"), "flock", lambda file, how: None)


@pytest.mark.usefixtures("lying_locks")
def test_two_runs_whose_locks_lie_lose_nothing(tmp_path: Path) -> None:
    """The one that finds the other's checkpoint continues in a file of its own and says so."""
    path = str(tmp_path / "run.ckpt")
    one, other = (CheckpointWriter(path, Checkpoint(NQueens(n), None, {}, None, 0)) for n in (8, 9))
    one.write(nodes=1)
    with pytest.warns(UserWarning, match=r"another run is writing .*run\.ckpt, .* continues in "):
        other.write(nodes=2)
    for both, nodes in ((one, 3), (other, 4)):
        both.write(nodes=nodes)
        both.close()
    assert (one.path, Path(other.path).parent) == (path, tmp_path)
    found = [read_checkpoint(run.path) for run in (one, other)]
    assert [(repr(run.problem), run.nodes) for run in found] == [
        ("NQueens(8)", 3),
        ("NQueens(9)", 4),
    ]


def test_a_file_system_without_locks_is_used_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no sign of another run, as a lock that is held is."""
    fcntl = pytest.importorskip("fcntl")

    def flock(file: int, how: int) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.warns(UserWarning, match="has no locks .function not implemented"):
        FileLock(str(tmp_path / "run.ckpt")).release()


def test_a_lock_is_removed_where_open_files_cannot_be(tmp_path, monkeypatch):
    """Windows removes no open file: the lock goes once it is closed; a missing one is fine."""
    lock = FileLock(str(tmp_path / "run.ckpt"))
    remove, tries = os.unlink, []

    def windows(path):
        tries.append(path)
        if len(tries) == 1:
            raise PermissionError(13, "used by another process", path)
        remove(path)

    monkeypatch.setattr(os, "unlink", windows)
    lock.release()
    assert len(tries) == 2
    assert not list(tmp_path.iterdir())
    other = FileLock(str(tmp_path / "run.ckpt"))
    remove(tmp_path / "run.ckpt.lock")
    other.release()
    assert len(tries) == 3
