"""What cannot be translated for a GPU is refused in one sentence with its line; cores can do it."""

from __future__ import annotations

import numpy as np
import pytest

import prunus
from prunus import InputError
from prunus.custom.costs import CostProblem
from prunus.custom.gpu.program import custom_program, translate
from tests.custom.problems import Tour, tour_bound
from tests.custom.test_check import wrong

DISTANCES = np.random.default_rng(2).integers(5, 50, (6, 6))
TABLE = np.arange(3)


def array_of_the_module(data, state, free, depth):
    return tour_bound(data, state, free) + TABLE[0]


def slices(data, state, free, depth):
    return tour_bound(data, state[0:2], free)


def numpy(data, state, free, depth):
    return tour_bound(data, state, free) + np.int64(0)


def a_row(data, state, free, depth):
    row = data.distances[0]
    return tour_bound(data, state, free) + 0 * row[0]


def keywords(data, state, free, depth):
    return tour_bound(data, state, free=free)


def a_step_that_varies(data, state, free, depth):
    for _ in range(0, 3, depth + 1):
        pass
    return tour_bound(data, state, free)


def a_power(data, state, free, depth):
    return tour_bound(data, state, free) + int(0.5 * depth) * 0


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (array_of_the_module, r"line \d+: the name 'TABLE' cannot be translated"),
        (slices, "'0:2'"),
        (numpy, r"the call 'np.int64\(0\)'"),
        (a_row, r"'data.distances\[0\]', a part of an array that is no number"),
        (keywords, "the call 'tour_bound"),
        (a_step_that_varies, "range with a step that is no constant"),
        (a_power, "0.5 cannot be translated"),
    ],
)
def test_the_line_is_named(function, said):
    """Each is plain Python that Numba takes, or nearly; the sentence names the function."""
    problem = wrong(Tour, bound=function)(DISTANCES)
    with pytest.raises(InputError, match=rf"Tour\.{function.__name__}.*{said}"):
        translate(CostProblem(problem, 0))


def test_numbers_that_need_more_bits_than_the_class_asks_for():
    """The data are looked at when the kernels are made, the state and bounds by a walk before."""

    class Short(Tour):
        bits = 32

    with pytest.raises(InputError, match="'distances' does not fit in the bits = 32"):
        custom_program(CostProblem(Short(DISTANCES + 2**31), 0))
    with pytest.raises(InputError, match="does not fit in 30 bits"):
        prunus.check(Short(DISTANCES + 2**29))


def test_sizes_are_constants_and_other_numbers_are_not():
    """Instances of one size share kernels, whatever their other numbers are."""

    class Shifted(Tour):
        def __init__(self, distances, shift):
            data = {"distances": distances, "shift": shift, "cities": len(distances)}
            prunus.PermutationProblem.__init__(self, len(distances) - 1, state=2, data=data)

    one, other = (translate(CostProblem(Shifted(DISTANCES, shift), 0)) for shift in (100, 200))
    assert one == other
    assert "constexpr NUM f_cities = 6" in one
