"""Stopped searches go on, and end as if they had never stopped."""

from __future__ import annotations

import errno
import importlib
import math
import os

import numpy as np
import pytest

import prunus
from prunus import InputError, NQueens, Status
from prunus.nqueens import explorer_factory as queens
from prunus.nqueens.tasks.rows import row_tasks
from prunus.runtime.checkpoint import FileLock, read_checkpoint
from prunus.runtime.checkpoint import writer as writer_module
from prunus.stop import MaxNodes
from prunus.treesearch.interval.lengths import measure
from prunus.treesearch.interval.saved_intervals import intervals_of

resume_module = importlib.import_module("prunus.resume")


@pytest.fixture
def path(tmp_path):
    """Return where a checkpoint goes."""
    return tmp_path / "run.ckpt"


def test_a_proof_in_many_pieces_branches_the_same_nodes(path):
    """ta029 with its optimum given, stopped again and again, on one and on two cores."""
    shop = prunus.read("ta029")
    result = prunus.solve(
        shop, upper_bound=2237, stop=MaxNodes(300_000), checkpoint=path, devices="cpu:2"
    )
    rounds = 1
    while result.stopped_by is not None:
        rounds += 1
        result = prunus.resume(
            path, stop=MaxNodes(result.nodes + 1_000_000), devices=f"cpu:{1 + rounds % 2}"
        )
    assert rounds > 2
    assert result.status is Status.INFEASIBLE
    assert result.bound == 2237
    assert result.nodes == 12_233_430
    assert result.explored == 1.0


def test_a_count_in_many_pieces_is_exact(path):
    """Fourteen queens, stopped again and again, are counted as at once."""
    whole = prunus.solve(NQueens(14), symmetry="mirror")
    prunus.solve(NQueens(14), symmetry="mirror", time_limit=0.02, checkpoint=path)
    for _ in range(8):  # as far as they come
        prunus.resume(path, time_limit=0.05)
    result = prunus.resume(path)
    assert (result.objective, result.nodes) == (whole.objective, whole.nodes) == (365596, 27358552)


def test_ranges_of_other_tasks_are_refused(path, monkeypatch):
    """A count whose tasks are made in another way than they were is not gone on with."""
    prunus.solve(NQueens(17), stop=MaxNodes(1), checkpoint=path)
    content = path.read_bytes()
    monkeypatch.setattr(
        queens, "queens_tasks", lambda n, _, least, *more: row_tasks(n, "none", least)
    )
    with pytest.raises(InputError, match="tasks"):
        prunus.resume(path)
    assert path.read_bytes() == content


def test_as_many_tasks_are_made_as_the_checkpoint_says(path, monkeypatch):
    """A version that would divide a board otherwise goes on with the tasks that were begun."""
    prunus.solve(NQueens(14), time_limit=0.01, checkpoint=path)
    monkeypatch.setattr("prunus.nqueens.solver.wanted_tasks", lambda n: 3)
    assert prunus.resume(path).objective == 365_596


def test_a_finished_checkpoint_gives_its_answer_at_once(path):
    """Resuming what is complete repeats the result without searching."""
    shop = prunus.FlowShop([[3, 1, 4], [1, 5, 9], [2, 6, 5], [3, 5, 8]])
    first = prunus.solve(shop, first_incumbent="none", checkpoint=path)
    again = prunus.resume(path)
    assert again.status is Status.OPTIMAL
    assert (again.objective, again.bound, again.nodes) == (
        first.objective,
        first.bound,
        first.nodes,
    )
    assert again.solution.tolist() == first.solution.tolist()


def test_the_incumbent_and_the_history_are_kept(path):
    """What had been found is the start of the second run."""
    shop = prunus.read("ta051")
    first = prunus.solve(shop, stop=MaxNodes(1), checkpoint=path, first_incumbent="neh")
    second = prunus.resume(path, stop=MaxNodes(first.nodes + 1))
    assert second.objective <= first.objective
    assert [h.objective for h in second.history[: len(first.history)]] == [
        h.objective for h in first.history
    ]
    assert second.nodes > first.nodes
    assert second.statistics["earlier_runtime"] > 0


def test_an_existing_file_is_not_overwritten(path):
    """A new solve refuses a file that is there, and leaves it."""
    path.write_text("precious")
    with pytest.raises(InputError, match="already exists"):
        prunus.solve(NQueens(8), checkpoint=path)
    assert path.read_text() == "precious"
    assert not path.with_name("run.ckpt.lock").exists()


