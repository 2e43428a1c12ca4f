"""Pairs found on a GPU, by the kernel on the emulated device and, with ``-m gpu``, on a card."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment as scipy_assignment

import prunus
from prunus.assignment import clipped, problem, scipy_api, solver
from prunus.assignment.gpu import device_pairs, stack_kernel
from prunus.errors import InputError
from prunus.hardware.cuda import arrays, borrowed
from prunus.hardware.cuda.borrowed import _KINDS, Borrowed
from tests.assignment.gpu.instances import retune
from tests.assignment.gpu.test_stack import check_stack
from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice

EMULATED = EmulatedDevice()


class Held(np.ndarray):
    """A NumPy array that stands for one of CuPy on the emulated device."""

    device = SimpleNamespace(id=0)

    def get(self):
        return np.array(self)


class Emulated(Borrowed):
    """A NumPy array that stands for another library's on the emulated device."""

    def __getitem__(self, k):
        return Emulated(self._array[k], self.kind)

    def __init__(self, array, kind=None):
        self._array = array
        self.address = array.ctypes.data
        self.shape = array.shape
        self.strides = tuple(stride // array.itemsize for stride in array.strides)
        self.kind = kind or _KINDS[array.dtype.name]
        self.device = EMULATED

    def indices(self, shape):
        array = np.full(shape, 77, np.int64)
        return array, array.ctypes.data

    def whole_numbers(self, values):
        array = np.ascontiguousarray(values, np.int64)
        return array, array.ctypes.data

    def as_cupy(self):
        return self._array.view(Held)

    def wait_for_others(self):
        pass

    def given_back(self, array):
        return array

    def put(self, values):
        return values

    def read(self, array=None):
        return np.array(self._array if array is None else array)


def emulated(values, what):
    """Borrow an array, or what CuPy would have of one."""
    return values if isinstance(values, Emulated) else Emulated(np.asarray(values))


@pytest.fixture
def solve(monkeypatch):
    """Return ``linear_sum_assignment`` that takes NumPy arrays for those of the emulated device."""
    if COMPILER is None:
        pytest.skip("needs a C++ compiler")
    monkeypatch.setattr(scipy_api, "is_resident", lambda values: isinstance(values, Emulated))
    monkeypatch.setattr(device_pairs, "borrow", emulated)

    def call(values, *rest, **options):
        kind = options.pop("kind", None)
        return prunus.linear_sum_assignment(Emulated(np.asarray(values), kind), *rest, **options)

    return call


@pytest.fixture
def solve_alone(solve, monkeypatch):
    """Return the same, by the method for one large matrix, however small it is."""
    monkeypatch.setattr(device_pairs, "sooner_alone", lambda entries, count: True)
    monkeypatch.setattr(device_pairs, "stack_kernel", None)
    chosen = {False: (EMULATED,), True: ()}  # no GPU solves sparse problems
    monkeypatch.setattr(solver, "chosen_devices", lambda p, devices: chosen[p.arcs is not None])
    monkeypatch.setattr(problem, "is_resident", lambda values: isinstance(values, (Emulated, Held)))
    monkeypatch.setattr(arrays, "_device", lambda index: EMULATED)
    monkeypatch.setattr(arrays, "pick", lambda array, at: np.asarray(array)[at])

    monkeypatch.setattr(borrowed, "borrow", emulated)
    monkeypatch.setattr(EmulatedDevice, "empty", lambda *given: plain_empty(*given).view(Held))
    retune(monkeypatch, threads=64, scaling_slice_ns=1000, auction_slice_ns=5000)
    return solve


plain_empty = EmulatedDevice.empty


def check(values, pairs, maximise=False, sizes=None):
    """Compare with SciPy, matrix by matrix: a matching of full size, of the same sum."""
    rows, columns = pairs
    for k, matrix in enumerate(values):
        if sizes is not None:
            matrix = matrix[: sizes[k][0], : sizes[k][1]]
        n = min(matrix.shape)
        assert (rows[k, n:] == -1).all()
        assert (columns[k, n:] == -1).all()
        row, column = rows[k, :n], columns[k, :n]
        assert (np.diff(row) > 0).all()
        assert len(set(column.tolist())) == n
        exact = matrix.astype(object if matrix.dtype.kind in "iu" else np.float64)
        best = scipy_assignment(matrix, maximise)
        wanted = exact[best].sum()
        assert exact[row, column].sum() == (
            wanted if matrix.dtype.kind in "iub" else pytest.approx(wanted, rel=1e-12, abs=1e-12)
        )


SHAPES = (
    (6, 5, 5),
    (3, 3, 7),
    (3, 7, 3),
    (2, 33, 33),
    (1, 60, 40),
    (1, 40, 64),
    (1, 70, 50),
    (1, 40, 90),
    (2, 1, 1),
)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int32, np.int64, np.uint8, np.bool_])
def test_every_type_and_shape_as_scipy(solve, kind):
    """Wide, tall and square, with ties and without, on one warp and on several."""
    rng = np.random.default_rng(1)
    for shape in SHAPES:
        for high in (2, 100, 10**6):
            values = rng.random(shape) * high if kind in (np.float32, np.float64) else None
            if values is None:
                values = rng.integers(
                    0, min(high, np.iinfo(kind).max if kind != np.bool_ else 2), shape
                )
            values = values.astype(kind)
            for maximise in (False, True):
                check(values, solve(values, maximise), maximise)


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
@settings(max_examples=30)
@given(data=st.data())
def test_small_integers_with_forbidden_pairs(data):
    """What SciPy finds infeasible is infeasible; else the sums agree."""
    n, m = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 7))
    cell = st.one_of(st.integers(-3, 3).map(float), st.just(np.inf))
    matrix = np.array(data.draw(st.lists(cell, min_size=n * m, max_size=n * m))).reshape(1, n, m)
    held = Emulated(matrix)
    options = {"maximise": False, "limit": None, "sizes": None, "on_host": None, "there": True}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device_pairs, "borrow", emulated)
        try:
            scipy_assignment(matrix[0])
        except ValueError:
            with pytest.raises(InputError, match="matrix 0: cost matrix is infeasible"):
                device_pairs.device_pairs(held, check=True, **options)
            rows, columns = device_pairs.device_pairs(held, check=False, **options)
            assert (rows == -1).all()
            assert (columns == -1).all()
            return
        check(matrix, device_pairs.device_pairs(held, check=True, **options))


