"""Every mistake in a user's class is one sentence that names the function and what to do."""

from __future__ import annotations

import inspect
import sys

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import prunus
from prunus import InputError, PermutationProblem
from prunus.custom.misspelt import ATTRIBUTES
from tests.custom.problems import Queens, Tour, tour_bound
from tests.custom.test_check import wrong

SQUARE = np.arange(16).reshape(4, 4)


class Half(PermutationProblem):
    """A class without its functions."""

    def __init__(self, **data):
        super().__init__(3, state=1, data=data)


def solved(problem, **options):
    return prunus.solve(problem, devices="cpu", **options)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"a": [1.5]}, "'a': must hold whole numbers, not float64; scale and round"),
        ({"a": "text"}, "must hold whole numbers"),
        ({"a": [[1, 2], [3]]}, "rows have different lengths"),
        ({"a": np.zeros((0,), int)}, "none of them empty"),
        ({"a": np.zeros((1, 1, 1, 1), int)}, "one to three dimensions"),
        ({"a": 2**63}, "does not fit in 63 bits"),
        ({"a b": 1}, "cannot be the name of a field"),
        ({"for": 1}, "cannot be the name of a field"),
    ],
)
def test_data_that_are_no_integers(data, said):
    """What the functions cannot read is refused when the problem is made."""
    with pytest.raises(InputError, match=said):
        Half(**data)


@pytest.mark.parametrize("items", [0, -1, 1.5, "3", 10**6])
def test_a_number_of_items_that_is_none(items):
    """The number of items is a whole number from 1 on."""
    with pytest.raises(InputError, match="items of PermutationProblem"):
        PermutationProblem(items, state=1, data={})


def test_functions_that_are_missing():
    """The sentence says how to write the one that is missing."""
    with pytest.raises(InputError, match=r"Half has no function descend: write @staticmethod def"):
        solved(Half())
    with pytest.raises(InputError, match=r"Half has no function bound: write"):
        solved(wrong(Half, descend=Tour.descend)())


def test_a_function_that_is_not_static():
    """Self is not known where nodes are bounded."""

    class Bad(Tour):
        def bound(self, data, state, free, depth):
            return 0

    with pytest.raises(InputError, match=r"Bad\.bound must be a static function: write @static"):
        solved(Bad(SQUARE))


def test_a_function_with_other_parameters():
    """The sentence shows both lists."""
    bad = wrong(Tour, bound=lambda data, state: 0)
    with pytest.raises(InputError, match=r"take the parameters \(data, state, free, depth\), not"):
        solved(bad(SQUARE))


def test_no_evaluate():
    """Without a plain evaluation no answer can be held against anything."""
    nothing = {
        "descend": lambda data, state, depth, item: None,
        "bound": lambda data, state, free, depth: 0,
    }
    with pytest.raises(InputError, match="Half has no method evaluate: write one"):
        solved(wrong(Half, **nothing)())


def test_an_exception_names_the_function_the_line_and_the_depth():
    """An index that is out of range, in plain Python, before anything is compiled."""

    def descend(data, state, depth, item):
        state[7] = 1

    with pytest.raises(
        InputError, match=r"Tour\.descend, line \d+, called with depth 0, raised Ind"
    ):
        solved(wrong(Tour, descend=descend)(SQUARE))


def test_a_bound_that_is_no_whole_number():
    """Floats and None are refused; the sentence says how to go without."""
    for value, said in ((1.5, "returns 1.5, which is not a whole"), (None, "returns None")):
        with pytest.raises(InputError, match=said):
            solved(wrong(Tour, bound=_constant(value))(SQUARE))


def _constant(value):
    def bound(data, state, free, depth):
        return value

    return bound


def test_a_bound_that_is_a_float_sometimes():
    """The compiler sees what no walk has seen."""

    def bound(data, state, free, depth):
        if depth > 1000:
            return 0.5
        return tour_bound(data, state, free)

    with pytest.raises(
        InputError, match=r"bound must return a whole number in every case, not flo"
    ):
        solved(wrong(Tour, bound=bound)(SQUARE))


def test_what_numba_cannot_compile_names_the_function_and_the_line():
    """A dictionary of strings inside a bound, for one."""

    def bound(data, state, free, depth):
        words = {"a": [1], 3: "b"} if depth > 5 else ()
        return tour_bound(data, state, free) + len(words)

    with pytest.raises(
        InputError, match=r"Tour\.bound, line \d+ \(words = .*\), cannot be compiled: .*; keep to"
    ):
        solved(wrong(Tour, bound=bound)(SQUARE))


