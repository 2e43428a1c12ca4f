"""Results say what is proven, cannot be changed, and survive JSON and pickle."""

from __future__ import annotations

import copy
import json
import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from prunus.custom.permutation import PermutationProblem
from prunus.errors import PrunusError
from prunus.flowshop.problem import FlowShop
from prunus.knapsack.problem import Knapsack
from prunus.nqueens.problem import NQueens
from prunus.result import HistoryEntry, Result, Status
from prunus.runtime.trace import Recorder
from prunus.solve import solve
from prunus.subsetsum.problem import SubsetSum

SHOP = FlowShop([[3, 2], [1, 4], [2, 2]], name="tiny")
NAMED = FlowShop([[3, 2], [1, 4], [2, 2]], job_names=["gear", "shaft", "<b>"])


def make(problem: Any = SHOP, **changes: Any) -> Result:
    fields: dict[str, Any] = {
        "status": Status.OPTIMAL,
        "objective": 9,
        "bound": 9,
        "solution": [1, 0, 2],
        "runtime": 0.5,
        "nodes": 7,
        "explored": 1.0,
        "history": [HistoryEntry(0.1, 9, 0, "neh")],
        "method": "interval tree search",
        "devices": ["cpu:2"],
    }
    return Result(problem, **{**fields, **changes})


def test_the_best_solution_is_never_none() -> None:
    """Where there is none, an error says so with the status."""
    best = make().best
    assert (best.objective, best.solution.tolist()) == (9, [1, 0, 2])
    for nothing in ({"solution": None}, {"objective": None, "solution": None}):
        with pytest.raises(PrunusError, match="there is no solution: the status is unknown"):
            _ = make(status=Status.UNKNOWN, **nothing).best


def test_statuses_are_their_words() -> None:
    """A status is a string, so that it compares with and prints as its word."""
    assert Status.OPTIMAL == "optimal"
    assert f"{Status.FEASIBLE}" == "feasible"
    assert [*Status] == ["optimal", "feasible", "infeasible", "unknown"]


def test_fields_become_plain_immutable_values() -> None:
    """NumPy numbers, lists and words are turned into what the field says it is."""
    result = make(objective=np.int64(9), bound=np.int32(9), status="optimal")
    assert type(result.objective) is int
    assert type(result.bound) is int
    assert result.status is Status.OPTIMAL
    assert result.devices == ("cpu:2",)
    assert isinstance(result.history, tuple)


def test_a_result_cannot_be_changed() -> None:
    """Neither a field nor the solution can be changed, nor through the array it was made from."""
    source = np.array([1, 0, 2])
    result = make(solution=source)
    source[0] = 2
    assert result.solution is not None
    assert result.solution.tolist() == [1, 0, 2]
    assert result.solution.dtype == np.int64
    with pytest.raises(ValueError, match="read-only"):
        result.solution[0] = 2
    with pytest.raises(AttributeError):
        result.objective = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("status", "objective", "bound", "gap"),
    [
        ("optimal", 9, None, 0.0),
        ("optimal", 9, 9, 0.0),
        ("feasible", 10, 8, 0.2),
        ("feasible", 0, 0, 0.0),
        ("feasible", 0, -3, 3.0),
        ("feasible", 10, None, None),
        ("unknown", None, 8, None),
        ("infeasible", None, 9, None),
    ],
)
def test_gap(status: str, objective: int | None, bound: int | None, gap: float | None) -> None:
    """The gap is relative to the objective, zero once optimal, and unknown without a bound."""
    assert make(status=status, objective=objective, bound=bound).gap == gap


def test_a_count_has_no_gap_until_it_is_complete() -> None:
    """What is counted so far bounds nothing, whatever the engine says."""
    assert make(NQueens(8), status="feasible", objective=5, bound=5).gap is None
    assert make(NQueens(8), objective=92, bound=92).gap == 0.0