def test_floats_of_sixteen_bits(solve):
    """Half precision, subnormal numbers and infinity included, and bfloat16 by its bits."""
    rng = np.random.default_rng(2)
    values = (rng.random((4, 9, 9)) * 10.0 ** rng.integers(-7, 3, (4, 9, 9))).astype(np.float16)
    values[0, 0, 1:] = np.inf
    check(values.astype(np.float64), solve(values))
    bits = rng.integers(0x3000, 0x4800, (4, 9, 9)).astype(np.uint16)
    floats = (bits.astype(np.uint32) << 16).view(np.float32)
    check(floats, solve(bits, kind="bfloat_t"))


@pytest.mark.gpu
@pytest.mark.parametrize("number", ["float16", "bfloat16", "float32"])
def test_subnormal_numbers_are_no_zeros(number):
    """On a card too, where the compiler is told to take some of them for zeros."""
    torch = pytest.importorskip("torch")
    least = {"float16": 2.0**-24, "bfloat16": 2.0**-133, "float32": 2.0**-149}[number]
    values = torch.randint(0, 40, (50, 40, 40)).double() * least
    pairs: Any = prunus.linear_sum_assignment(values.to(getattr(torch, number)).cuda())
    check((values / least).numpy(), tuple(part.cpu().numpy() for part in pairs))


def test_views_are_solved_where_they_lie(solve):
    """Any strides: transposed, every other row, and a stack whose first axis is not outermost."""
    rng = np.random.default_rng(3)
    values = rng.random((6, 8, 10))
    for view in (values.transpose(0, 2, 1), values[::2, 1::2, ::3], values.transpose(1, 0, 2)):
        check(view, solve(view))
    rows, columns = solve(values[0])
    check(values[:1], (rows[None], columns[None]))


