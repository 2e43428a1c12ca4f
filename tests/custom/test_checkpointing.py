"""Searches of users' problems go on from checkpoints: of the same problem, or not at all."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import prunus
from prunus import InputError
from prunus.cli.entry import run
from prunus.runtime.checkpoint import read_checkpoint
from prunus.stop import MaxNodes
from tests.custom.problems import Ordering, Queens, Tardiness, Tour
from tests.custom.test_check import wrong

DISTANCES = np.random.default_rng(7).integers(1, 100, (13, 13))
MATRIX = np.random.default_rng(7).integers(-50, 50, (9, 9))


def stopped(problem, path, **options):
    """Search a little, with a checkpoint."""
    return prunus.solve(
        problem, devices="cpu", checkpoint=path, checkpoint_every=0.001, stop=MaxNodes(1), **options
    )


@pytest.mark.parametrize("problem", [Tour(DISTANCES), Ordering(MATRIX), Queens(9)])
def test_a_stopped_search_ends_with_the_same_counts(tmp_path, problem):
    """Nodes and the answer are those of a search that never stopped; some resume several times."""
    given = {}
    if not problem.counts_solutions:
        best = prunus.solve(problem, devices="cpu").objective
        given = {"upper_bound": best, "proof": "direct"}
    whole = prunus.solve(problem, devices="cpu", **given)
    path = tmp_path / "run.ckpt"
    result = stopped(problem, path, **given)
    for _ in range(50):
        if result.stopped_by is None:
            break
        result = prunus.resume(path, devices="cpu", stop=MaxNodes(result.nodes + 20_000))
    result = prunus.resume(path, devices="cpu:2")
    assert result.status == whole.status
    assert (result.nodes, result.objective) == (whole.nodes, whole.objective)
    assert type(result.problem) is type(problem)
    assert repr(result.problem.data) == repr(problem.data)


def test_heuristics_run_beside_a_resumed_proof(tmp_path):
    """On two cores their seconds are told and no node is lost or doubled; on one there are none."""
    distances = np.random.default_rng(4).integers(1, 100, (17, 17))
    best = prunus.solve(Tour(distances), devices="cpu:2").objective
    given = {"upper_bound": best, "proof": "direct", "first_incumbent": "all"}
    whole = prunus.solve(Tour(distances), method="interval", devices="cpu:1", **given)
    path = tmp_path / "run.ckpt"
    result = prunus.solve(
        Tour(distances),
        devices="cpu:1",
        checkpoint=path,
        stop=lambda now: now.explorers > 0,
        **given,
    )
    seconds = {1: 0.0, 2: 0.0}
    for cores in (1, 2, 1, 2, 2):
        stop = MaxNodes(result.nodes + whole.nodes // 10)
        result = prunus.resume(path, devices=f"cpu:{cores}", stop=stop)
        figures = result.statistics.get("portfolio", {"local search": {"time": 0.0}})
        seconds[cores] += figures["local search"]["time"]
    result = prunus.resume(path, devices="cpu:2")
    assert seconds[1] == 0 < seconds[2]
    assert (result.bound, result.nodes) == (best, whole.nodes)


def test_the_incumbent_travels(tmp_path):
    """A maximised problem with negative entries: the objective in the file is the user's."""
    path = tmp_path / "run.ckpt"
    problem = Ordering(MATRIX)
    stopped(problem, path)
    saved = read_checkpoint(str(path))
    assert saved.objective == problem.evaluate(saved.solution)
    result = prunus.resume(path, devices="cpu")
    assert result.objective == prunus.solve(problem, devices="cpu").objective


def test_a_problem_that_is_handed_over_must_be_the_same(tmp_path):
    """Other data, another class, other functions: each is refused in its own sentence."""
    path = tmp_path / "run.ckpt"
    stopped(Tour(DISTANCES), path)
    before = path.read_bytes()
    with pytest.raises(InputError, match="data of this Tour differ from those in the checkpoint"):
        prunus.resume(path, problem=Tour(DISTANCES + 1))
    with pytest.raises(InputError, match="the checkpoint is of a Tour, not Queens"):
        prunus.resume(path, problem=Queens(5))

    def bound(data, state, free, depth):
        return state[1]

    with pytest.raises(InputError, match="the functions of Tour have changed"):
        prunus.resume(path, problem=wrong(Tour, bound=bound)(DISTANCES))
    assert path.read_bytes() == before
    assert prunus.resume(path, problem=Tour(DISTANCES), devices="cpu").status == "optimal"


def test_other_problems_hand_nothing_over(tmp_path):
    """A built-in problem is in the file."""
    path = tmp_path / "run.ckpt"
    prunus.solve(prunus.NQueens(8), devices="cpu", checkpoint=path)
    with pytest.raises(InputError, match="the checkpoint holds its NQueens; leave it out"):
        prunus.resume(path, problem=Queens(8))


