"""What Numba says of a user's function that it cannot compile, in one sentence."""

from __future__ import annotations

import builtins
import linecache
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType

from numba import typeof, types
from numba.core.errors import NumbaError

from prunus.custom.cpu.compiled_functions import compile_functions
from prunus.custom.cpu.free_items import FREE
from prunus.custom.functions import functions_of, outer_names, uncompiled
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError

_PLACE = re.compile(r'File "([^"]+)", line (\d+)|at (\S+) \((\d+)\)')
_NOISE = re.compile(r"^(Failed in|During:|Internal error|- |>>>|File |There (is|are) |\s*$)")
_UNKNOWN = re.compile(r"No implementation of function Function\(<[^>]*?function (\w+)")
_KIND = re.compile(r"(?:bound|guide) must return a whole number in every case, not .*")

MAX_REASON_LENGTH = 150
"""What Numba says in more letters than this is left out: the line says enough."""

STATE = types.Array(types.int64, 1, "C")


@contextmanager
def explaining_compile_errors(problem: CustomProblem) -> Iterator[None]:
    """Turn an error of Numba's into an ``InputError`` that names the function at fault."""
    try:
        yield
    except NumbaError as error:
        raise InputError(_sentence(problem, error)) from error


def first_fault(problem: CustomProblem) -> tuple[str, NumbaError] | None:
    """Compile each of the user's functions by itself, for the types that the search calls it with.

    The search takes what is compiled here. Numba tries everything twice at each call inside calls,
    so that deep in the search it takes ten times as long to find the same fault.

    Returns the name of the first that cannot be compiled, and what Numba says.
    """
    data = typeof(problem.data)
    node = (data, STATE, types.int64) if problem.repeating else (data, STATE, FREE, types.int64)
    arguments = {
        "root": (data, STATE),
        "descend": (data, STATE, types.int64, types.int64),
        "feasible": node,
        "bound": node,
        "guide": node,
    }
    for name, function in compile_functions(type(problem)).named.items():
        try:
            function.dispatcher.compile(arguments[name])
        except NumbaError as error:
            return name, error
    return None


def _sentence(problem: CustomProblem, error: NumbaError) -> str:
    where = type(problem).__name__
    function_at_fault: FunctionType | None = None
    fault = first_fault(problem)
    if fault is not None:
        name, error = fault
        where, function_at_fault = f"{where}.{name}", functions_of(type(problem)).named[name]
    text = str(error)
    kind = _KIND.search(text)
    if kind is not None:
        return f"{where}.{kind[0].strip()}: divide by //, and end every path with return"
    place = _place(function_at_fault, text)
    said = _reason(text)
    hint = (
        "write what functions share as functions and constants outside the class"
        if "<class 'type'>" in said
        else "keep to integers, the arrays in data, if, for, while, and functions of these"
    )
    return f"{where}{place} cannot be compiled{said}; {hint}"


def _place(function: FunctionType | None, text: str) -> str:
    """Name the line of the user's, in a function or one that it calls, that Numba was at."""
    files = {} if function is None else _lines_of(function, {})
    for found in _PLACE.finditer(text):
        path, number = found[1] or found[3], int(found[2] or found[4])
        for name, lines in files.items():
            same = os.path.abspath(path) == os.path.abspath(name) or path == name
            if same and any(number in part for part in lines):
                code = linecache.getline(name, number).strip()
                return f", line {number}" + (f" ({code})" if code else "") + ","
    return ""


def _lines_of(function: FunctionType, found: dict[str, list[range]]) -> dict[str, list[range]]:
    """Return where a function and those that it calls stand: the lines by file."""
    code = function.__code__
    last = max((line for _, _, line in code.co_lines() if line), default=code.co_firstlineno)
    part = range(code.co_firstlineno, last + 1)
    lines = found.setdefault(code.co_filename, [])
    if part not in lines:
        lines.append(part)
        for other in map(uncompiled, outer_names(function).values()):
            if isinstance(other, FunctionType):
                _lines_of(other, found)
    return found


def _reason(text: str) -> str:
    """Return what Numba has to say, after a colon; nothing if it does not say it in short."""
    unknown = _UNKNOWN.search(text)
    if unknown is not None and hasattr(builtins, unknown[1]):
        return f": {unknown[1]}(…) is not possible with these values"
    lines = [line.strip() for line in re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()]
    said = next((line for line in lines if not _NOISE.match(line)), "").rstrip(".")
    # A line that ends in a colon is a heading of what follows.
    whole = said and not said.endswith(":") and len(said) <= MAX_REASON_LENGTH
    return f": {said}" if whole else ""