def test_ragged_stacks(solve):
    """Of each matrix only its part counts, on the device and on the host; bad sizes are refused."""
    rng = np.random.default_rng(4)
    values = rng.integers(0, 9, (12, 6, 9))
    sizes = np.stack([rng.integers(0, 7, 12), rng.integers(0, 10, 12)], axis=1)
    check(values, solve(values, sizes=sizes), sizes=sizes)
    check(values, prunus.linear_sum_assignment(values, sizes=sizes), sizes=sizes)
    jobs = sizes[:, 1]
    both = np.stack([np.full(12, 6), jobs], axis=1)
    check(values, solve(values, sizes=jobs), sizes=both)
    check(values, prunus.linear_sum_assignment(values, sizes=jobs), sizes=both)
    sizes[5] = 3, 10
    with pytest.raises(InputError, match="matrix 5: sizes are negative or larger"):
        solve(values, sizes=sizes)
    for wrong in (sizes[:3], [1.5] * 12):
        with pytest.raises(InputError, match="sizes"):
            prunus.linear_sum_assignment(values, sizes=wrong)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.uint8])
def test_values_of_a_row_that_do_not_lie_side_by_side(solve, kind, monkeypatch):
    """Blocks of threads copy them: tall, ragged and transposed stacks, a block for many of them."""
    monkeypatch.setattr(stack_kernel, "_TURNED", 0)
    rng = np.random.default_rng(6)
    values = (200 * rng.random((6, 70, 90))).astype(kind)
    sizes = np.stack([rng.integers(0, 71, 6), rng.integers(0, 91, 6)], axis=1)
    sizes[0] = 70, 68
    as_scipy = np.float64 if kind == np.float16 else kind
    for view, some in ((values, sizes), (values[:3], None)):
        turned = None if some is None else some[:, ::-1]
        check(view.astype(as_scipy), solve(view, sizes=some), sizes=some)
        tall = view.transpose(0, 2, 1)
        check(tall.astype(as_scipy), solve(tall, sizes=turned), sizes=turned)
        tall = np.ascontiguousarray(tall)
        check(tall.astype(as_scipy), solve(tall, sizes=turned), sizes=turned)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.96, 0.985])
def test_blocks_of_threads_and_few_allowed_pairs(solve, share):
    """Rows that bid where most pairs are forbidden: the sums of SciPy, or infeasible."""
    rng = np.random.default_rng(8)
    for shape in ((70, 70), (66, 80), (80, 66)):
        values = rng.integers(0, 30, (1, *shape)).astype(np.float32)
        values[rng.random(values.shape) < share] = np.inf
        try:
            scipy_assignment(values[0])
        except ValueError:
            with pytest.raises(InputError, match="cost matrix is infeasible"):
                solve(values)
        else:
            check(values, solve(values))
    values[:, :, 3:] = np.inf
    with pytest.raises(InputError, match="infeasible"):
        solve(values)


@pytest.mark.parametrize("kind", [np.float32, np.int64])
@pytest.mark.parametrize("maximise", [False, True])
def test_a_limit_of_costs_as_on_the_host(solve, kind, maximise):
    """The same number of pairs, none beyond the limit, and the same sum of what they save."""
    rng = np.random.default_rng(5)
    for shape in ((20, 5, 5), (20, 4, 7), (20, 7, 4)):
        values = rng.integers(0, 100, shape).astype(kind)
        for limit in (30, 60.0, -np.inf if maximise else np.inf):
            found = [
                solve(values, maximise, cost_limit=limit),
                prunus.linear_sum_assignment(values, maximise, cost_limit=limit),
            ]
            saved = []
            for rows, columns in found:
                sums = []
                for matrix, i, j in zip(values, rows, columns, strict=True):
                    kept = matrix[i[i >= 0], j[j >= 0]].astype(float)
                    assert (kept >= limit).all() if maximise else (kept <= limit).all()
                    sums.append((kept - (0 if np.isinf(limit) else limit)).sum())
                saved.append(sums)
            assert saved[0] == pytest.approx(saved[1])


ALONE = (np.float16, np.float32, np.float64, np.int16, np.int64, np.uint8, np.uint32, np.uint64)


