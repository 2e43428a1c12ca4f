"""``linear_sum_assignment`` does what SciPy documents for its function of that name."""

import inspect
import itertools
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import prunus
from prunus import linear_sum_assignment
from prunus.assignment.exact.dense import few_distinct
from prunus.assignment.exact.optimum import solve_prepared
from prunus.assignment.instance.prepared import prepare_matrix
from prunus.hardware.threads import Threads
from tests.assignment.slow_assignment import best_total

SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=5)
NUMBERS = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e3, 1e3, allow_nan=False),
    st.sampled_from([np.inf, np.inf, 0.5, 1e-9, -1e9]),
)
FLOATS = SHAPES.flatmap(lambda shape: hnp.arrays(np.float64, shape, elements=NUMBERS))
INTEGERS = SHAPES.flatmap(
    lambda shape: hnp.arrays(
        np.int64,
        shape,
        elements=st.one_of(st.integers(-3, 3), st.integers(-(2**62), 2**62)),
    )
)


def total(matrix, pairs):
    """The total of the answer, after checking that it is one, sorted by row."""
    rows, columns = pairs
    assert len(rows) == len(columns) == min(matrix.shape)
    assert np.all(np.diff(rows) > 0)
    assert len(set(columns.tolist())) == len(columns)
    return sum(matrix[rows, columns].tolist())


def test_the_example_of_the_documentation():
    """The answer is two arrays, of rows in order and of their columns."""
    rows, columns = linear_sum_assignment(np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]]))
    assert rows.tolist() == [0, 1, 2]
    assert columns.tolist() == [1, 0, 2]
    assert rows.dtype == columns.dtype == np.int64


@pytest.mark.parametrize(
    ("matrix", "smallest", "largest"),
    [
        ([[400, 150, 400], [400, 450, 600], [300, 225, 300]], 850, 1225),
        ([[400, 150, 400, 1], [400, 450, 600, 2], [300, 225, 300, 3]], 452, 1225),
        ([[10, 10, 8], [9, 8, 1], [9, 7, 4]], 18, 25),
        ([[10, 10, 8, 11], [9, 8, 1, 1], [9, 7, 4, 10]], 15, 29),
        ([[5.5]], 5.5, 5.5),
        ([[3, 1, 2]], 1, 3),
        ([[3], [1], [2]], 1, 3),
    ],
)
def test_small_matrices_of_every_shape(matrix, smallest, largest):
    """Square, wide and tall, minimised and maximised, and the same transposed."""
    for values in (np.array(matrix), np.array(matrix).T):
        assert total(values, linear_sum_assignment(values)) == smallest
        assert total(values, linear_sum_assignment(values, maximize=True)) == largest


@settings(deadline=None, max_examples=700)
@given(FLOATS, st.booleans())
def test_floats_with_ties_negatives_and_forbidden_pairs(matrix, maximise):
    """The total is the best of all assignments, or the right words say that there is none."""
    matrix = -matrix if maximise else matrix
    best = best_total(matrix, maximise)
    if best is None:
        with pytest.raises(ValueError, match=r"^cost matrix is infeasible$"):
            linear_sum_assignment(matrix, maximize=maximise)
    else:
        found = total(matrix, linear_sum_assignment(matrix, maximize=maximise))
        assert found == pytest.approx(best, rel=1e-12, abs=1e-5)


@settings(deadline=None, max_examples=700)
@given(INTEGERS, st.booleans())
def test_integers_are_never_rounded(matrix, maximise):
    """The total is exactly the best, also where float64 could not tell neighbours apart."""
    found = total(matrix, linear_sum_assignment(matrix, maximize=maximise))
    assert found == best_total(matrix, maximise)


@settings(deadline=None, max_examples=700)
@given(FLOATS, st.booleans())
def test_the_large_solver_on_small_matrices(matrix, maximise):
    """Lists, auction and paths, which large matrices need, find the same on every small one."""
    matrix = -matrix if maximise else matrix
    best = best_total(matrix, maximise)
    threads = Threads(1)
    prepared = prepare_matrix(matrix, maximise, threads)
    columns = solve_prepared(prepared, threads)
    if columns is None:
        assert best is None
    else:
        columns = prepared.solution(columns)
        rows = np.flatnonzero(columns >= 0)
        found = total(matrix, (rows, columns[rows]))
        assert found == pytest.approx(best, rel=1e-12, abs=1e-5)


