"""What Numba says of a user's function that it cannot compile, in one sentence."""

from __future__ import annotations

import builtins
import linecache
import os
import re
from types import FunctionType

from prunus.custom.functions import outer_names, uncompiled
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError

_PLACE = re.compile(r'File "([^"]+)", line (\d+)|at (\S+) \((\d+)\)')
_NOISE = re.compile(r"^(Failed in|During:|Internal error|- |>>>|File |There (is|are) |\s*$)")
_UNKNOWN = re.compile(r"No implementation of function Function\(<[^>]*?function (\w+)")

MAX_REASON_LENGTH = 150
"""What Numba says in more letters than this is left out: the line says enough."""


def compile_error(
    kind: type[CustomProblem], name: str, function: FunctionType, error: Exception
) -> InputError:
    """Return the error that names one of the user's functions and the line at fault."""
    text = str(error)
    said = _reason(text)
    hint = (
        "write what functions share as functions and constants outside the class"
        if "<class 'type'>" in said
        else "keep to integers, the arrays in data, if, for, while, and functions of these"
    )
    where = f"{kind.__name__}.{name}{_place(function, text)}"
    return InputError(f"{where} cannot be compiled{said}; {hint}")


def _place(function: FunctionType, text: str) -> str:
    """Name the line of the user's, in a function or one that it calls, that Numba was at."""
    files = _lines_of(function, {})
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
