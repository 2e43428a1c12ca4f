"""The assignment problem: what it takes, what it refuses in which words, and `evaluate`."""

import pickle

import numpy as np
import pytest

import prunus
from prunus import Assignment, InputError, linear_sum_assignment
from prunus.assignment import solution, validation
from prunus.hardware.cuda import borrowed


def test_evaluate_adds_the_values_of_the_pairs():
    """Integers give an int, floats a correctly rounded float; -1 is an agent without a job."""
    assert Assignment([[4, 1], [2, 0]]).evaluate([1, 0]) == 3
    assert Assignment([[0.1] * 10] * 10).evaluate(range(10)) == 1.0
    assert Assignment([[5], [7], [9]]).evaluate([-1, 0, -1]) == 7
    assert Assignment([[2**62, 1], [1, 2**62]]).evaluate([0, 1]) == 2**63


@pytest.mark.parametrize(
    ("solution", "words"),
    [
        ([0, 0], "job 0 is given to agents 0 and 1"),
        ([0, 2], "agent 1 is given job 2"),
        ([0, -1], "must give 2 agents a job, this gives 1"),
        ([0], "shape"),
        ([0.5, 1], "integers"),
    ],
)
def test_what_is_no_assignment_is_refused(solution, words):
    """In a sentence that names the agent and the job."""
    with pytest.raises(InputError, match=words):
        Assignment([[1, 2], [3, 4]]).evaluate(solution)


def test_forbidden_pairs_cannot_be_evaluated():
    """In dense and in sparse problems."""
    for problem in (
        Assignment([[np.inf, 2], [3, 4]]),
        Assignment.from_arcs(2, 2, [0, 1, 1], [1, 0, 1], [2, 3, 4]),
    ):
        assert problem.evaluate([1, 0]) == 5
        with pytest.raises(InputError, match="agent 0 and job 0 are a forbidden pair"):
            problem.evaluate([0, 1])


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([[1, np.nan]], r"values\[0, 1\]: nan is missing"),
        ([[1, -np.inf]], "infinitely good when minimising"),
        ([1, 2], "got 1 dimension$"),
        ([["a"]], "'a' is text, not a number"),
        ([[1j]], "real numbers"),
        ([[2**70]], "beyond 64 bits"),
        ([[1, 2], [3]], "ragged: row 1"),
    ],
)
def test_what_is_no_matrix_is_refused(values, words):
    """In a sentence that names the entry."""
    with pytest.raises(InputError, match=words):
        Assignment(values)


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("kind", [np.float32, np.int64])
def test_large_matrices_are_looked_at_by_all_cores(monkeypatch, maximise, kind):
    """What is best is found, and what is no number, whichever core comes across it."""
    monkeypatch.setattr(validation, "_SHARE", 4)
    monkeypatch.setattr(validation, "available_cores", lambda: 3)
    for place in range(21):
        values = np.random.default_rng(place).integers(-9, 9, 21).astype(kind)
        values[place] = 10 if maximise else -10
        problem = Assignment(values.reshape(3, 7), maximize=maximise)
        assert problem.best_value == values[place]
        if kind is np.float32:
            values[place] = np.nan
            where = ", ".join(map(str, divmod(place, 7)))
            with pytest.raises(InputError, match=rf"values\[{where}\]: nan is missing"):
                Assignment(values.reshape(3, 7), maximize=maximise)


@pytest.mark.parametrize(
    ("arcs", "words"),
    [
        (([0, 0], [1, 1], [1, 2]), "given twice"),
        (([0], [2], [1]), r"heads\[0\]: 2"),
        (([0, 1], [0], [1]), "one length"),
        (([0], [0], [np.nan]), "missing"),
    ],
)
def test_what_are_no_arcs_is_refused(arcs, words):
    """Pairs out of range or given twice are named."""
    with pytest.raises(InputError, match=words):
        Assignment.from_arcs(2, 2, *arcs)