@pytest.mark.parametrize("kind", ALONE)
def test_one_large_matrix_of_every_type(solve_alone, kind):
    """By the exact method for one matrix, whatever its type and strides: SciPy's sums."""
    rng = np.random.default_rng(11)
    for shape in ((30, 30), (20, 33)):
        values = rng.integers(0, 200, shape).astype(kind)
        for view, maximise in ((values, False), (values.T, True), (values[::2, ::-1], False)):
            known = view.astype(np.float64) if kind == np.float16 else view
            rows, columns = solve_alone(view, maximise)
            check(known[None], (rows[None], columns[None]), maximise)


def test_a_stack_of_few_large_matrices(solve_alone):
    """One after the other, each by the whole card; what is wrong is said with its number."""
    values = np.random.default_rng(16).random((3, 20, 25), np.float32)
    check(values, solve_alone(values))
    values[1] = np.inf
    with pytest.raises(InputError, match="matrix 1: cost matrix is infeasible"):
        solve_alone(values)
    rows, _ = solve_alone(values, check=False)
    assert (rows[1] == -1).all()
    check(values[::2], tuple(part[::2] for part in solve_alone(values, check=False)))


def test_one_large_matrix_of_bfloat16(solve_alone):
    """Which no library but PyTorch and JAX knows, forbidden pairs included."""
    rng = np.random.default_rng(12)
    bits = rng.integers(0x3000, 0x4800, (25, 30)).astype(np.uint16)
    bits[rng.random(bits.shape) < 0.2] = 0x7F80
    floats = (bits.astype(np.uint32) << 16).view(np.float32)
    rows, columns = solve_alone(bits, kind="bfloat_t")
    check(floats[None], (rows[None], columns[None]))


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.int16, np.int64, np.uint8])
@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("few", [False, True])
def test_one_large_matrix_with_a_limit(solve_alone, monkeypatch, kind, maximise, few):
    """Pairs save as much as those on the host, and none is beyond the limit; -1 at the end.

    Where few are within the limit, these alone are fetched.
    """
    if few:
        monkeypatch.setattr(clipped, "LARGE", 0)
        monkeypatch.setattr(clipped, "_FEW", 1.0)
        monkeypatch.setattr(Held, "get", None)
    rng = np.random.default_rng(13)
    for shape in ((30, 30), (20, 33), (33, 20)):
        values = rng.integers(0, 100, shape).astype(kind)
        if kind == np.float32:
            values[rng.random(shape) < 0.3] = -np.inf if maximise else np.inf
        known = values.astype(np.float64) if kind == np.float16 else values
        for limit in (95, 97.5) if maximise else (5, 2.5, -3, 10**6):
            wanted = prunus.linear_sum_assignment(known, maximise, cost_limit=limit)
            found = solve_alone(values, maximise, cost_limit=limit)
            count = np.count_nonzero(found[0] >= 0)
            assert all((part[count:] == -1).all() for part in found)
            rows, columns = (part[:count] for part in found)
            assert (np.diff(rows) > 0).all()
            assert len(set(columns.tolist())) == count
            kept = known[rows, columns].astype(float)
            assert (kept >= limit).all() if maximise else (kept <= limit).all()
            # A pair that costs what the limit is may as well be left out.
            assert (kept - limit).sum() == (known[wanted].astype(float) - limit).sum()


@pytest.mark.usefixtures("solve_alone")
def test_a_device_keeps_a_matrix_with_many_pairs_a_row(monkeypatch):
    """Three pairs a row are few where three may be, and too many where two may be."""
    monkeypatch.setattr(clipped, "LARGE", 0)
    monkeypatch.setattr(clipped, "_FEW", 1.0)
    values = np.tile(np.arange(40, dtype=np.float32), (30, 1))
    held = prunus.Assignment(Emulated(values), cost_limit=2)
    for most, few in ((3, True), (2, False)):
        monkeypatch.setattr(clipped, "_FEW_A_ROW", most)
        assert (clipped.few_pairs(held) is not None) == few


