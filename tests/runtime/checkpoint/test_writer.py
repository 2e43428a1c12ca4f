"""When checkpoints are written: soon at first, then by the clock, seldom where they cost much."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunus.errors import InputError
from prunus.nqueens.problem import NQueens
from prunus.runtime.checkpoint import Checkpoint, CheckpointWriter, writer


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
        with pytest.raises(InputError, match="exists already"):
            CheckpointWriter(kept.path, Checkpoint(NQueens(8), None, {}, None, 0))
