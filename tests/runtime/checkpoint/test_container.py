"""The checkpoint file: whole or refused, in a sentence, and never touched when refused."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus import ATSP, FlowShop, InputError, NQueens
from prunus.result import HistoryEntry
from prunus.runtime.checkpoint import Checkpoint, read_checkpoint
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.saved_intervals import intervals_of, open_work


def some_checkpoint(problem=None):
    """Return a checkpoint with something in every field."""
    intervals = Intervals.empty(4, 2)
    intervals.digits[:, 0] = 1, 2
    intervals.depth[:] = 1
    intervals.end_digit[:] = 2, 4
    return Checkpoint(
        problem=problem or FlowShop(np.arange(12).reshape(4, 3), job_names=list("abcd")),
        method=None,
        options={"bound": "lb1"},
        upper_bound=77,
        seed=5,
        open_work=open_work(intervals),
        tree={"tasks": 9},
        objective=60,
        solution=np.array([2, 0, 1, 3]),
        nodes=10**12,
        leaves=3,
        explored=2**80,
        elapsed=1.5,
        history=(HistoryEntry(0.5, 60, 7, "neh", 55),),
    )


@pytest.mark.parametrize(
    "problem",
    [
        FlowShop([[1, 2], [3, 4]], job_names=["x", "y"], machine_names=["m", "n"], name="shop"),
        ATSP([[0, 1], [2, 0]], city_names=["p", "q"], name="tour"),
        NQueens(9),
    ],
)
def test_what_is_written_is_read_back(tmp_path, problem):
    """Every field of a checkpoint and every part of its problem survive the file."""
    path = str(tmp_path / "run.ckpt")
    first = some_checkpoint(problem)
    first.write(path)
    second = read_checkpoint(path)
    for name in Checkpoint.__slots__:
        a, b = getattr(first, name), getattr(second, name)
        if name == "problem":
            assert type(a) is type(b)
            for slot in type(a).__slots__:
                assert np.array_equal(getattr(a, slot), getattr(b, slot))
        elif name == "open_work":
            a, b = intervals_of(a), intervals_of(b)
            assert all(np.array_equal(getattr(a, f), getattr(b, f)) for f in Intervals.__slots__)
        elif name == "solution":
            assert a.tolist() == b.tolist()
        else:
            assert a == b, name


def test_every_damaged_byte_is_noticed(tmp_path):
    """Flipping any byte, or cutting the file anywhere, gives a sentence and leaves the file."""
    path = tmp_path / "run.ckpt"
    some_checkpoint().write(str(path))
    whole = path.read_bytes()
    for at in [*range(0, 100), *range(100, len(whole), 37)]:
        for broken in (
            whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :],
            whole[:at],
        ):
            path.write_bytes(broken)
            with pytest.raises(InputError, match=r"run\.ckpt"):
                read_checkpoint(str(path))
            assert path.read_bytes() == broken


def test_foreign_and_newer_files_are_told_apart(tmp_path):
    """A text file is not a checkpoint; one of version 3 asks for an upgrade."""
    path = tmp_path / "run.ckpt"
    path.write_text("20 20\n1 2 3\n")
    with pytest.raises(InputError, match="not a checkpoint"):
        prunus.resume(path)
    some_checkpoint().write(str(path))
    path.write_bytes(path.read_bytes().replace(b"checkpoint 2\n", b"checkpoint 3\n", 1))
    with pytest.raises(InputError, match="newer prunus"):
        prunus.resume(path)
    with pytest.raises(InputError, match="cannot be read"):
        prunus.resume(tmp_path / "nothing.ckpt")


def test_intervals_that_do_not_fit_the_problem_are_refused(tmp_path):
    """A file with a right checksum but a wrong tree is not searched."""
    path = str(tmp_path / "run.ckpt")
    some_checkpoint(FlowShop(np.ones((6, 2), int))).write(path)
    with pytest.raises(InputError, match=r"does not fit|permutation|jobs"):
        prunus.resume(path)
