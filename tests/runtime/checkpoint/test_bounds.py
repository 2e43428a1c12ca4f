"""What was proven before a stop is proven after it, whatever the next run comes to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import prunus
from prunus.errors import InputError
from prunus.model.problem import Problem
from prunus.runtime.checkpoint import CheckpointWriter, read_checkpoint
from prunus.runtime.checkpoint.container import pack, unpack
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.progress import Progress
from prunus.runtime.run_solver import run_solver
from prunus.runtime.status import Status
from prunus.stop import MaxNodes
from tests.custom.problems import Ordering

MATRIX = np.random.default_rng(3).integers(1, 100, (14, 14))
POINTS = np.random.default_rng(1).random((60, 2))
CLIMB = {"first_incumbent": "neh", "proof": "climb"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where a checkpoint goes."""
    return tmp_path / "run.ckpt"


class Raised:
    """Stops as soon as the bound is better than the root's."""

    root: float | None = None

    def __call__(self, progress: Progress) -> bool:
        if self.root is None:
            self.root = progress.bound
        return progress.bound != self.root


@pytest.mark.parametrize(
    ("problem", "options"),
    [
        (prunus.read("ta021"), CLIMB),
        (prunus.ATSP.from_points(POINTS), {}),
        (Ordering(MATRIX), {"first_incumbent": "dive", "proof": "climb"}),
    ],
    ids=["flow shop", "fractions", "maximised"],
)
def test_a_bound_survives_a_stop(path: Path, problem: Problem, options: Any) -> None:
    """A run too short to prove anything shows what the run before it had proven, and when."""
    raised = Raised()
    first = prunus.solve(problem, devices="cpu:1", stop=raised, checkpoint=path, **options)
    second = prunus.resume(path, devices="cpu:1", time_limit=0)
    assert first.status is second.status is Status.FEASIBLE
    assert first.bound is not None
    assert first.bound != raised.root
    known = first.statistics["bounds"]
    assert second.statistics["bounds"][: len(known)] == known
    seen: list[float | None] = []
    third = prunus.resume(
        path, devices="cpu:1", stop=lambda progress: seen.append(progress.bound) or len(seen) > 2
    )
    sign = -1 if problem.maximise else 1
    for bound in (second.bound, *seen, third.bound):
        assert bound is not None
        assert sign * bound >= sign * first.bound
    times = [time for time, _ in third.statistics["bounds"]]
    assert times == sorted(times)


def _stopped(path: Path) -> prunus.Result:
    """Stop a proof with raised targets of ta021 between two of them."""
    return prunus.solve(
        prunus.read("ta021"), devices="cpu:1", stop=Raised(), checkpoint=path, **CLIMB
    )


def test_a_bound_that_meets_the_incumbent_ends_the_search(path: Path) -> None:
    """Nothing is searched any more, and the file then says that it is complete."""
    first = _stopped(path)
    replace(read_checkpoint(str(path)), bound=first.objective).write(str(path))
    second = prunus.resume(path, devices="cpu:1")
    assert (second.status, second.nodes) == (Status.OPTIMAL, first.nodes)
    assert read_checkpoint(str(path)).complete


def test_a_tree_below_what_is_proven_is_not_searched(path: Path) -> None:
    """Targets go on above a bound that was raised beyond the one that was under way."""
    _stopped(path)
    saved = read_checkpoint(str(path))
    target = int(saved.tree["below"])
    replace(saved, bound=target + 1).write(str(path))
    second = prunus.resume(path, devices="cpu:1", stop=MaxNodes(saved.nodes + 100_000))
    assert second.bound is not None
    assert second.bound >= target + 1
    assert all(each["below"] > target + 1 for each in second.statistics["targets"])
    assert read_checkpoint(str(path)).tree["below"] > target + 1


def test_older_files_know_the_bounds_beside_their_incumbents(path: Path) -> None:
    """They have no bound of their own, and can be gone on with."""
    prunus.solve(
        prunus.read("ta051"), devices="cpu:1", first_incumbent="neh", checkpoint=path,
        stop=MaxNodes(1),
    )  # fmt: skip
    meta, arrays = unpack(str(path))
    del meta["bound"], meta["bounds"]
    meta["history"] = [[1.0, 4060, 0, "neh", 3600], [2.0, 4050, 9, "cpu:0", 3605]]
    pack(str(path), meta, arrays)
    result = prunus.resume(path, time_limit=0)
    assert result.bound == 3605
    assert result.statistics["bounds"] == [[1.0, 3600], [2.0, 3605]]


@pytest.mark.parametrize("bounds", [None, [[1.0]], [[-1.0, 5]], [["1", 5]], {"1": 5}])
def test_bounds_of_another_shape_are_refused(path: Path, bounds: object) -> None:
    """A sentence names the field."""
    prunus.solve(prunus.NQueens(8), checkpoint=path)
    meta, arrays = unpack(str(path))
    pack(str(path), {**meta, "bounds": bounds}, arrays)
    with pytest.raises(InputError, match="field 'bounds' is invalid"):
        read_checkpoint(str(path))


def test_what_is_found_after_the_last_checkpoint_is_kept(path: Path) -> None:
    """It is added to that one at the end, and what is open in it stays."""
    _stopped(path)
    start = read_checkpoint(str(path))
    path.unlink()
    monitor = Monitor(Incumbent())
    writer = monitor.checkpoint_writer = CheckpointWriter(str(path), start)
    order = np.arange(20)

    def solve() -> Outcome:
        writer.write(open_work=start.open_work, tree=start.tree, nodes=7, **monitor.state())
        monitor.incumbent.offer(start.problem.evaluate(order), order, "late")
        return Outcome(complete=False, bound=2000, nodes=9)

    run_solver(solve, start, monitor)
    writer.close()
    kept = read_checkpoint(str(path))
    assert kept.solution is not None
    assert kept.open_work is not None
    assert start.open_work is not None
    assert kept.solution.tolist() == order.tolist()
    assert (kept.bound, kept.nodes, kept.tree) == (2000, 7, start.tree)
    assert [entry.source for entry in kept.history] == ["late"]
    before, after = start.open_work.arrays(), kept.open_work.arrays()
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_a_finished_maximum_below_zero_is_still_optimal(path: Path) -> None:
    """Its checkpoint repeats the answer, bound and status included."""
    first = prunus.solve(Ordering(-MATRIX[:8, :8]), devices="cpu:1", checkpoint=path)
    again = prunus.resume(path)
    assert first.objective is not None
    assert first.objective < 0
    assert (again.status, again.bound) == (Status.OPTIMAL, first.objective)
