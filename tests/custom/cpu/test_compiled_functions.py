"""How users' functions are compiled: so that what is kept on disk can be loaded anywhere."""

from __future__ import annotations

import inspect

from prunus.custom.cpu import compiled_functions
from tests.custom.problems import Tardiness

TEXT = """
def helper(x):
    return x + 1

def function(data, state):
    state[0] = helper(state[0])
"""


def test_compiled_functions_belong_to_a_module_that_can_be_imported():
    """Numba imports the module when it loads the code; a script's or a notebook's may be gone."""
    names = {"__name__": "nowhere"}
    exec(TEXT, names)
    ready = compiled_functions._ready(names["function"])
    for function in (ready.py_func, ready.py_func.__globals__["helper"].py_func):
        assert inspect.getmodule(function) is compiled_functions


class Late(Tardiness):
    """The same functions in another class."""


def test_the_same_functions_are_compiled_once():
    """Whoever asks gets the same ones, and another class finds them on disk by the same name."""
    first = compiled_functions.compile_functions(Tardiness)
    assert compiled_functions.compile_functions(Tardiness) is first
    others = compiled_functions.compile_functions(Late)
    names = [each.search.explore.py_func.__qualname__ for each in (first, others)]  # type: ignore[attr-defined]
    assert names[0] == names[1]