def test_speed_is_that_of_the_search() -> None:
    """First incumbents and compilation branch nothing and do not slow the search down."""
    words = " ".join(str(make(nodes=7, runtime=9.0, statistics={"search_time": 0.5})).split())
    assert "9.00 s, 0.50 s of it for the search" in words
    assert "7 (14/s)" in words
    assert "(70/s)" in str(make(nodes=7, runtime=0.1))
    recorder = Recorder(("cpu:0",))
    for time, nodes in ((4.0, 0), (8.0, 0), (9.0, 7)):
        recorder.note(time, [(nodes, 0, 1, 0.0)])
    assert "/s)" not in str(make(nodes=7, runtime=0.1, statistics={"compile_time": 2.0}))
    compiled = make(nodes=7, statistics={"search_time": 9.0}, trace=recorder.trace())
    assert "(7/s)" in str(compiled)


def test_speed_and_runtime_after_a_resume() -> None:
    """Nodes of earlier runs count as nodes and not as speed; the earlier time is told."""
    statistics = {
        "search_time": 2.0,
        "earlier_nodes": 970,
        "earlier_runtime": 65.0,
        "checkpoints": 3,
    }
    words = " ".join(str(make(nodes=1000, runtime=3.0, statistics=statistics)).split())
    assert "1,000, 30 in this run (15/s)" in words
    assert "3.00 s, 2.00 s of it for the search, after 1 min 05 s in earlier runs" in words
    assert "checkpoints 3 written" in words


def test_solution_names() -> None:
    """A solution reads by the names of its jobs, where they have names."""
    assert make().solution_names is None
    assert make(NAMED).solution_names == ("shaft", "gear", "<b>")
    assert make(NAMED, solution=None).solution_names is None


def test_to_dict_is_json() -> None:
    """Everything survives JSON, NumPy values and infinities in the statistics included."""
    statistics = {"a": np.int64(3), "b": np.array([1.5]), "c": math.inf, "d": {"e": Status.UNKNOWN}}
    found = json.loads(json.dumps(make(NAMED, statistics=statistics).to_dict(), allow_nan=False))
    assert found["problem"] == {"class": "FlowShop", "name": None, "jobs": 3, "machines": 2}
    assert found["status"] == "optimal"
    assert found["solution"] == [1, 0, 2]
    assert found["solution_names"] == ["shaft", "gear", "<b>"]
    assert found["gap"] == 0.0
    assert found["history"] == [
        {"time": 0.1, "objective": 9, "nodes": 0, "source": "neh", "bound": None}
    ]
    assert found["statistics"] == {"a": 3, "b": [1.5], "c": None, "d": {"e": "unknown"}}


def test_to_dict_leaves_the_trace_out() -> None:
    """The samples of a trace are for plots; the figures at its end are in the statistics."""
    samples = Recorder(("cpu:0",)).trace()
    result = make(statistics={"failures": ["cuda:0 failed"]}, trace=samples)
    found = json.loads(json.dumps(result.to_dict()))
    assert "trace" not in found
    assert found["statistics"]["failures"] == ["cuda:0 failed"]


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda result: pickle.loads(pickle.dumps(result))]
)
def test_copies_cannot_be_changed_either(again: Callable[[Result], Result]) -> None:
    """A copy says the same, and its solution is as read-only as the original's."""
    original = make(statistics={"steals": 3})
    made = again(original)
    assert made.to_dict() == original.to_dict()
    assert made.solution is not None
    assert not made.solution.flags.writeable


def test_pickle() -> None:
    """A result can be sent to another process."""
    again = pickle.loads(pickle.dumps(make()))
    assert again.to_dict() == make().to_dict()


def test_text_is_aligned_and_fits_a_terminal() -> None:
    """The report has a title, aligned values, and no line over 80 columns however many jobs."""
    shop = FlowShop(np.ones((60, 2), dtype=int), name="wide")
    lines = str(make(shop, solution=range(60))).splitlines()
    assert lines[0] == "wide – FlowShop, 60 jobs × 2 machines"
    assert all(len(line) <= 80 for line in lines)
    assert {len(line) - len(line[14:]) for line in lines[1:]} == {14}
    assert all(line[13] == " " for line in lines[1:])


