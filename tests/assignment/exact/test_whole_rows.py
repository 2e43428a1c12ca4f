"""Which matrices the compact kernel solves, before and after lists are compiled."""

from __future__ import annotations

import signal
import threading
from types import SimpleNamespace

import numpy as np
import pytest

import prunus
from prunus.assignment import scipy_small
from prunus.assignment.exact import solver, whole_rows
from prunus.assignment.exact.compact.paths import GIVEN_UP, NO_BUDGET, SOLVED
from prunus.assignment.exact.whole_rows import ListCompilation, scan_rows, scans_allowed
from prunus.assignment.instance import matrix_scan
from prunus.assignment.portfolio import portfolio
from prunus.hardware.jit.kinds import kinds_of
from prunus.hardware.threads import Threads


class _Lists(ListCompilation):
    def __init__(self, ready: bool) -> None:
        super().__init__()
        self._ready = ready

    def is_ready(self, matrix: np.ndarray) -> bool:
        return self._ready


@pytest.fixture
def large() -> np.ndarray:
    return np.random.default_rng(7).random((1001, 1001))


def test_large_matrices_take_lists_once_they_are_compiled(large: np.ndarray) -> None:
    """Lists come first where they are there; until then rows are scanned."""
    assert scans_allowed(large, _Lists(ready=True)) == 0
    assert 10**7 < scans_allowed(large, _Lists(ready=False)) < NO_BUDGET


def test_scanning_for_long_is_what_has_lists_compiled(large: np.ndarray) -> None:
    """The time of all matrices together counts, so that no program solves slowly for ever."""
    lists = _Lists(ready=False)
    scans = scans_allowed(large, lists)
    assert scan_rows(large, False, scans, lists)[0] == SOLVED
    first = lists.scanned_s
    assert first > 0
    scan_rows(large, False, scans, lists)
    assert lists.scanned_s > first
    lists.scanned_s = 60.0
    assert lists.is_due(large)
    assert scans_allowed(large, lists) == 0


@pytest.mark.parametrize("shape", [(150, 300), (150, 9000), (250, 2000), (1000, 1000)])
def test_what_lists_do_not_help_is_scanned_whatever_was_spent(shape: tuple[int, int]) -> None:
    """Small matrices, and those of few rows, are the compact kernel's; their time is nobody's."""
    lists = _Lists(ready=True)
    lists.scanned_s = 60.0
    values = np.random.default_rng(7).random(shape)
    assert scans_allowed(values, lists) == NO_BUDGET
    scan_rows(values, False, scans_allowed(values, lists), lists)
    assert lists.scanned_s == 60.0


