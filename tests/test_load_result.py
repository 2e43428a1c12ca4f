"""Results are saved and read back whole, and what is no result is refused."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prunus
from prunus.cli.entry import run
from prunus.errors import InputError
from prunus.model.registry import spec_of
from prunus.plot.shares import shares
from prunus.runtime.duals import Duals
from prunus.runtime.status import final_status

NAMED = prunus.FlowShop([[3, 2], [1, 4], [2, 2]], job_names=["gear", "shaft", "<b>"], name="tiny")
SMALL = (
    NAMED,
    prunus.NQueens(6),
    prunus.ATSP([[0, 1, 9], [9, 0, 1], [1, 9, 0]]),
    prunus.Knapsack([60, 100, 120], [10, 20, 30], 50),
    prunus.SubsetSum([3, 34, 4, 12, 5, 2], 9),
    prunus.SubsetSum([3, 34, 4], 5),
    prunus.SubsetSum([2**90, 3], 2**90, objective="closest"),
    prunus.SubsetSum([1, 1, 2], 2, objective="count"),
    prunus.Assignment([[4, 1, 3], [2, 0, 5]]),
    prunus.Assignment(np.array([[1.5, np.inf], [0.1, 0.2]], np.float32)),
    prunus.Assignment.from_points([[0.0, 1.0], [2.0, 0.3]], maximize=True),
    prunus.Assignment.from_arcs(2, 2, [0, 1], [1, 0], [5, 6]),
    prunus.Assignment(np.arange(8).reshape(2, 2, 2)),
)


class Delays(prunus.PermutationProblem):
    """Jobs on one machine: the least sum of completion times."""

    def __init__(self, times: list[int]) -> None:
        super().__init__(len(times), state=2, data={"times": times})

    @staticmethod
    def descend(data: Any, state: Any, depth: int, item: int) -> None:
        state[0] += data.times[item]
        state[1] += state[0]

    @staticmethod
    def bound(data: Any, state: Any, free: Any, depth: int) -> int:
        return state[1] + state[0] * len(free)

    def evaluate(self, permutation: Any) -> int:
        return sum(sum(self.data.times[permutation[: k + 1]]) for k in range(self.items))


@pytest.fixture(scope="module")
def results() -> list[prunus.Result]:
    """A result of each problem, with the trace of a tree search among them."""
    found = [prunus.solve(problem, devices="cpu:1") for problem in SMALL]
    found.append(prunus.solve(NAMED, devices="cpu:2", first_incumbent="none", upper_bound=12))
    found.append(prunus.solve(NAMED, devices="cpu:1", upper_bound=3))
    return found


def plain(result: prunus.Result) -> Any:
    """What there is to a result, after JSON."""
    return json.loads(json.dumps(result.to_dict()))


def test_a_result_comes_back_whole(results: list[prunus.Result], tmp_path: Path) -> None:
    """Every field, the history, the statistics, the trace and the problem, of every problem."""
    for result in results:
        result.save(tmp_path / "r.json")
        again = prunus.load_result(tmp_path / "r.json")
        assert plain(again) == plain(result)
        assert str(again) == str(result)
        for mine, other in zip(again.duals or (), result.duals or (), strict=True):
            assert mine.dtype == other.dtype
        assert again.history == result.history
        assert type(again.problem) is type(result.problem)
        spec = spec_of(result.problem)
        assert repr(spec.data(again.problem)) == repr(spec.data(result.problem))
        if result.solution is None:
            assert again.solution is None
        else:
            assert again.solution is not None
            assert np.array_equal(again.solution, result.solution)
            assert not again.solution.flags.writeable
        assert (again.trace is None) == (result.trace is None)
        if result.trace is not None and again.trace is not None:
            assert np.array_equal(again.trace.idle, result.trace.idle)
            assert shares(again).get_title(loc="left") == shares(result).get_title(loc="left")


numbers = st.integers(0, 2**60) | st.floats(0, 1e300)
prices = st.lists(st.integers(-(2**70), 2**70)).map(lambda values: np.array(values, dtype=object))


@settings(max_examples=60)
@given(st.data())
def test_any_result_comes_back(data: st.DataObject) -> None:
    """Whatever numbers and words are in the fields."""
    times = st.floats(0, 1e9)
    entries = st.builds(
        prunus.HistoryEntry, times, numbers, st.integers(0, 2**70), st.text(), st.none() | numbers
    )
    order = data.draw(st.permutations(range(3)))
    asked = data.draw(st.none() | st.integers(-5, 2**62))
    status, bound = final_status(
        complete=data.draw(st.booleans()),
        objective=NAMED.evaluate(order),
        bound=data.draw(st.none() | numbers),
        upper_bound=asked,
    )
    result = prunus.Result(
        NAMED,
        status,
        NAMED.evaluate(order),
        bound,
        np.array(order),
        data.draw(times),
        nodes=data.draw(st.integers(0, 2**70)),
        explored=data.draw(st.floats(0, 1)),
        history=data.draw(st.lists(entries, max_size=3)),
        method=data.draw(st.text()),
        devices=data.draw(st.lists(st.text(), max_size=2)),
        stopped_by=data.draw(st.none() | st.text()),
        seed=data.draw(st.integers(0, 2**64)),
        statistics=data.draw(st.dictionaries(st.text(), numbers | st.lists(numbers))),
        upper_bound=asked,
        duals=data.draw(st.none() | st.tuples(prices, prices).map(lambda both: Duals(*both))),
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "r.json")
        result.save(path)
        again = prunus.load_result(path)
    assert again.to_dict() == result.to_dict()
    assert again.history == result.history


def test_a_problem_of_ones_own_is_given_again(tmp_path: Path) -> None:
    """Code is not kept in a file: the problem is made again, and the solution checked with it."""
    problem, path = Delays([5, 2, 8, 1]), tmp_path / "r.json"
    result = prunus.solve(problem, devices="cpu:1")
    result.save(path)
    with pytest.raises(InputError, match="does not contain the problem; pass it with problem="):
        prunus.load_result(path)
    assert plain(prunus.load_result(path, problem=problem)) == plain(result)
    with pytest.raises(InputError, match="the solution evaluates to 32, but its objective"):
        prunus.load_result(path, problem=Delays([5, 2, 8, 2]))
    with pytest.raises(InputError, match="the result of another problem"):
        prunus.load_result(path, problem=NAMED)


def test_what_the_command_line_writes_is_a_result(tmp_path: Path) -> None:
    """--output r.json leaves out the instance, which is then given."""
    path = tmp_path / "r.json"
    assert run(["solve", "crane:5:1", "--quiet", "--output", str(path)]) == 0
    result = prunus.load_result(path, problem=prunus.read("crane:5:1"))
    assert result.status == "optimal"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": None}, "not a result saved by prunus"),
        ({"format": "prunus result 7"}, "of a later version of prunus"),
        ({"status": "fine"}, "'status' cannot be 'fine'"),
        ({"objective": 12}, "evaluates to 9, but its objective is given as 12"),
        ({"status": "optimal"}, "cannot be optimal with the objective 9 and the bound 8"),
        ({"status": "infeasible"}, "cannot be infeasible with the objective 9 and the bound 8"),
        ({"status": "unknown"}, "cannot be unknown with the objective 9 and the bound 8"),
        ({"bound": 10}, "cannot be feasible with the objective 9 and the bound 10"),
        ({"solution": None}, "of the objective and the solution one is missing"),
        ({"solution": [0, 0, 1]}, "r.json: a schedule must hold each of the 3 jobs once"),
        ({"solution": [0, "a", 1]}, "'solution' holds something that is not a number"),
        ({"runtime": "long"}, "'runtime' cannot be 'long'"),
        ({"nodes": True}, "'nodes' cannot be True"),
        ({"nodes": ...}, "the field 'nodes' is missing"),
        ({"history": [1]}, "'history' is not an object"),
        ({"history": [{"time": 1}]}, "'history.objective' is missing"),
        ({"trace": {"devices": []}}, "'trace' has no devices"),
        ({"duals": {"agents": ["x"], "jobs": []}}, "'duals.agents' does not hold numbers"),
        ({"instance": [1]}, "'instance' is not an object"),
        ({"instance": {"problem": "queens", "n": 6}}, "the result of another problem"),
    ],
)
def test_what_is_no_result_is_refused(
    change: dict[str, Any], complaint: str, tmp_path: Path
) -> None:
    """With the name of the file and what is wrong, and never a result that contradicts itself."""
    path = tmp_path / "r.json"
    order = [1, 2, 0]
    result = prunus.Result(NAMED, "feasible", NAMED.evaluate(order), 8, np.array(order), 0.5)
    result.save(path)
    fields = {**json.loads(path.read_text()), **change}
    path.write_text(json.dumps({k: v for k, v in fields.items() if v is not ...}))
    with pytest.raises(InputError, match=r"r\.json: ") as caught:
        prunus.load_result(path)
    assert complaint in str(caught.value)


def test_files_that_hold_none(tmp_path: Path) -> None:
    """Another suffix is not written; an instance and a text are not read."""
    result = prunus.Result(NAMED, "unknown", None, 8, None, 0.5)
    with pytest.raises(InputError, match=r"saved as JSON; name a file that ends in \.json"):
        result.save(tmp_path / "r.csv")
    prunus.write(NAMED, tmp_path / "shop.json")
    with pytest.raises(InputError, match="not a result saved by prunus"):
        prunus.load_result(tmp_path / "shop.json")
    (tmp_path / "x").write_text("hello")
    with pytest.raises(InputError, match="line 1: not JSON"):
        prunus.load_result(tmp_path / "x")
    with pytest.raises(InputError, match="there is no file"):
        prunus.load_result(tmp_path / "missing.json")
