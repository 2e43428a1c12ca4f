"""What ``linear_sum_assignment`` takes beyond SciPy's: stacks, sparse matrices, a limit, ties."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

import prunus
from prunus import linear_sum_assignment

STACKS = hnp.array_shapes(min_dims=3, max_dims=3, min_side=1, max_side=6).flatmap(
    lambda shape: hnp.arrays(
        st.sampled_from([np.float64, np.float32, np.int64, np.uint8]),
        shape,
        elements=st.integers(0, 9),
    )
)


@settings(deadline=None, max_examples=100)
@given(STACKS, st.booleans())
def test_a_stack_is_solved_matrix_by_matrix(stack, maximise):
    """The totals are those of each matrix alone, rows come in order and columns once."""
    rows, columns = linear_sum_assignment(stack, maximise)
    assert rows.shape == columns.shape == (len(stack), min(stack.shape[1:]))
    for matrix, some_rows, some_columns in zip(stack, rows, columns, strict=True):
        alone = linear_sum_assignment(matrix, maximise)
        assert np.all(np.diff(some_rows) > 0)
        assert len(set(some_columns.tolist())) == len(some_columns)
        assert matrix[some_rows, some_columns].sum() == matrix[alone].sum()


def test_stacks_at_the_edge():
    """Empty ones, huge integers, one matrix that cannot be solved, NaN."""
    for shape in ((0, 2, 3), (2, 0, 3), (2, 3, 0)):
        rows, columns = linear_sum_assignment(np.zeros(shape))
        assert rows.shape == columns.shape == (shape[0], min(shape[1:]))
    huge = np.array([[[2**62, 1], [1, 2**62]], [[1, 2**62], [2**62, 0]]])
    assert linear_sum_assignment(huge)[1].tolist() == [[1, 0], [0, 1]]
    stack = np.zeros((3, 2, 2))
    stack[1, 0] = np.inf
    with pytest.raises(prunus.InputError, match="matrix 1: cost matrix is infeasible"):
        linear_sum_assignment(stack)
    stack[1, 0] = np.nan
    with pytest.raises(prunus.InputError, match="matrix 1: matrix contains invalid numeric"):
        linear_sum_assignment(stack)


def best_partial(matrix, limit):
    """The least sum of costs less the limit over all sets of pairs, by going through them."""
    tall = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix
    rows, columns = tall.shape
    return min(
        sum(min(0, tall[i, j] - limit) for i, j in zip(range(rows), chosen, strict=True))
        for chosen in permutations(range(columns), rows)
    )


@settings(deadline=None, max_examples=150)
@given(
    hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=4).flatmap(
        lambda shape: hnp.arrays(
            st.sampled_from([np.float64, np.int64]), shape, elements=st.integers(-9, 9)
        )
    ),
    st.one_of(st.integers(-10, 10), st.floats(-10, 10).map(lambda x: round(x, 1))),
    st.booleans(),
)
def test_no_pair_is_dearer_than_the_limit(matrix, limit, maximise):
    """And what the pairs cost less the limit is as little as can be."""
    sign = -1 if maximise else 1
    rows, columns, no_column, no_row = linear_sum_assignment(
        matrix, maximise, cost_limit=limit, return_unmatched=True
    )
    values = sign * matrix[rows, columns]
    assert np.all(values <= sign * limit)
    assert sorted([*rows, *no_column]) == list(range(matrix.shape[0]))
    assert sorted([*columns, *no_row]) == list(range(matrix.shape[1]))
    assert sum(values - sign * limit) == pytest.approx(best_partial(sign * matrix, sign * limit))
    rows, columns = linear_sum_assignment(sparse.csr_matrix(matrix), maximise, cost_limit=limit)
    stored = np.where(matrix != 0, sign * matrix.astype(float), np.inf)
    saved = sum(stored[rows, columns] - sign * limit)
    assert saved == pytest.approx(best_partial(stored, sign * limit))


def test_a_limit_makes_every_matrix_feasible():
    """Forbidden pairs stay unmatched; in stacks -1 stands at the end; what is no number is not."""
    matrix = np.array([[np.inf, np.inf, 9.0], [2.0, np.inf, 1.0]])
    assert [part.tolist() for part in linear_sum_assignment(matrix, cost_limit=5)] == [[1], [2]]
    rows, columns = linear_sum_assignment(matrix[None], cost_limit=5)
    assert (rows.tolist(), columns.tolist()) == ([[1, -1]], [[2, -1]])
    whole = linear_sum_assignment(np.array([[1, 2], [3, 4]], np.uint8), cost_limit=np.inf)
    assert whole[0].size == 2
    for wrong in ("5", np.nan, True, -np.inf):
        with pytest.raises(prunus.InputError, match="cost_limit"):
            linear_sum_assignment(matrix, cost_limit=wrong)


@settings(deadline=None, max_examples=60)
@given(
    hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=7).flatmap(
        lambda shape: hnp.arrays(np.int64, shape, elements=st.integers(-2, 4))
    ),
    st.booleans(),
)
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_array, sparse.coo_matrix])
@pytest.mark.filterwarnings("ignore:explicit zero")
def test_sparse_matrices_are_matched_as_scipy_matches_them(form, values, maximise):
    """The same total over the stored entries, or no full matching."""
    theirs = pytest.importorskip("scipy.sparse.csgraph").min_weight_full_bipartite_matching
    matrix = form(values)
    try:
        rows, columns = theirs(matrix, maximise)
    except ValueError:
        with pytest.raises(prunus.InputError, match="no full matching exists"):
            linear_sum_assignment(matrix, maximise)
        return
    found = linear_sum_assignment(matrix, maximise)
    assert values[found].all()
    assert np.all(np.diff(found[0]) > 0)
    assert values[found].sum() == values[rows, columns].sum()


def test_entries_that_are_stored_twice_are_added():
    """As everywhere in SciPy; the matrix that was given stays as it is."""
    places = ([0, 0, 0, 1, 1], [1, 0, 1, 0, 1])
    matrix = sparse.csr_array((np.array([2.0, 4, 3, 1, 1]), places[1], [0, 3, 5]), shape=(2, 2))
    rows, columns = linear_sum_assignment(matrix)
    assert (rows.tolist(), columns.tolist()) == ([0, 1], [0, 1])
    assert matrix.nnz == 5


def test_what_is_wrong_with_a_sparse_matrix_is_said():
    """A sentence names the stored entry, or the dimensions."""
    for solve in (linear_sum_assignment, prunus.Assignment):
        with pytest.raises(prunus.InputError, match=r"values \(stored entry 1\): nan is missing"):
            solve(sparse.csr_array(np.array([[1.0, np.nan], [1, 1]])))
        with pytest.raises(prunus.InputError, match=r"too large|scale them down"):
            prunus.solve(solve(sparse.csr_array(np.array([[1e308, 1.0], [1.0, 1.0]]))))
        with pytest.raises(prunus.InputError, match="got 1 dimension"):
            solve(sparse.coo_array(np.array([1.0, 2.0])))


def test_a_limit_beyond_float32_allows_no_forbidden_pair():
    """In float32 it would be infinite, and a pair that costs infinity no dearer."""
    matrix = np.array([[np.inf, np.inf], [1, 2]], np.float32)
    rows, columns = linear_sum_assignment(matrix, cost_limit=1e300)
    assert (rows.tolist(), columns.tolist()) == ([1], [0])
    rows, columns = linear_sum_assignment(matrix[None], cost_limit=1e300)
    assert (rows.tolist(), columns.tolist()) == ([[1, -1]], [[0, -1]])
    for solve in (linear_sum_assignment, prunus.Assignment):
        with pytest.raises(prunus.InputError, match="beyond all floats"):
            solve(matrix, cost_limit=10**400)


def test_stored_zeros_are_left_out_with_a_warning():
    """As SciPy does: a weight of zero is no edge."""
    matrix = sparse.csr_array(([1.0, 0.0, 2.0, 5.0], ([0, 0, 1, 1], [0, 1, 0, 1])), shape=(2, 2))
    with pytest.warns(UserWarning, match="explicit zero weights"):
        assert linear_sum_assignment(matrix)[1].tolist() == [0, 1]
    assert matrix.nnz == 4


@settings(deadline=None, max_examples=150)
@given(
    hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12).flatmap(
        lambda shape: hnp.arrays(np.float64, shape, elements=st.sampled_from([0, 1, 2, 0.5]))
    ),
    st.booleans(),
)
def test_ties_are_settled_as_scipy_settles_them(matrix, maximise):
    """The very same rows and columns."""
    scipy = pytest.importorskip("scipy.optimize")
    theirs = scipy.linear_sum_assignment(matrix, maximise)
    mine = linear_sum_assignment(matrix, maximise, ties="scipy")
    assert [part.tolist() for part in mine] == [part.tolist() for part in theirs]


def test_sizes_are_whole_numbers_of_any_type():
    """Of eight bits beside more rows than these number; none for no matrix; one for each matrix."""
    stack = np.random.default_rng(5).random((2, 300, 4))
    columns = linear_sum_assignment(stack, sizes=np.array([4, 2], np.uint8))[1]
    assert (columns >= 0).sum(axis=1).tolist() == [4, 2]
    assert len(linear_sum_assignment(np.zeros((0, 3, 4)), sizes=[])[0]) == 0
    for sizes in ([[1, 2], [3]], [4], [[1, 2, 3]] * 2):
        with pytest.raises(prunus.InputError, match="needs a stack and must have the shape"):
            linear_sum_assignment(stack, sizes=sizes)