@pytest.mark.slow
@settings(deadline=None, max_examples=400)
@given(INTEGERS, st.booleans())
def test_the_large_solver_on_small_integers(matrix, maximise):
    """The same in integers, exactly, whichever arithmetic their size calls for."""
    threads = Threads(1)
    prepared = prepare_matrix(matrix, maximise, threads)
    if prepared.huge:
        return
    columns = prepared.solution(solve_prepared(prepared, threads))
    rows = np.flatnonzero(columns >= 0)
    assert total(matrix, (rows, columns[rows])) == best_total(matrix, maximise)


@settings(deadline=None, max_examples=200)
@given(
    hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12).flatmap(
        lambda shape: hnp.arrays(np.float64, shape, elements=st.integers(-9, 9).map(float))
    ),
    st.booleans(),
)
def test_the_totals_of_scipy(matrix, maximise):
    """SciPy's own function finds the same total."""
    scipy = pytest.importorskip("scipy.optimize")
    theirs = total(matrix, scipy.linear_sum_assignment(matrix, maximize=maximise))
    assert total(matrix, linear_sum_assignment(matrix, maximize=maximise)) == theirs


@pytest.mark.parametrize("kind", ["int", "float", "float32", "geometric", "equal", "wide", "tall"])
def test_the_totals_of_scipy_on_larger_matrices(kind):
    """And on matrices that are too large for whole rows."""
    scipy = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(5)
    shape = {"wide": (110, 170), "tall": (170, 110)}.get(kind, (130, 130))
    matrix = rng.random(shape)
    if kind == "float32":
        matrix = matrix.astype(np.float32)
    elif kind == "equal":
        matrix = np.ones(shape)
    elif kind == "geometric":
        points = rng.random((130, 2))
        matrix = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    elif kind != "float":
        matrix = rng.integers(0, 50, shape)
    for maximise in (False, True):
        theirs = total(matrix, scipy.linear_sum_assignment(matrix, maximize=maximise))
        mine = total(matrix, linear_sum_assignment(matrix, maximize=maximise))
        assert mine == pytest.approx(theirs, rel=1e-6 if kind == "float32" else 1e-12)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_empty_matrices(shape):
    """Nothing is assigned where there is nothing."""
    rows, columns = linear_sum_assignment(np.empty(shape))
    assert rows.dtype == columns.dtype == np.int64
    assert rows.shape == columns.shape == (0,)


def test_any_memory_order():
    """Fortran order, reversed, strided and read-only views, lists and matrices are all the same."""
    matrix = np.random.default_rng(1).integers(0, 99, (120, 120)).astype(float)
    frozen = matrix.copy()
    frozen.setflags(write=False)
    spread = np.zeros((240, 240))
    spread[::2, ::2] = matrix
    wanted = total(matrix, linear_sum_assignment(matrix))
    views = (np.asfortranarray(matrix), spread[::2, ::2], frozen, matrix[::-1, ::-1], matrix.T)
    for view in (*views, matrix.tolist()):
        assert total(np.asarray(view), linear_sum_assignment(view)) == wanted


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (4, 6), (8, 128), (9, 113), (1, 129), (32, 32)])
@pytest.mark.parametrize("maximise", [False, True])
def test_every_way_into_native_code(shape, maximise):
    """The shortest way, taken by each order, type and shape up to its limits, finds SciPy's totals.

    The pairs come sorted, in arrays of their own that may be written to.
    """
    scipy = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng([*shape, maximise])
    for forbidden in (False, True):
        wide = rng.integers(0, 50, shape).astype(float)
        if forbidden and wide.shape[1] > 1:
            wide[rng.random(shape) < 0.2] = -np.inf if maximise else np.inf
            wide[np.arange(shape[0]), np.arange(shape[0])] = 25.0
        for matrix in (wide, wide.T.copy()):
            frozen = matrix.copy()
            frozen.setflags(write=False)
            spread = np.zeros((2 * matrix.shape[0], 3 * matrix.shape[1]))[::2, ::3]
            spread[:] = matrix
            crooked = np.empty(matrix.nbytes + 1, np.uint8)[1:].view(float).reshape(matrix.shape)
            crooked[:] = matrix
            floats = matrix.astype(np.float32), matrix.astype(">f8")
            whole = () if forbidden else (matrix.astype(np.int64), matrix.astype(np.uint8))
            forms = (matrix, np.asfortranarray(matrix), frozen, spread, crooked, *floats, *whole)
            theirs = total(matrix, scipy.linear_sum_assignment(matrix, maximize=maximise))
            for form in (*forms, matrix.tolist(), *(part.tolist() for part in whole)):
                rows, columns = linear_sum_assignment(form, maximise)
                assert total(matrix, (rows, columns)) == theirs
                rows += 1
                columns += 1


