"""What Numba says of a user's function that it cannot compile, in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from numba import typeof, types
from numba.core.errors import NumbaError

from prunus.custom.compiled_functions import _ready
from prunus.custom.free_items import FREE
from prunus.custom.functions import functions_of
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError

__all__ = ["explaining_compile_errors"]

_NOISE = re.compile(r"^(Failed in|During:|Internal error|- |>>>|File |There (is|are) |\s*$)")
_LINE = re.compile(r'File "([^"]+)", line (\d+)')
_KIND = re.compile(r"bound must return a whole number in every case, not .*")
_MOST = 200

STATE = types.Array(types.int64, 1, "C")


@contextmanager
def explaining_compile_errors(problem: CustomProblem) -> Iterator[None]:
    """Turn an error of Numba's into an ``InputError`` that names the function at fault."""
    try:
        yield
    except NumbaError as error:
        raise InputError(_sentence(problem, error)) from error


def _sentence(problem: CustomProblem, error: NumbaError) -> str:
    data = typeof(problem.data)
    node = (data, STATE, types.int64) if problem.repeating else (data, STATE, FREE, types.int64)
    arguments = {
        "root": (data, STATE),
        "descend": (data, STATE, types.int64, types.int64),
        "feasible": node,
        "bound": node,
    }
    where = type(problem).__name__
    for name, function in functions_of(type(problem)).named.items():
        try:
            _ready(function).compile(arguments[name])
        except NumbaError as own:
            where, error = f"{where}.{name}", own
            break
    text = str(error)
    kind = _KIND.search(text)
    if kind is not None:
        return f"{where}.{kind[0].strip()}: divide by //, and end every path with return"
    lines = [line.strip() for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()]
    said = next((line for line in lines if not _NOISE.match(line)), lines[0])
    found = _LINE.findall(text)
    line = f", line {found[0][1]}," if found else ""
    hint = (
        "write what functions share as functions and constants outside the class"
        if "<class 'type'>" in said
        else "keep to integers, the arrays in data, if, for, while, and functions of these"
    )
    return f"{where}{line} cannot be compiled: {said[:_MOST]}; {hint}"