def test_a_class_that_cannot_be_found_again_is_handed_over(tmp_path):
    """One that is made inside a function: the sentence says what to write."""

    class Local(Tour):
        pass

    path = tmp_path / "run.ckpt"
    stopped(Local(DISTANCES), path)
    with pytest.raises(InputError, match="is not imported here; create it again and pass it"):
        prunus.resume(path)
    assert prunus.resume(path, problem=Local(DISTANCES), devices="cpu").status == "optimal"


class Odder(Tardiness):
    """With attributes that a file cannot hold, and some that it can."""

    def __init__(self, *data, extra=None):
        super().__init__(*data)
        self.labels, self.share, self.extra = ["a", "b"], np.ones(2), extra


def test_attributes_come_back(tmp_path):
    """Numbers, text, lists, arrays; with anything else the problem is handed over."""
    jobs = np.random.default_rng(1).integers(1, 20, (3, 6))
    for extra in (None, object()):
        path = tmp_path / f"{extra is None}.ckpt"
        stopped(Odder(*jobs, extra=extra), path)
        if extra is None:
            again = prunus.resume(path, devices="cpu").problem
            assert (again.labels, again.share.tolist()) == (["a", "b"], [1.0, 1.0])
        else:
            with pytest.raises(InputError, match="has attributes that a checkpoint cannot hold"):
                prunus.resume(path)


SCRIPT = """
import prunus, numpy as np
from concurrent.futures import ProcessPoolExecutor

class Delays(prunus.PermutationProblem):
    def __init__(self, times):
        super().__init__(len(times), state=2, data={"times": times})

    @staticmethod
    def descend(data, state, depth, item):
        state[0] += data.times[item]
        state[1] += (depth + 1) * state[0] % 97

    @staticmethod
    def bound(data, state, free, depth):
        return state[1]

    def evaluate(self, permutation):
        time = total = 0
        for depth, item in enumerate(permutation):
            time += int(self.data.times[item])
            total += (depth + 1) * time % 97
        return total

def small():
    return Delays([5, 3, 8, 1, 9, 2, 7])

if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        print(prunus.solve(small(), devices="cpu", executor=pool).objective)
    from distributed import Client
    with Client(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0") as c:
        print(prunus.solve(small(), devices="cpu", executor=c).objective)
"""


def test_a_class_of_a_script_reaches_workers_and_the_command_line(tmp_path):
    """It travels to process pools and clusters, and is named on the command line."""
    pytest.importorskip("distributed")
    script = tmp_path / "delays.py"
    script.write_text(SCRIPT)

    def ran(*words):
        answer = subprocess.run(
            [sys.executable, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert answer.returncode == 0, answer.stderr
        return answer.stdout

    first, second = ran("delays.py").split()
    command = ("-m", "prunus", "solve", "delays.py:small", "--devices", "cpu", "--quiet")
    answer = ran(*command, "--checkpoint", "run.ckpt")
    assert f"objective   {first}" in answer
    assert first == second
    again = ran("-m", "prunus", "resume", "run.ckpt", "--problem", "delays.py:small", "--quiet")
    assert f"objective   {first}" in again


def test_a_file_does_not_decide_what_is_imported(tmp_path, monkeypatch):
    """Neither resume nor info imports the module that a checkpoint names, from whatever folder."""
    path, trace = tmp_path / "run.ckpt", tmp_path / "imported"
    (tmp_path / "named_in_a_file.py").write_text(f"open({str(trace)!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))

    class Local(Tour):
        pass

    Local.__module__ = "named_in_a_file"
    stopped(Local(DISTANCES), path)
    with pytest.raises(InputError, match="is not imported here; create it again and pass it"):
        prunus.resume(path)
    assert run(["info", str(path)]) == 2
    assert not trace.exists()
    assert "named_in_a_file" not in sys.modules


class NumPySum(Tour):
    """An ``evaluate`` that returns an integer of NumPy's, as sums of arrays are."""

    def evaluate(self, permutation):
        return np.int64(super().evaluate(permutation))


def test_objectives_of_numpy_go_on_from_checkpoints(tmp_path):
    """A finished checkpoint came back as feasible, and a stopped one never ended."""
    problem, path = NumPySum(DISTANCES), tmp_path / "run.ckpt"
    best = prunus.solve(Tour(DISTANCES), devices="cpu:1").objective
    assert stopped(problem, path).status != "optimal"
    for _ in range(2):  # of the stopped search, then of the finished one
        result = prunus.resume(path, devices="cpu:1", time_limit=60)
        assert (result.status, result.objective, result.bound) == ("optimal", best, best)
        assert type(result.objective) is int