@pytest.mark.usefixtures("solve_alone")
@pytest.mark.parametrize("kind", [np.float16, np.int16, np.int32])
@pytest.mark.parametrize("limit", [None, 20, 20.5])
def test_solve_takes_all_types_on_a_device(kind, limit):
    """One matrix and a stack of 16-bit numbers, with a limit or without: optimal, with prices."""
    rng = np.random.default_rng(15)
    for shape in ((20, 25), (3, 7, 6)):
        values = rng.integers(0, 400, shape).astype(kind)
        held = prunus.Assignment(Emulated(values), cost_limit=limit)
        result = prunus.solve(held)
        wanted = prunus.solve(prunus.Assignment(values, cost_limit=limit), devices="cpu")
        assert result.status == "optimal"
        assert result.devices == ("cuda:0",)
        assert result.objective == wanted.objective == held.evaluate(result.solution)
        agents, jobs = result.duals
        reach = values.astype(float) if limit is None else np.minimum(values, limit).astype(float)
        assert (agents[..., None] + jobs[..., None, :] <= reach + 1e-9).all()
        assert agents.sum() + jobs.sum() == pytest.approx(result.objective)


def test_what_is_wrong_with_one_large_matrix_is_said(solve_alone):
    """In the words for all others; without waiting for them there is -1 everywhere."""
    values = np.random.default_rng(14).random((9, 9))
    for wrong, words in ((np.nan, "invalid"), (-np.inf, "invalid"), (np.inf, "infeasible")):
        values[3] = wrong
        with pytest.raises(InputError, match=f"^(cost )?matrix .*{words}"):
            solve_alone(values)
        rows, columns = solve_alone(values, check=False)
        assert rows.tolist() == columns.tolist() == [-1] * 9
    wide = np.array([[2**64 - 1, 2**63], [2**64 - 3, 2**63 - 1]], np.uint64)
    assert solve_alone(wide)[1].tolist() == [1, 0]


def test_a_fraction_as_the_limit_of_64_bit_integers(solve):
    """As on the host, where it is possible for small ones."""
    values = np.arange(9).reshape(1, 3, 3)
    rows, columns = solve(values, cost_limit=4.5)
    assert (rows.tolist(), columns.tolist()) == ([[0, 1, -1]], [[1, 0, -1]])
    rows, columns = solve(values[0], cost_limit=4.5)
    assert (rows.tolist(), columns.tolist()) == ([0, 1, -1], [1, 0, -1])


def test_rows_and_columns_without_a_partner(solve):
    """In ascending order, with a limit and without; not for stacks."""
    values = np.random.default_rng(17).random((6, 9))
    for limit in (None, 0.1):
        found = solve(values, cost_limit=limit, return_unmatched=True)
        for part, free, size in zip(found[:2], found[2:], (6, 9), strict=True):
            assert sorted([*part[part >= 0], *free]) == list(range(size))
            assert (np.diff(free) > 0).all()
    with pytest.raises(InputError, match="return_unmatched is for one matrix"):
        solve(values[None], return_unmatched=True)


def test_a_limit_beyond_float32_forbids_what_it_should(solve):
    """It is no infinity: everything allowed is below it, and what is forbidden stays unmatched."""
    for values in ([1, 2], [2, 1]):
        matrix = np.array([[[np.inf, np.inf], values]], np.float32)
        rows, columns = solve(matrix, cost_limit=1e300)
        assert (rows.tolist(), columns.tolist()) == ([[1, -1]], [[values.index(1), -1]])


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("lanes", [False, True])
def test_a_far_limit_loses_no_digits_on_a_device(solve, kind, lanes, monkeypatch):
    """As many pairs as there can be, of the best sum: what a limit of 1000 finds.

    By lanes, warps and blocks, without a copy to the host.
    """
    monkeypatch.setattr(device_pairs, "_from_host", None)
    monkeypatch.setattr(stack_kernel, "_LANE_PROBLEMS", 0 if lanes else 64)
    rng = np.random.default_rng(19)
    for shape in ((9, 3, 3), (9, 6, 5), (2, 80, 70)):
        values = rng.random(shape).astype(kind)
        for maximise, sign in ((False, 1), (True, -1)):
            values[:] = np.where(rng.random(shape) < 1 - 1.5 / shape[1], sign * np.inf, values)
            expected = solve(values, maximise, cost_limit=sign * 1000)
            for limit in (2.0**21, 1e17, 1e300):
                found = solve(values, maximise, cost_limit=sign * limit, check=False)
                assert ((found[0] >= 0) == (expected[0] >= 0)).all()
                sums = [
                    np.where(i >= 0, _taken(values, i, j), 0).sum() for i, j in (found, expected)
                ]
                assert sums[0] == pytest.approx(sums[1], rel=1e-13)
            values[:] = rng.random(shape)