def test_the_disk_is_asked_again_after_more_scanning_only(
    large: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another process compiles meanwhile is found, though not every matrix looks for it."""
    answers = iter((False, True))
    search = SimpleNamespace(is_ready_for=lambda *arguments: next(answers))
    monkeypatch.setattr(whole_rows, "augment", search)
    monkeypatch.setattr(whole_rows, "available_cores", lambda: 1)
    lists = ListCompilation()
    assert [lists.is_ready(large) for _ in range(3)] == [False] * 3
    lists.scanned_s = 0.6
    assert [lists.is_ready(large) for _ in range(3)] == [True] * 3


@pytest.mark.parametrize("values", [(800, 1300), "tied"])
def test_where_lists_are_no_help_rows_are_scanned_though_they_are_there(
    values: tuple[int, int] | str,
) -> None:
    """Wide matrices, and those with a row's best value in many columns, up to ten seconds."""
    rng = np.random.default_rng(7)
    matrix = rng.integers(0, 3, (1001, 1001)) if values == "tied" else rng.random(values)
    assert 0 < scans_allowed(matrix, _Lists(ready=True)) < NO_BUDGET


@pytest.mark.parametrize("distinct", [2, 15, 16, 17, 18, 400])
def test_few_distinct_values_are_those_that_stand_in_many_columns(distinct: int) -> None:
    """The first rows of a sample never say that values are many where the whole sample does not."""
    values = np.random.default_rng(7).integers(0, distinct, (400, 400))
    assert whole_rows.few_distinct(values) is (25 * distinct <= 400)


@pytest.mark.parametrize("kind", ["f4", "f8", "narrow f8", "i4", "i8", "narrow i8"])
def test_lists_are_asked_for_in_the_type_in_which_a_matrix_is_read(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What paths are searched with has the types that were asked for: nothing is compiled later."""
    for module, name in ((whole_rows, "NO_LISTS"), (scipy_small, "_NO_LISTS")):
        monkeypatch.setattr(module, name, 90_000)
    rng = np.random.default_rng(7)
    values = rng.random((301, 301))
    if kind[-2] == "i":
        values = 1000 * values if kind[0] == "n" else 2.0 ** (50 if kind == "i8" else 30) * values
    elif kind[0] == "n":
        values = np.floor(1e4 * values)
    values = values.astype(kind[-2:])
    asked, used = [], []
    search = whole_rows.augment
    monkeypatch.setattr(whole_rows, "available_cores", lambda: 1)

    class Search:
        def is_ready_for(self, *arguments: object) -> bool:
            asked.append(kinds_of(arguments))
            return True

        def __call__(self, *arguments: object) -> object:
            used.append(kinds_of(arguments))
            return search(*arguments)

    monkeypatch.setattr(whole_rows, "augment", Search())
    monkeypatch.setattr(solver, "augment", Search())
    monkeypatch.setattr(whole_rows.LISTS, "_ask_again_s", {})
    prunus.linear_sum_assignment(values)
    assert used
    assert asked[-1] == used[0]


@pytest.mark.parametrize("helped", [False, True])
def test_lists_are_not_ready_where_helpers_would_be_compiled(
    helped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On several cores; on one nobody helps."""

    class Compiled:
        def __init__(self, ready: bool) -> None:
            self.ready = ready

        def is_ready_for(self, *arguments: object) -> bool:
            return self.ready

    monkeypatch.setattr(whole_rows, "augment", Compiled(True))
    monkeypatch.setattr(whole_rows, "assist", Compiled(helped))
    for cores in (1, 2):
        monkeypatch.setattr(whole_rows, "available_cores", lambda cores=cores: cores)
        ready = whole_rows.ListCompilation().is_ready(np.random.default_rng(1).random((9, 9)))
        assert ready is (helped or cores == 1)


@pytest.mark.parametrize("solve", [False, True])
def test_integers_beyond_float64_do_not_wait_for_lists(
    solve: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole rows in int64 find the optimum as long as lists are not compiled."""
    values = np.random.default_rng(7).integers(-(10**15), 10**15, (150, 150))
    ready = prunus.solve(prunus.Assignment(values), devices="cpu:1").objective
    monkeypatch.setattr(whole_rows.LISTS, "is_ready", lambda matrix: False)
    monkeypatch.setattr(whole_rows.LISTS, "scanned_s", 0.0)

    def refuse(*arguments: object) -> None:
        raise AssertionError("lists were compiled")

    monkeypatch.setattr(solver, "augment", refuse)
    if solve:
        result = prunus.solve(prunus.Assignment(values), devices="cpu:1")
        assert result.status == "optimal"
        assert result.objective == result.bound == ready
    else:
        assert values[prunus.linear_sum_assignment(values)].sum() == ready
    assert whole_rows.LISTS.scanned_s > 0
    assert not whole_rows.too_early_for_lists(values, _Lists(ready=True))


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cityblock", "chebyshev"])
@pytest.mark.parametrize("shape", [(90, 90), (40, 120), (120, 40)])
def test_few_points_and_long_limits_need_no_lists(
    metric: str, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compact kernel solves the matrices of few points, with prices that prove it."""

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("something else was prepared")

    monkeypatch.setattr(portfolio, "prepare", refuse)
    rng = np.random.default_rng(7)
    left, right = (rng.random((count, 3)) for count in shape)
    for maximise in (False, True):
        problem = prunus.Assignment.from_points(left, right, metric=metric, maximize=maximise)
        apart = np.array([[_distance(a, b, metric) for b in right] for a in left])
        result = prunus.solve(problem, devices="cpu:1")
        assert result.status == "optimal"
        best = apart[prunus.linear_sum_assignment(apart, maximise)].sum()
        assert result.objective == pytest.approx(best, rel=1e-12)
        slack = result.duals.agents[:, None] + result.duals.jobs - apart
        assert (slack if maximise else -slack).min() > -1e-12
    large = prunus.Assignment(rng.random((400, 400)))
    assert prunus.solve(large, devices="cpu:1", time_limit=60).status == "optimal"


def _distance(one: np.ndarray, other: np.ndarray, metric: str) -> float:
    """Return how far two points are apart."""
    apart = np.abs(one - other)
    square = float((apart**2).sum())
    return {
        "chebyshev": float(apart.max()),
        "cityblock": float(apart.sum()),
        "sqeuclidean": square,
        "euclidean": square**0.5,
    }[metric]


def test_a_matrix_that_may_be_written_needs_no_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Numba compiles for both; what `prunus compile` has compiled serves every call."""
    kinds = []
    through = matrix_scan._go_through

    def noted(*arguments: object) -> object:
        kinds.append(kinds_of(arguments))
        return through(*arguments)

    monkeypatch.setattr(matrix_scan, "_go_through", noted)
    values = np.random.default_rng(7).random((20, 20))
    matrix_scan.scan_matrix(values, Threads(1))
    values.setflags(write=False)
    matrix_scan.scan_matrix(values, Threads(1))
    assert len(set(map(str, kinds))) == 1


def test_ctrl_c_does_not_wait_for_a_large_matrix(monkeypatch):
    """The kernel never ends, and both entries come back: with the exception, and with a result."""
    never, begun = threading.Event(), threading.Event()

    def solve_pairs(matrix, maximise, budget):
        begun.set()
        never.wait(60)
        return GIVEN_UP, None, np.empty(0, np.int64), np.empty(0, np.int64)

    def interrupt():
        begun.wait(60)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(whole_rows, "solve_pairs", solve_pairs)
    monkeypatch.setattr(whole_rows, "_LONG", 100)
    monkeypatch.setattr(whole_rows.ListCompilation, "is_due", lambda self, matrix: False)
    matrix = np.random.default_rng(1).random((1100, 1100))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            prunus.linear_sum_assignment(matrix)
        begun.clear()
        threading.Thread(target=interrupt).start()
        result = prunus.solve(prunus.Assignment(matrix), devices="cpu:1")
        assert result.stopped_by == "interrupt"
    finally:
        signal.signal(signal.SIGINT, before)
        never.set()


@pytest.mark.parametrize(("largest", "kind", "allowed"), [
    (2**40, np.int64, True), (2**42, np.int64, False), (2**42, np.float64, True),
    (2**63 + 2**42, np.uint64, False), (2**31 - 1, np.int32, True),
])  # fmt: skip
def test_sums_that_floats_do_not_hold_are_not_tried(largest, kind, allowed):
    """What the compact kernel would refuse it is not compiled for; a small matrix is just tried."""
    matrix = np.random.default_rng(1).integers(largest - 1000, largest, (600, 600), np.uint64)
    assert (scans_allowed(matrix.astype(kind), _Lists(False)) > 0) == allowed
    assert scans_allowed(matrix[:90, :90].astype(kind), _Lists(False)) > 0