def test_the_call_looks_as_it_is_documented():
    """Its options have their names and defaults, and what is not one of them is a type error."""
    options = inspect.signature(linear_sum_assignment).parameters
    assert [*options] == [
        *("cost_matrix", "maximize", "cost_limit", "return_unmatched", "ties", "sizes", "check")
    ]
    with pytest.raises(TypeError, match=r"^linear_sum_assignment\(\) got an unexpected keyword"):
        linear_sum_assignment(np.eye(2), maximise=True)


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint16, np.int32, np.uint64, np.float16])
def test_any_kind_of_number(kind):
    """Truth values and numbers of any width are taken."""
    matrix = np.array([[1, 0], [1, 1]], dtype=kind)
    assert linear_sum_assignment(matrix)[1].tolist() == [1, 0]
    assert linear_sum_assignment(matrix, maximize=True)[1].tolist() == [0, 1]


def test_arrays_that_speak_dlpack_alone():
    """What has no other word for NumPy is read as `Assignment` reads it."""

    class Foreign:
        def __init__(self, array):
            self._array = array

        def __dlpack__(self, **options):
            return self._array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self._array.__dlpack_device__()

    costs = np.array([[4.0, 1, 3], [2, 0, 5], [3, 2, 2]])
    assert linear_sum_assignment(Foreign(costs))[1].tolist() == [1, 0, 2]
    assert prunus.solve(prunus.Assignment(Foreign(costs))).objective == 5


def test_the_input_is_left_alone():
    """The matrix is not changed, maximised or not."""
    for size in (5, 150):
        matrix = np.random.default_rng(2).random((size, size))
        before = matrix.copy()
        linear_sum_assignment(matrix)
        linear_sum_assignment(matrix, maximize=True)
        assert np.array_equal(matrix, before)


@pytest.mark.parametrize("size", [2, 150])
@pytest.mark.parametrize(
    ("value", "maximise"), [(np.nan, False), (np.nan, True), (-np.inf, False), (np.inf, True)]
)
def test_what_is_not_a_number_is_refused(size, value, maximise):
    """NaN, and infinity of the better sign, are errors in SciPy's words."""
    matrix = np.ones((size, size))
    matrix[-1, 1] = value
    with pytest.raises(ValueError, match=r"^matrix contains invalid numeric entries$"):
        linear_sum_assignment(matrix, maximize=maximise)


@pytest.mark.parametrize("size", [2, 150])
@pytest.mark.parametrize("maximise", [False, True])
def test_an_infeasible_matrix(size, maximise):
    """Two rows that may only have the same column allow no assignment, in either orientation."""
    bad = -np.inf if maximise else np.inf
    matrix = np.ones((size, size))
    matrix[:2, 1:] = bad
    for values in (matrix, matrix.T):
        with pytest.raises(ValueError, match=r"^cost matrix is infeasible$"):
            linear_sum_assignment(values, maximize=maximise)


def test_forbidden_pairs_are_avoided_in_large_matrices():
    """With one allowed cycle of pairs through forbidden ones, exactly these are chosen."""
    matrix = np.full((150, 150), np.inf)
    matrix[np.arange(150), (np.arange(150) + 1) % 150] = 7.0
    matrix[0, 0] = 1.0
    assert linear_sum_assignment(matrix)[1].tolist() == [*range(1, 150), 0]


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([1, 2, 3], "expected a matrix (2-D array), got a 1 array"),
        (np.zeros((2, 2, 2, 2)), "expected a matrix (2-D array), got a 4 array"),
        (5, "expected a matrix (2-D array), got a 0 array"),
        (None, "expected a matrix (2-D array), got a 0 array"),
        ([["a", "b"]], "could not convert string to float: 'a'"),
    ],
)
def test_what_is_no_matrix_is_refused(matrix, words):
    """In SciPy's words."""
    with pytest.raises(prunus.InputError) as caught:
        linear_sum_assignment(matrix)
    assert str(caught.value) == words


@pytest.mark.parametrize("matrix", [[[1 + 2j]], [[object()]], np.array([["2020"]], "M8[Y]")])
def test_what_cannot_be_converted_is_refused(matrix):
    """Complex numbers, objects and dates are type errors."""
    with pytest.raises(TypeError):
        linear_sum_assignment(matrix)