def test_a_class_is_not_known_inside_a_function():
    """What a class holds is named where it is wanted: as a helper beside the class."""

    def bound(data, state, free, depth):
        return Tour.bound(data, state, free, depth)

    with pytest.raises(
        InputError, match=r"Tour\.bound, line \d+ \(return Tour\.bound.* 'Tour'.*outside the class"
    ):
        solved(wrong(Tour, bound=bound)(SQUARE))


def recursive(n):
    """Call itself."""
    return recursive(n - 1) if n else 0


def test_a_helper_that_calls_itself():
    """Recursion is refused in plain words."""

    def bound(data, state, free, depth):
        return tour_bound(data, state, free) + recursive(depth)

    with pytest.raises(InputError, match="recursive calls itself, which is not possible"):
        solved(wrong(Tour, bound=bound)(SQUARE))


def test_a_division_by_zero_deep_in_the_tree():
    """What no walk has come upon ends the search with a sentence, not with a traceback."""

    def bound(data, state, free, depth):
        if depth == 7 and state[1] % 9 == 3 and 7 in free:
            return 1 // (state[1] % 9 - 3)
        return tour_bound(data, state, free)

    problem = wrong(Tour, bound=bound)(np.random.default_rng(1).integers(1, 9, (9, 9)))
    with pytest.raises(InputError, match=r"Tour\.bound, line \d+, called with .* 7, raised Zero"):
        solved(problem, first_incumbent="none")


def test_solutions_that_are_given():
    """They are permutations, and feasible; counting starts from none."""
    with pytest.raises(InputError, match="a permutation must hold 3 items, got 2"):
        solved(Tour(SQUARE), initial_solution=[0, 1])
    assert solved(Tour(SQUARE), initial_solution=[2, 1, 0]).history[0].source == "given"
    with pytest.raises(InputError, match="counting the solutions of Queens starts from none"):
        solved(Queens(4), initial_solution=[0, 1, 2, 3])
    with pytest.raises(InputError, match="upper_bound: Queens counts solutions"):
        solved(Queens(4), upper_bound=3)


def test_options_are_checked():
    """Unknown options and values are named."""
    with pytest.raises(InputError, match="first_incumbent"):
        solved(Tour(SQUARE), first_incumbent="best")
    with pytest.raises(InputError, match="bound"):
        solved(Tour(SQUARE), bound="lb1")


def test_a_bound_of_the_root_that_is_wrong_is_noticed():
    """Where costs are shifted by it, nothing can be better."""

    class Wrong(Tour):
        maximise = True

        @staticmethod
        def bound(data, state, free, depth):
            if len(free) == 0:
                return tour_bound(data, state, free)
            return 1 if depth == 0 else 10**6

    with pytest.raises(InputError, match=r"Wrong\.bound is wrong: at the root it says 1, and \["):
        solved(Wrong(SQUARE))


SEEN = 'seen = {"a": [1], 3: "b", item: depth} if depth > 1000 else ()'


def dictionary(data, state, depth, item):
    seen = {"a": [1], 3: "b", item: depth} if depth > 1000 else ()
    state[1] += data.distances[state[0], item + 1] + len(seen)
    state[0] = item + 1


def in_order(data, state, free, depth):
    total = tour_bound(data, state, free)
    for j in free[::2]:
        total += 0 * j
    return total


@pytest.mark.parametrize(
    ("name", "function", "line"),
    [
        ("descend", dictionary, SEEN),
        ("bound", in_order, "for j in free[::2]:"),
    ],
)
def test_the_line_at_fault_is_the_users(name, function, line):
    """Numba names lines of its own library first, and sentences of many lines."""
    number = next(
        n
        for n, text in enumerate(inspect.getsource(function).splitlines(), 1)
        if text.strip() == line
    )
    number += function.__code__.co_firstlineno - 1
    problem = wrong(Tour, **{name: function})(SQUARE)
    with pytest.raises(InputError) as found:
        solved(problem)
    said = str(found.value)
    assert said.startswith(f"Tour.{name}, line {number} ({line}), cannot be compiled")
    assert ":;" not in said
    assert "signature" not in said


