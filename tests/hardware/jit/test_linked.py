"""What only compiled code calls: no machine code of its own, and the same answers."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numba.core.registry import cpu_target

from prunus.hardware.jit.compiled import inlined, inner, njit, reducing


def _engine():
    return cpu_target.target_context.codegen()._engine


def test_there_is_machine_code_of_what_python_calls_alone():
    """Of what it calls there is none: that would be compiled and never run."""

    @inner
    def increased(x):
        return x + 1

    @njit()
    def doubled(x):
        return 2 * increased(x)

    assert doubled(20) == 42
    (called,) = increased.dispatcher.overloads.values()
    (calling,) = doubled.dispatcher.overloads.values()
    assert not _engine().is_symbol_defined(called.fndesc.mangled_name)
    assert _engine().is_symbol_defined(calling.fndesc.mangled_name)


@pytest.mark.parametrize("kind", [inner, inlined, reducing])
def test_constants_are_numbers_like_others(kind):
    """Numba alone would compile a function once for each constant that a caller names."""

    @kind
    def scaled(x, factor):
        return x * factor

    @njit()
    def several(x, factor):
        return scaled(x, 2) + scaled(x, 3) + scaled(x, factor) + scaled(x, factor=5)

    assert several(10, 4) == 140
    assert len(scaled.dispatcher.overloads) == 1


def test_calls_of_calls_that_two_functions_share():
    """Each function that Python calls has its own copy of what it shares with others."""

    @inner
    def least(values):
        found = values[0]
        for value in values:
            found = min(found, value)
        return found

    @inner
    def spread(values, scale):
        return (values[2] - least(values)) * scale

    @njit()
    def one(values):
        return spread(values, 1) + least(values)

    @njit()
    def two(values):
        return spread(values, 2.5)

    values = np.array([7, 3, 12], dtype=np.int64)
    assert (one(values), two(values), spread(values, 3)) == (12, 22.5, 27)


_SCRIPT = """
import sys
import numpy as np
from prunus.hardware.jit.compiled import inner, outer

@inner
def root(x):
    if x < 0:
        raise ValueError("no root of what is negative")
    return np.sqrt(x)

@outer
def roots(values):
    total = 0.0
    for value in values:
        total += root(value)
    return total

print(roots(np.array([4.0, 9.0])), roots.found)
try:
    roots(np.array([-1.0]))
except ValueError as error:
    print(error)
"""


def test_errors_of_what_is_called_come_out_also_of_code_from_the_disk(tmp_path):
    """The second process loads what the first has kept, and both say the same."""
    script = tmp_path / "script.py"
    script.write_text(_SCRIPT)
    for hits in (0, 1):
        done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
        assert done.stdout.splitlines() == [f"5.0 {hits}", "no root of what is negative"]