def test_integers_beyond_the_exact_floats_in_a_large_matrix():
    """Of two totals that differ by 1 in 2**60, the smaller is found."""
    size = 130
    matrix = np.full((size, size), 2**60, dtype=np.int64)
    matrix += np.arange(size)[:, None] * np.arange(size)
    matrix[0, size - 1] -= 1
    best = sum(int(matrix[i, size - 1 - i]) for i in range(size))
    assert total(matrix, linear_sum_assignment(matrix)) == best
    rng = np.random.default_rng(3)
    wide = rng.integers(-(2**61), 2**61, (115, 115))
    rows, columns = linear_sum_assignment(wide)
    assert set(columns.tolist()) == set(range(115))
    lower = sum(int(row.min()) for row in wide)
    assert lower <= sum(map(int, wide[rows, columns].tolist())) <= lower + 115 * 2**56


KINDS = ("?", "u1", "i2", "u4", "i8", "u8", "f2", "f4", "f8", "g", ">f8", ">i4", ">f4", "c16")
OBJECTS = ("O", "U4", "S4", "M8[D]", "m8[D]")
FORMS = {
    "array": lambda matrix: matrix,
    "list": lambda matrix: matrix.tolist(),
    "tuples of scalars": lambda matrix: tuple(map(tuple, matrix)),
    "masked": lambda matrix: np.ma.masked_array(matrix, mask=np.eye(*matrix.shape)),
    "matrix": np.matrix,
    "reversed": lambda matrix: matrix[::-1],
    "by columns": lambda matrix: matrix.T,
    "every second": lambda matrix: matrix[:, ::2],
    "one dimension": lambda matrix: matrix.reshape(-1),
}


def outcome(solve, matrix, maximise):
    """What a call gives: types and rows of an answer, or the type and the words of an error."""
    try:
        rows, columns = solve(matrix, maximize=maximise)
    except (TypeError, ValueError) as error:
        base = TypeError if isinstance(error, TypeError) else ValueError
        return base.__name__, str(error)
    # Text is compared by what it says, everything else by its numbers.
    values = np.asarray(matrix)
    if values.dtype.kind in "OUSMmcVg":
        values = np.asarray(matrix, np.float64)
    values = np.asarray(values, np.float64)
    return rows.dtype, columns.dtype, rows.tolist(), pytest.approx(values[rows, columns].sum())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", KINDS + OBJECTS)
def test_the_outcome_of_scipy_on_every_form_and_type(kind, form):
    """Arrays, lists and tuples of any type, empty or not, with infinities and NaN."""
    scipy = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng([*map(ord, kind + form)])
    for shape in ((0, 3), (3, 0), (0, 0), (1, 4), (4, 1), (1, 1), (3, 3), (2, 5), (5, 3)):
        numbers = rng.integers(0 if "u" in kind else -4, 5, shape).astype(kind)
        some = rng.random(shape) < 0.3
        others = (np.inf, -np.inf, np.nan) if numbers.dtype.kind == "f" else ()
        several = [numbers, *(np.where(some, value, numbers).astype(kind) for value in others)]
        for matrix in map(FORMS[form], several):
            for maximise in (False, True):
                wanted = outcome(scipy.linear_sum_assignment, matrix, maximise)
                assert outcome(partial(linear_sum_assignment, ties="scipy"), matrix, maximise) == (
                    wanted
                )
                found = outcome(linear_sum_assignment, matrix, maximise)
                # Which rows of a tall matrix have a column may be a choice among ties.
                assert found == wanted or (found[:2] + found[3:] == wanted[:2] + wanted[3:])


@pytest.mark.filterwarnings("ignore")
def test_the_outcome_of_scipy_on_what_is_hardly_a_matrix():
    """None, text, ragged lists, dictionaries, huge integers: the same outcome."""
    scipy = pytest.importorskip("scipy.optimize")
    for matrix in (
        *(None, 5, "abc", b"ab", [], [[]], [[], []], [[1, 2], [3]], {}, {1: 2}, object()),
        *([None], [[None]], [[1, None]], [["1", "2"], ["3", "4"]], [[1, "a"]], [[1 + 2j]]),
        *([[2**70, 1], [3, 4]], [[2**64 - 1, 1], [3, 4]], [[float("nan")]], [[Decimal("1.5")]]),
        *(range(3), [range(3)] * 2, memoryview(b"abcd"), np.zeros((0, 3), object), iter([[1]])),
        *(np.array([[""]]), np.array([["inf", "1"]]), [[np.longdouble(1)]], np.array("x")),
        np.array([[2**63]], object),
    ):
        for maximise in (False, True):
            wanted = outcome(scipy.linear_sum_assignment, matrix, maximise)
            assert outcome(linear_sum_assignment, matrix, maximise) == wanted