def test_points_must_be_points_of_one_dimension():
    """Dimensions, metric and coordinates are checked."""
    for metric in ("cosine", np.zeros((0, 0)), ["euclidean"]):
        with pytest.raises(InputError, match="metric"):
            Assignment.from_points([[0, 0]], metric=metric)
    with pytest.raises(InputError, match="coordinates"):
        Assignment.from_points([[0, 0]], [[0]])
    with pytest.raises(InputError, match="finite"):
        Assignment.from_points([[0, np.inf]])
    assert Assignment.from_points([[0, 0], [3, 4]]).evaluate([1, 0]) == 10.0


def test_the_values_are_copied_and_read_only():
    """Neither the caller nor the holder of the problem can change it."""
    matrix = np.ones((2, 2))
    problem = Assignment(matrix)
    matrix[0, 0] = 9
    assert problem.matrix[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        problem.matrix[0, 0] = 5


def test_pickling_keeps_everything():
    """A copy has the same values, sense and names, in every form."""
    names = {"agent_names": ["a", "b"], "job_names": ["x", "y"], "name": "duo"}
    for problem in (
        Assignment([[1, 2], [3, 4]], maximize=True, **names),
        Assignment.from_points([[0, 0], [3, 4]], **names),
        Assignment.from_arcs(2, 2, [0, 1], [1, 0], [2, 3], **names),
    ):
        copy = pickle.loads(pickle.dumps(problem))
        assert repr(copy) == repr(problem)
        assert copy.job_names == ("x", "y")
        assert copy.evaluate([1, 0]) == problem.evaluate([1, 0])


def test_a_data_frame_names_agents_and_jobs():
    """Index and columns of a DataFrame are the names."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[1, 2], [3, 4]], index=["ann", "bob"], columns=["dig", "saw"])
    problem = Assignment(frame)
    assert problem.agent_names == ("ann", "bob")
    assert problem.job_names == ("dig", "saw")


def test_a_large_matrix_need_not_be_there_twice():
    """An array that nobody can write to is taken as it is; any other one is copied."""
    values = np.arange(9.0).reshape(3, 3).copy()
    changeable, view = Assignment(values), Assignment(values[:, :2])
    values.setflags(write=False)
    assert np.shares_memory(Assignment(values).matrix, values)
    assert not np.shares_memory(changeable.matrix, values)
    assert not np.shares_memory(view.matrix, values)
    assert not np.shares_memory(Assignment(values[:2]).matrix, values)
    assert not Assignment(values).matrix.flags.writeable


def test_a_ragged_assignment_is_refused_in_a_sentence() -> None:
    """What is no list of numbers is an error of the user's."""
    with pytest.raises(InputError, match="one number for each agent"):
        Assignment([[1, 2], [3, 4]]).evaluate([[1, 2], [3]])


@pytest.mark.parametrize(
    ("metric", "total"),
    [("euclidean", 5.0 + 2.0), ("sqeuclidean", 29.0), ("cityblock", 9.0), ("chebyshev", 6.0)],
)
def test_points_are_as_far_apart_as_their_metric_says(metric: str, total: float) -> None:
    """Three and four apart is 5, 25, 7 or 4; two apart along an axis is 2, 4, 2 or 2."""
    problem = Assignment.from_points([[0, 0], [1, 1]], [[3, 4], [1, 3]], metric=metric)
    assert problem.evaluate([0, 1]) == total


def test_where_all_pairs_are_forbidden_each_is_told() -> None:
    """A sparse matrix without entries allows nothing."""
    scipy = pytest.importorskip("scipy.sparse")
    with pytest.raises(InputError, match="agent 0 and job 1 are a forbidden pair"):
        Assignment(scipy.csr_array((2, 2), dtype=float)).evaluate([1, 0])


@pytest.mark.parametrize("wrong", ["no", None, 2, 0.5, np.zeros(2)])
def test_maximize_is_true_or_false(wrong):
    """Text such as "no" is not taken for true."""
    builders = (
        lambda: Assignment([[1, 2], [3, 4]], maximize=wrong),
        lambda: Assignment.from_points([[0, 1], [1, 0]], maximize=wrong),
        lambda: Assignment.from_arcs(1, 1, [0], [0], [5], maximize=wrong),
        lambda: linear_sum_assignment([[1, 2], [3, 4]], maximize=wrong),
    )
    for build in builders:
        with pytest.raises(InputError, match="neither True nor False"):
            build()
    assert Assignment([[1, 2], [3, 4]], maximize=np.True_).maximise is True


def test_a_sparse_problem_of_more_jobs_than_32_bits_number_is_refused():
    """Nothing overflows in silence: neither the key of a pair nor the number of a job."""
    with pytest.raises(InputError, match="at most 2147483647 jobs"):
        Assignment.from_arcs(20, 10**18, [0, 1], [5, 10**17], [1, 2])
    with pytest.raises(InputError, match="at most 2147483647 agents"):
        Assignment.from_arcs(2**31, 3, [0, 1], [0, 1], [1, 2])


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (0, 2, 3), (2, 0, 3), (2, 3, 0)])
@pytest.mark.parametrize("kind", [bool, np.int64, np.float64])
def test_what_is_empty_is_solved(shape, kind):
    """Without agents, jobs or problems nobody gets a job, the total is 0, and that is optimal."""
    result = prunus.solve(prunus.Assignment(np.zeros(shape, kind)), time_limit=10)
    assert result.status is prunus.Status.OPTIMAL
    assert result.objective == result.bound == 0
    assert isinstance(result.objective, float) is (kind is np.float64)
    assert np.array_equal(result.solution, np.full(shape[:-1], -1))
    assert result.duals.agents.shape == shape[:-1]
    assert str(result)