def _taken(values, rows, columns):
    return values.astype(float)[np.arange(len(values))[:, None], rows, columns]


def test_what_is_wrong_is_said(solve):
    """As SciPy says it, with the matrix; sums beyond 64 bits are made on the host."""
    values = np.ones((3, 2, 2))
    for wrong in (np.nan, -np.inf):
        values[2, 1, 0] = wrong
        with pytest.raises(InputError, match="matrix 2: matrix contains invalid numeric entries"):
            solve(values)
        with pytest.raises(InputError, match=r"^matrix contains invalid numeric entries"):
            solve(values[2])
        rows, _ = solve(values, check=False)
        assert rows.tolist() == [[0, 1], [0, 1], [-1, -1]]
    huge = np.array([[[2**62, 1], [5, -(2**62)]], [[0, 1], [0, 0]]])
    with pytest.warns(UserWarning, match="on the CPU, since sums of its values are too large"):
        assert solve(huge, True)[1].tolist() == [[1, 0], [1, 0]]
    assert solve(huge)[1].tolist() == [[0, 1], [0, 1]]
    wide = np.array([[[2**64 - 1, 2**63], [2**64 - 3, 2**63 - 1]]], np.uint64)
    assert solve(wide)[1].tolist() == [[1, 0]]
    check(np.full((1, 2, 2), 1e305), solve(np.full((1, 2, 2), 1e305)))
    with pytest.raises(InputError, match="2-D"):
        solve(np.ones(3))
    assert solve(np.ones((0, 3, 3)))[0].shape == (0, 3)
    assert solve(np.ones((2, 0, 3)))[0].shape == (2, 0)


def test_a_large_random_batch(solve):
    """A thousand matrices of mixed sizes in one launch: every sum is SciPy's."""
    rng = np.random.default_rng(6)
    values = rng.integers(0, 30, (300, 8, 8)).astype(np.float32)
    sizes = rng.integers(0, 9, (300, 2))
    check(values, solve(values, sizes=sizes), sizes=sizes)


@pytest.mark.parametrize("kind", [np.float32, np.int64, np.uint8])
def test_a_lane_for_each_problem(solve, kind, monkeypatch):
    """What many very small problems are solved by: wide, tall, ragged, forbidden pairs, prices."""
    monkeypatch.setattr(stack_kernel, "_LANE_PROBLEMS", 0)
    rng = np.random.default_rng(8)
    for shape in ((70, 5, 5), (40, 3, 12), (33, 12, 4), (40, 12, 12), (1, 1, 1)):
        for high in (3, 200):
            values = rng.integers(0, high, shape).astype(kind)
            sizes = np.stack([rng.integers(0, size + 1, shape[0]) for size in shape[1:]], axis=1)
            for maximise in (False, True):
                check(values, solve(values, maximise), maximise)
            check(values, solve(values, sizes=sizes), sizes=sizes)
            view = values.transpose(0, 2, 1)
            check(view, solve(view))
    if kind == np.float32:
        values = rng.random((40, 5, 6), np.float32)
        values[3, 2] = np.inf
        with pytest.raises(InputError, match="matrix 3: cost matrix is infeasible"):
            solve(values)
        values[3, 2, 0] = np.nan
        with pytest.raises(InputError, match="matrix 3: matrix contains invalid"):
            solve(values)
        values[3, 2, 0] = 0.5
        check(values, solve(values))
    check_stack(EMULATED, prunus.Assignment(rng.integers(-9, 9, (40, 6, 8)).astype(np.float64)))


LIBRARIES = ("cupy", "torch", "jax")