@settings(deadline=None, max_examples=100)
@given(
    SHAPES.flatmap(
        lambda shape: hnp.arrays(
            np.uint64,
            shape,
            elements=st.one_of(st.integers(2**63, 2**63 + 200), st.integers(0, 2**64 - 1)),
        )
    ),
    st.booleans(),
)
def test_unsigned_integers_of_64_bits_are_never_rounded(matrix, maximise):
    """Beyond 2**63 as well, near one another or far apart."""
    found = total(matrix, linear_sum_assignment(matrix, maximize=maximise))
    assert found == best_total(matrix, maximise)


@pytest.mark.parametrize("shape", [(40, 40), (300, 300), (200, 500), (500, 200)])
@pytest.mark.parametrize("kind", ["three integers", "truth", "five floats", "equal", "forbidden"])
def test_few_distinct_values(shape, kind):
    """The totals of SciPy where every row's best value stands in many columns."""
    scipy = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(7)
    matrix = rng.integers(0, 3, shape)
    if kind == "truth":
        matrix = rng.random(shape) < 0.5
    elif kind == "five floats":
        matrix = rng.integers(0, 5, shape) / 7
    elif kind == "equal":
        matrix = np.ones(shape)
    elif kind == "forbidden":
        matrix = np.where(rng.random(shape) < 0.3, np.inf, matrix)
    for maximise in (False, True):
        values = -matrix if maximise and kind == "forbidden" else matrix
        theirs = total(values, scipy.linear_sum_assignment(values, maximize=maximise))
        mine = total(values, linear_sum_assignment(values, maximize=maximise))
        assert mine == pytest.approx(theirs)
        if shape[0] == 300:
            result = prunus.solve(prunus.Assignment(values.astype(float), maximize=maximise))
            assert result.status.name == "OPTIMAL"
            assert result.objective == pytest.approx(theirs)


def test_lists_are_not_made_where_they_say_nothing():
    """Few distinct values are told by a sample, many are not taken for few."""
    rng = np.random.default_rng(1)
    for matrix, few in (
        (rng.integers(0, 3, (300, 300)), True),
        (rng.integers(0, 100, (300, 300)), False),
        (rng.random((300, 300)), False),
    ):
        assert few_distinct(matrix) is few


_GIANT = st.sampled_from([1.7e308, -1.7e308, 1e308, -1e308, 1e305, 0.0, 1.0, np.inf])


@settings(deadline=None, max_examples=100)
@given(
    SHAPES.flatmap(lambda shape: hnp.arrays(np.float64, shape, elements=_GIANT)),
    st.booleans(),
    st.booleans(),
)
def test_floats_whose_sums_are_beyond_the_largest(matrix, maximise, stacked):
    """The optimum all the same, up to rounding: Python's fractions have no largest."""
    matrix = np.where(np.isinf(matrix) & maximise, -matrix, matrix)
    exact = [[Fraction(x) if np.isfinite(x) else None for x in row] for row in matrix.tolist()]
    best = best_fraction(exact, maximise)
    given = np.stack([matrix, matrix]) if stacked else matrix
    if best is None:
        with pytest.raises(prunus.InputError, match="infeasible"):
            linear_sum_assignment(given, maximize=maximise)
        return
    rows, columns = np.atleast_2d(*linear_sum_assignment(given, maximize=maximise))
    found = sum(Fraction(x) for x in matrix[rows[-1], columns[-1]].tolist())
    assert abs(found - best) <= Fraction(1.7e308) / 2**40


def best_fraction(matrix, maximise):
    """The best total over all assignments that avoid what is None; None if there is none."""
    if len(matrix) > len(matrix[0]):
        matrix = list(zip(*matrix, strict=True))
    totals = []
    for columns in itertools.permutations(range(len(matrix[0])), len(matrix)):
        values = [row[j] for row, j in zip(matrix, columns, strict=True)]
        if None not in values:
            totals.append(sum(values))
    return (max if maximise else min)(totals, default=None)


def test_a_data_frame_of_whole_numbers_with_room_for_missing_ones_is_solved() -> None:
    """To NumPy its values are objects; SciPy takes them, as long as none is missing."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1, 5], "b": [1, 2]}, dtype="Int64")
    assert linear_sum_assignment(frame)[1].tolist() == [0, 1]
    frame.loc[1, "a"] = pandas.NA
    with pytest.raises(TypeError):
        linear_sum_assignment(frame)