def test_two_runs_cannot_write_one_file(path):
    """While one run writes a checkpoint, another is refused."""
    refused = []

    def intrude(progress):
        if not refused and progress.phase == "tree search":
            with pytest.raises(InputError, match="another run") as caught:
                prunus.solve(NQueens(5), checkpoint=path)
            refused.append(caught)
        return bool(refused)

    prunus.solve(prunus.read("ta051"), stop=intrude, checkpoint=path, first_incumbent="neh")
    assert refused
    assert not path.with_name("run.ckpt.lock").exists()


def test_a_run_goes_on_from_where_another_has_just_come_to(path, monkeypatch):
    """What is gone on with is the file as it is once no other run can write it any more."""
    shop = prunus.read("ta030")
    prunus.solve(shop, upper_bound=2178, stop=MaxNodes(100_000), checkpoint=path)
    old = path.read_bytes()
    last = prunus.resume(path)
    new = path.read_bytes()
    path.write_bytes(old)

    class Late(FileLock):
        """Had by another run until now, which has just written its last checkpoint."""

        def __init__(self, name):
            super().__init__(name)
            path.write_bytes(new)

    monkeypatch.setattr(resume_module, "FileLock", Late)
    assert prunus.resume(path).nodes == last.nodes == 2_415_779
    assert path.read_bytes() == new