def array_of(library, values):
    """Return a copy of an array on the first GPU, and how one comes back."""
    # JAX would take three quarters of the card, which the tests of other processes need.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    module = pytest.importorskip(library)
    if library == "torch":
        return module.as_tensor(values, device="cuda"), lambda array: array.cpu().numpy()
    if library == "jax":
        if module.default_backend() != "gpu":
            pytest.skip("JAX has no GPU here")
        return module.numpy.asarray(values), np.asarray
    return module.asarray(values), lambda array: array.get()


@pytest.mark.gpu
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("shape", [(200, 9, 12), (50, 32, 32), (8, 200, 120), (3, 700, 700)])
def test_on_a_card(library, shape):
    """Arrays of three libraries: pairs of the same library, there, with SciPy's sums."""
    rng = np.random.default_rng(7)
    sizes = np.stack([rng.integers(0, n + 1, shape[0]) for n in shape[1:]], axis=1)
    for values in (rng.random(shape, np.float32), rng.integers(0, 100, shape, np.int32)):
        held, back = array_of(library, values)
        for some in (None, sizes):
            for waits in (True, False):
                pairs = prunus.linear_sum_assignment(held, sizes=some, check=waits)
                assert all(type(part) is type(held) for part in pairs)
                check(values, tuple(map(back, pairs)), sizes=some)
        *_, free = prunus.linear_sum_assignment(held[0], return_unmatched=True)
        assert type(free) is type(held)
        assert len(free) == max(0, shape[2] - shape[1])
    values = np.where(np.arange(shape[0])[:, None, None] == 1, np.nan, np.ones(shape))
    held, _ = array_of(library, values.astype(np.float32))
    with pytest.raises(InputError, match="matrix 1: matrix contains invalid"):
        prunus.linear_sum_assignment(held)


@pytest.mark.gpu
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("kind", [np.float16, np.int16, np.uint8, np.float32])
@pytest.mark.parametrize("limit", [None, 3])
def test_one_large_matrix_on_a_card(library, kind, limit):
    """Of types that kernels for one matrix do not have, and with a limit: what SciPy saves."""
    values = np.random.default_rng(18).integers(0, 200, (1500, 1600)).astype(kind)
    held, back = array_of(library, values)
    pairs = prunus.linear_sum_assignment(held, cost_limit=limit)
    assert all(type(part) is type(held) for part in pairs)
    rows, columns = (part[part >= 0] for part in map(back, pairs))
    reach = values.astype(float) if limit is None else np.minimum(values, limit).astype(float)
    kept = values[rows, columns].astype(float)
    missing = (0 if limit is None else limit) * (1500 - len(rows))
    assert len(set(columns.tolist())) == len(columns)
    assert kept.sum() + missing == reach[scipy_assignment(reach)].sum()


@pytest.mark.gpu
def test_a_launch_can_be_part_of_a_graph():
    """Nothing is waited for, nor copied from the host: what was recorded runs on new costs."""
    torch = pytest.importorskip("torch")
    for shape in ((100, 20, 20), (20, 200, 100)):
        costs = torch.rand(shape, device="cuda")
        prunus.linear_sum_assignment(costs)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            pairs: Any = prunus.linear_sum_assignment(costs, check=False)
        costs.copy_(torch.rand_like(costs))
        graph.replay()
        check(costs.cpu().numpy(), tuple(part.cpu().numpy() for part in pairs))


@pytest.mark.gpu
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("limit", [None, 0.3])
def test_a_solution_stays_on_the_card(library, limit):
    """What ``solve`` finds for an array on a GPU is an array of its library, there."""
    values = np.random.default_rng(9).random((4, 30, 40), np.float32)
    held, back = array_of(library, values)
    for there, here in ((held, values), (held[1], values[1])):
        problem = prunus.Assignment(there, cost_limit=limit)
        result = prunus.solve(problem)
        wanted = prunus.solve(prunus.Assignment(here, cost_limit=limit), devices="cpu")
        assert type(result.solution) is type(held)
        assert (back(result.solution) == result.host_solution).all()
        assert result.objective == pytest.approx(wanted.objective)
        assert problem.evaluate(result.solution) == result.objective
        assert f"{result.host_solution.ravel()[0]} " in str(result)