VALUES = {
    **dict.fromkeys(("maximise", "counts_solutions"), True),
    **dict.fromkeys(("feasible", "bound"), staticmethod(lambda data, state, free, depth: 0)),
    **{"bits": 32, "objective_name": "length", "root": staticmethod(lambda data, state: None)},
    "descend": staticmethod(lambda data, state, depth, item: None),
    **{"evaluate": lambda self, order: 0, "first_solutions": lambda self: ()},
}
"""What an attribute may be."""


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("maximize", "maximise"),
        ("Maximise", "maximise"),
        ("feasable", "feasible"),
        ("count_solutions", "counts_solutions"),
        ("lower_bound", "bound"),
        ("first_solution", "first_solutions"),
        ("bit", "bits"),
    ],
)
def test_a_misspelt_attribute_of_a_class_is_refused(name, meant):
    """It would do nothing, without a word."""
    with pytest.raises(InputError, match=rf"Shop\.{name} .* did you mean {meant}\?"):
        type("Shop", (PermutationProblem,), {name: VALUES[meant]})


def one_edit(draw, name):
    """Return a name with a letter that is gone, doubled, another, or changed places."""
    at = draw(st.integers(0, len(name) - 2))
    letter = draw(st.sampled_from("aeilnrst_"))
    edits = [
        name[:at] + name[at + 1 :],
        name[:at] + name[at] + name[at:],
        name[:at] + letter + name[at + 1 :],
        name[:at] + name[at + 1] + name[at] + name[at + 2 :],
    ]
    return draw(st.sampled_from(edits))


@given(st.data())
def test_every_attribute_may_be_misspelt(data):
    """One letter is gone, doubled, another, or has changed places with the next one."""
    meant = data.draw(st.sampled_from([name for name in ATTRIBUTES if len(name) > 5]))
    name = one_edit(data.draw, meant)
    assume(name != meant and name.isidentifier() and not name.startswith("_"))
    with pytest.raises(InputError, match=rf"Shop\.{name} .* did you mean {meant}\?"):
        type("Shop", (PermutationProblem,), {name: VALUES[meant]})


@given(st.data())
def test_what_is_of_another_kind_is_not_taken_for_misspelt(data):
    """Any name at all, near ones too: data, methods of one's own, helpers with other parameters."""
    meant = data.draw(st.sampled_from(ATTRIBUTES))
    near = one_edit(data.draw, meant)
    words = ["bounds", "found", "round", "roots", "boot", "counts", "infeasible", "lower_bound"]
    name = data.draw(st.sampled_from([near, *words]))
    assume(name not in ATTRIBUTES and name.isidentifier())
    own = [3, 0.5, None, [1, 2], (1, 2), {}, int, property(lambda self: 1), lambda self, a, b: 0]
    value = data.draw(st.sampled_from(own))
    kind = type("Shop", (PermutationProblem,), {name: value})
    assert vars(kind)[name] is value


def test_names_of_ones_own_are_not_taken_for_misspelt():
    """Also those that resemble what the class has anyway."""

    class Shop(Tour):
        bounds = (1, 2)
        distance = times = values = None

        def objective(self):
            return 0

    assert Shop.bounds == (1, 2)


def test_maximise_is_a_truth_value():
    """A word would be true."""
    with pytest.raises(InputError, match=r"Shop\.maximise must be True or False"):
        type("Shop", (PermutationProblem,), {"maximise": "no"})


def test_leaving_the_program_in_a_function_is_a_mistake_like_others():
    """Exit code 0 would mean a proof."""
    for name, at in (("evaluate", "evaluate raised SystemExit"), ("descend", "raised SystemExit")):

        def leave(*arguments):
            sys.exit(0)

        if name == "evaluate":
            kind: type[Tour] = type("Tour", (Tour,), {"evaluate": leave})
        else:
            kind = wrong(Tour, descend=lambda data, state, depth, item: sys.exit(0))
        with pytest.raises(InputError, match=at):
            solved(kind(SQUARE))


@pytest.mark.parametrize("base", [PermutationProblem, prunus.ArrayProblem])
def test_evaluate_may_call_its_solution_as_it_likes(base):
    """A type checker has nothing against another name: the base takes it by position alone."""
    solution = list(inspect.signature(base.evaluate).parameters.values())[1]
    assert solution.kind is inspect.Parameter.POSITIONAL_ONLY
