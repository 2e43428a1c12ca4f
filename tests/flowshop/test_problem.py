"""FlowShop: what it accepts, what it refuses, and that its makespan is right."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from prunus.errors import InputError
from prunus.flowshop.problem import FlowShop

matrices = arrays(
    np.int64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.integers(0, 99)
)


def longest_path(times, order):
    """The makespan as the heaviest monotone path through the reordered matrix, by enumeration."""
    jobs, machines = times.shape
    steps = jobs + machines - 2
    best = 0
    for downs in itertools.combinations(range(steps), jobs - 1):
        i = j = 0
        weight = times[order[0], 0]
        for step in range(steps):
            i, j = (i + 1, j) if step in downs else (i, j + 1)
            weight += times[order[i], j]
        best = max(best, weight)
    return best


@given(matrices, st.randoms(use_true_random=False))
def test_makespan_is_the_heaviest_path(times, random):
    """The makespan equals the heaviest monotone path through the permuted matrix."""
    order = list(range(len(times)))
    random.shuffle(order)
    assert FlowShop(times).evaluate(order) == longest_path(times, order)


@given(matrices)
def test_completion_times_respect_job_and_machine(times):
    """No operation starts before its job and its machine are free, and each starts at once."""
    order = list(range(len(times)))[::-1]
    end = FlowShop(times).completion_times(order)
    for k, job in enumerate(order):
        for machine in range(times.shape[1]):
            job_free = end[k, machine - 1] if machine else 0
            machine_free = end[k - 1, machine] if k else 0
            assert end[k, machine] == max(job_free, machine_free) + times[job, machine]


def test_makespan_by_hand():
    """Two jobs on two machines, both orders worked out on paper."""
    shop = FlowShop([[3, 2], [1, 4]])
    assert shop.evaluate([0, 1]) == 9
    assert shop.evaluate([1, 0]) == 7
    assert shop.completion_times([1, 0]).tolist() == [[1, 5], [4, 7]]


def test_one_job_and_one_machine():
    """A single job or machine is a flow shop like any other."""
    assert FlowShop([[4, 5, 6]]).evaluate([0]) == 15
    assert FlowShop([[4], [5], [6]]).evaluate([2, 0, 1]) == 15
    assert FlowShop([[0]]).evaluate([0]) == 0


def test_large_times_do_not_overflow():
    """Times near the limit add up exactly."""
    big = 2**61 - 1
    assert FlowShop([[big, big]]).evaluate([0]) == 2 * big


@pytest.mark.parametrize(
    ("order", "complaint"),
    [
        ([0, 1], "3 jobs, got 2"),
        ([0, 1, 2, 0], "positions 0 and 3|got 4"),
        ([0, 1, 1], "1 is at positions 1 and 2"),
        ([0, 1, 3], "position 2.*3 is not one of"),
        ([0, 1, -1], "position 2.*-1 is not one of"),
        ([0, 1, 1.5], "position 2.*not a whole number"),
        ([0, True, 2], "position 1.*truth value"),
        ([0, "1", 2], "position 1.*text"),
        ("012", "got str"),
        (7, "got int"),
        (np.array(7), "got ndarray"),
        (np.zeros((3, 3), dtype=int), "position 0.*not a number"),
    ],
)
def test_evaluate_refuses_what_is_no_permutation(order, complaint):
    """Anything but a permutation is refused, naming the first position that is wrong."""
    with pytest.raises(InputError, match=complaint):
        FlowShop([[1, 2], [3, 4], [5, 6]]).evaluate(order)


def test_pandas_names_jobs_and_machines():
    """The index of a DataFrame names the jobs, its columns the machines."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([[3, 2], [1, 4]], index=["gear", "shaft"], columns=["saw", "drill"])
    shop = FlowShop(frame)
    assert shop.job_names == ("gear", "shaft")
    assert shop.machine_names == ("saw", "drill")
    assert FlowShop(frame, job_names=["a", "b"]).job_names == ("a", "b")
    filtered = pandas.DataFrame([[1], [2], [3]]).iloc[[2, 0]]
    assert FlowShop(filtered).job_names == ("2", "0")


def test_pandas_without_names_gives_none():
    """The default labels 0, 1, … of a DataFrame say nothing and count as no names."""
    pandas = pytest.importorskip("pandas")
    shop = FlowShop(pandas.DataFrame([[3.0, 2.0], [1.0, 4.0]]))
    assert shop.job_names is None
    assert shop.machine_names is None
    assert shop.processing_times.tolist() == [[3, 2], [1, 4]]


def test_pandas_missing_values_are_refused():
    """A hole in a DataFrame is named by row and column."""
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InputError, match=r"row 1, column 0.*missing"):
        FlowShop(pandas.DataFrame([[1, 2], [None, 3]]))
    with pytest.raises(InputError, match="row 0, column 1"):
        FlowShop(pandas.DataFrame([[1, None]]).astype("Int64"))


@pytest.mark.parametrize("names", ["ab", ["a"], ["a", ""], ["a", None], 3, ["a", "\x00"]])
def test_bad_names_are_refused(names):
    """Names must be as many as the jobs, none empty, all printable."""
    with pytest.raises(InputError, match="job_names"):
        FlowShop([[1], [2]], job_names=names)


def test_input_is_copied_and_read_only():
    """Later changes of the input do not reach the problem, and its array cannot be unlocked."""
    times = np.array([[1, 2], [3, 4]])
    shop = FlowShop(times)
    times[0, 0] = 99
    assert shop.processing_times[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        shop.processing_times[0, 0] = 5
    with pytest.raises(ValueError, match="WRITEABLE"):
        shop.processing_times.flags.writeable = True
    assert shop.processing_times.flags.c_contiguous
    assert shop.processing_times.dtype == np.int64


def test_attributes_cannot_be_set_or_deleted():
    """A problem never changes."""
    shop = FlowShop([[1]])
    with pytest.raises(AttributeError, match="never changes"):
        shop.jobs = 2
    with pytest.raises(AttributeError, match="never changes"):
        del shop.jobs
    with pytest.raises(AttributeError):
        shop.new = 1


def test_pickle_keeps_everything_and_stays_read_only():
    """A pickled problem comes back whole, with an array that is still locked."""
    shop = FlowShop([[1, 2]], job_names=["a"], machine_names=["x", "y"], name="tiny")
    copy = pickle.loads(pickle.dumps(shop))
    assert copy.processing_times.tolist() == [[1, 2]]
    assert (copy.job_names, copy.machine_names, copy.name) == (("a",), ("x", "y"), "tiny")
    with pytest.raises(ValueError, match="WRITEABLE"):
        copy.processing_times.flags.writeable = True


def test_identity_hash_and_repr():
    """Problems compare by identity and show name and size."""
    first, second = FlowShop([[1]]), FlowShop([[1]])
    assert first != second
    assert len({first, second}) == 2
    assert repr(first) == "FlowShop(1 job × 1 machine)"
    assert repr(FlowShop([[1, 2]] * 3, name="t")) == "FlowShop('t', 3 jobs × 2 machines)"