def test_truth_values_are_0_and_1():
    """Of a matrix, a stack and a sparse matrix."""
    sparse = pytest.importorskip("scipy.sparse")
    truth = np.array([[True, False], [True, True]])
    assert prunus.solve(prunus.Assignment(truth)).objective == 1
    assert prunus.solve(prunus.Assignment(truth[None])).objective == 1
    assert prunus.solve(prunus.Assignment(sparse.csr_array(truth))).objective == 2


def test_a_solution_comes_back_in_the_library_of_the_values(monkeypatch, tmp_path):
    """Values on a GPU: so is the solution; printing, saving and pickling have it on the host."""

    class Tensor:
        """An array of some library on a GPU."""

        def __init__(self, values):
            self.values = np.array(values)

        def put(self, values):
            return Tensor(values)

        def read(self):
            return self.values

    monkeypatch.setattr(borrowed, "borrow", lambda array, what: array)
    monkeypatch.setattr(solution, "is_resident", lambda array: isinstance(array, Tensor))
    matrix = np.array([[4, 1], [2, 8]])
    there = prunus.Assignment._of(
        (2, 2), matrix=matrix, given=Tensor(matrix), maximise=False,
        agent_names=None, job_names=None, name=None,
    )  # fmt: skip
    result = prunus.solve(there, devices="cpu:1")
    assert type(result.solution) is Tensor
    assert result.solution.values.tolist() == result.host_solution.tolist() == [1, 0]
    assert there.evaluate(result.solution) == result.objective == 3
    assert "1 0" in str(result)
    result.save(tmp_path / "a.json")
    for again in (prunus.load_result(tmp_path / "a.json"), pickle.loads(pickle.dumps(result))):
        assert again.solution.tolist() == [1, 0]
    assert prunus.solve(there, initial_solution=result.solution).objective == 3

    def refuses(array, what):
        raise RuntimeError("no memory")

    monkeypatch.setattr(borrowed, "borrow", refuses)
    with pytest.warns(UserWarning, match="stays on the host, as a NumPy array: no memory"):
        kept = prunus.solve(there, devices="cpu:1")
    assert kept.solution is kept.host_solution