def test_a_folder_is_no_checkpoint(tmp_path):
    """A folder's name in place of a file's is told so, and the folder is left empty."""
    with pytest.raises(InputError, match="is a folder; name a file"):
        prunus.solve(prunus.NQueens(8), checkpoint=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_device_is_no_checkpoint(tmp_path):
    """It is said to be one, and not to be a checkpoint that could be gone on with."""
    link = tmp_path / "run.ckpt"
    link.symlink_to("/dev/full")
    for path in ("/dev/full", link):
        with pytest.raises(InputError, match=r"checkpoint: .* is a device or a pipe; name a file"):
            prunus.solve(prunus.NQueens(8), checkpoint=path)
    assert list(tmp_path.iterdir()) == [link]


def test_a_new_run_does_not_overwrite_what_another_has_just_written(path, monkeypatch):
    """Whether the file exists is looked at once no other run can make it any more."""

    class Late(FileLock):
        """Had by another run until now, which has just written its last checkpoint."""

        def __init__(self, name):
            super().__init__(name)
            path.write_text("precious")

    monkeypatch.setattr(writer_module, "FileLock", Late)
    with pytest.raises(InputError, match="already exists"):
        prunus.solve(NQueens(8), checkpoint=path)
    assert path.read_text() == "precious"
    assert not path.with_name("run.ckpt.lock").exists()


def test_a_full_disk_costs_a_warning_and_not_the_search(path, monkeypatch):
    """When the file cannot be written the search goes on to its answer."""

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(UserWarning, match="no space left"):
        result = prunus.solve(NQueens(8), checkpoint=path)
    assert result.objective == 92
    assert list(path.parent.iterdir()) == []


def test_checkpoints_are_written_while_the_search_runs(path, monkeypatch):
    """They come at their interval, and what they hold and what is done make the whole."""
    monkeypatch.setattr(writer_module, "REST_PER_HELD_UP", 1)
    seen = []

    def look(progress):
        if path.exists():
            saved = prunus.runtime.checkpoint.read_checkpoint(str(path))  # type: ignore[attr-defined]
            radix = tuple(range(50, 0, -1))
            intervals_of(saved.open_work).check(radix)
            left = sum(intervals_of(saved.open_work).measure(radix))
            seen.append(saved.explored + left == prunus.treesearch.interval.interval.leaves(radix))  # type: ignore[attr-defined]
        return len(seen) >= 4

    prunus.solve(
        prunus.read("ta051"),
        stop=look,
        checkpoint=path,
        first_incumbent="neh",
        devices="cpu:2",
        checkpoint_every=0.05,
    )
    assert all(seen)


def test_a_resume_that_never_gets_to_search_changes_nothing(path):
    """Stopped before its tree search, a second run keeps the nodes and open work of the first."""
    shop = prunus.read("ta051")
    first = prunus.solve(shop, stop=MaxNodes(1), checkpoint=path, first_incumbent="neh")
    before = prunus.runtime.checkpoint.read_checkpoint(str(path))  # type: ignore[attr-defined]
    idle = prunus.resume(path, time_limit=0)
    after = prunus.runtime.checkpoint.read_checkpoint(str(path))  # type: ignore[attr-defined]
    assert first.nodes > 0
    assert idle.nodes == after.nodes == before.nodes == first.nodes
    assert after.explored == before.explored
    assert intervals_of(after.open_work).measure(range(50, 0, -1)) == intervals_of(
        before.open_work
    ).measure(range(50, 0, -1))


def test_resuming_what_is_complete_leaves_the_file(path):
    """The answer of a finished checkpoint is read, not written again."""
    prunus.solve(prunus.FlowShop([[3, 1, 4], [1, 5, 9]]), first_incumbent="none", checkpoint=path)
    whole = path.read_bytes()
    prunus.resume(path)
    assert path.read_bytes() == whole


def test_the_explored_share_of_a_stopped_search_is_exact(path):
    """It is that of the checkpoint, where what is done and what is open are the whole tree."""
    result = prunus.solve(
        prunus.read("ta030"),
        upper_bound=2178,
        devices="cpu:2",
        stop=lambda progress: progress.explored > 0.01,
        checkpoint=path,
    )
    kept, radix = read_checkpoint(str(path)), range(20, 0, -1)
    total = math.factorial(20)
    assert kept.explored + measure(intervals_of(kept.open_work), radix) == total
    assert 0.01 < result.explored < 1
    assert result.explored == pytest.approx(kept.explored / total, rel=1e-12)


def test_what_comes_from_the_checkpoint_cannot_be_given_again(path):
    """A seed or an option decides the tree: one sentence says so, and what was misspelt."""
    prunus.solve(NQueens(8), checkpoint=path)
    with pytest.raises(InputError, match=r"time_limt: .* did you mean time_limit\?"):
        prunus.resume(path, time_limt=3)
    for name, value in (("seed", 3), ("symmetry", "none"), ("upper_bound", 9)):
        with pytest.raises(InputError, match=f"{name}: .*comes from the checkpoint"):
            prunus.resume(path, **{name: value})


class Delays(prunus.PermutationProblem):
    """README's own class: its objectives are numbers of NumPy's, as sums of arrays are."""

    def __init__(self, times):
        super().__init__(len(times), state=2, data={"times": times})

    @staticmethod
    def descend(data, state, depth, item):
        state[0] += data.times[item]
        state[1] += state[0]

    @staticmethod
    def bound(data, state, free, depth):
        return state[1] + state[0] * len(free)

    def evaluate(self, permutation):
        return sum(sum(self.data.times[permutation[: k + 1]]) for k in range(self.items))


def test_objectives_of_numpy_come_back(path):
    """A finished checkpoint is optimal again; the search that a limit ended goes on."""
    problem = Delays(np.array([7, 3, 9, 2, 5, 8, 4, 6]))
    assert isinstance(problem.evaluate(np.arange(8)), np.integer)
    first = prunus.solve(problem, devices="cpu:1", checkpoint=path, time_limit=0)
    assert isinstance(first.objective, int | None)
    second = prunus.resume(path, devices="cpu:1", problem=problem)
    again = prunus.resume(path, devices="cpu:1", problem=problem)
    assert second.status is again.status is Status.OPTIMAL
    assert again.objective == second.objective == problem.evaluate(np.argsort(problem.data.times))


def test_the_history_knows_the_bound_of_the_root(path):
    """What is proven before the first solution is found stands beside it."""
    result = prunus.solve(prunus.read("ta051"), stop=MaxNodes(1), first_incumbent="neh")
    assert [entry.source for entry in result.history][:1] == ["neh"]
    assert all(entry.bound == result.history[0].bound for entry in result.history)
    assert 0 < result.history[0].bound <= result.bound


@pytest.mark.parametrize(
    ("option", "said"),
    [("seed", "it takes problem, devices"), ("device", "did you mean devices")],
)
def test_options_that_the_checkpoint_decides_are_refused(path, option, said):
    """In a sentence, which names what can be said."""
    with pytest.raises(InputError, match=f"{option}: resume does not take it; {said}"):
        prunus.resume(path, **{option: 3})