def test_text_of_a_very_long_solution() -> None:
    """Ten thousand items do not flood the terminal; how many there are is said."""
    many = Knapsack(np.ones(10_000, int), np.ones(10_000, int), 10_000)
    report = str(make(many, solution=range(10_000)))
    assert " ".join(report.split()).endswith("199 … and 9,800 more, not shown (0-based)")
    assert len(report.splitlines()) <= 24
    assert make(many, solution=range(10_000)).to_dict()["solution"][-1] == 9999


def test_text_says_what_is_proven() -> None:
    """The report names the objective, and says who stopped a search that proved nothing."""
    report = str(make(status="feasible", objective=10, bound=8, stopped_by="time limit"))
    assert "makespan    10" in report
    assert "lower bound 8 (gap 20.00 %)" in report
    assert "not proven optimal), stopped by time limit" in report
    assert "(0-based)" in report
    assert "(0-based)" not in str(make(NAMED))


def test_text_of_a_count() -> None:
    """A count reads as a count: no bound, and incomplete is called so."""
    done = str(make(NQueens(8), objective=14772512, bound=None, solution=None))
    assert "complete" in done
    assert "solutions   14,772,512" in done
    assert "bound" not in done
    stopped = str(make(NQueens(8), status="feasible", objective=5, bound=None, explored=0.3))
    assert "incomplete (count so far)" in stopped
    assert "30.00 %" in stopped


def test_nothing_found() -> None:
    """A result without a solution prints all the same."""
    report = str(make(status="unknown", objective=None, bound=None, solution=None, history=()))
    assert "nothing found yet" in report
    assert "makespan" not in report


def test_infeasible_says_what_was_sought() -> None:
    """A proof that nothing is better than the given upper bound names that bound."""
    nothing = {"status": "infeasible", "objective": None, "solution": None}
    report = str(make(**nothing, bound=9, upper_bound=9))
    assert "nothing better exists (proven: no makespan below 9)" in report
    assert "infeasible" not in report
    assert "infeasible (proven: there is no solution)" in str(make(**nothing, bound=9))
    items = Knapsack([60, 100], [10, 20], 25)
    assert "no profit above 100" in str(make(items, **nothing, bound=100, upper_bound=100))


def test_html_escapes_names() -> None:
    """The notebook's table shows a job called ``<b>`` as such."""
    page = make(NAMED)._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert page.count("<tr>") == page.count("</tr>") > 5


def test_repr_is_one_line() -> None:
    """``repr`` stays short: lists of results are printed, too."""
    assert repr(make()) == "Result(status='optimal', objective=9, bound=9, nodes=7, runtime=0.5)"
    ends = [f"runtime={words})" for words in ("4.57e-05", "0.0123", "12.346", "98765.432")]
    times = (0.0000456789, 0.01234, 12.3456, 98765.4321)
    assert all(
        repr(make(runtime=time)).endswith(end) for time, end in zip(times, ends, strict=True)
    )


def test_a_long_name_of_an_objective_keeps_its_column() -> None:
    """A problem of one's own names its objective; all values begin in one column behind it."""

    class Late(PermutationProblem):
        objective_name = "weighted tardiness"

        descend = bound = staticmethod(lambda *given: 0)

        def evaluate(self, solution: object) -> int:
            return 9

    lines = str(make(Late(2, state=1, data={}))).splitlines()[1:]
    assert "  weighted tardiness 9" in lines
    assert all(line[20] == " " and line[21] != " " for line in lines)


@pytest.mark.parametrize("objective", ["sum", "closest", "count"])
def test_text_of_a_subset_says_that_others_may_fit(objective: str) -> None:
    """Whoever books a payment learns how to count the subsets that have its sum."""
    problem = SubsetSum([3, 34, 4, 12, 5, 2], 9, objective=objective)
    assert ('"count" counts all that fit' in str(solve(problem))) == (objective == "sum")
