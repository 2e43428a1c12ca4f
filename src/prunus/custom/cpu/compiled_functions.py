"""A user's functions compiled for cores by Numba, once a process for the same functions."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from types import CellType, FunctionType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaError

from prunus.custom.cpu.compile_errors import compile_error
from prunus.custom.cpu.free_items import FREE
from prunus.custom.cpu.node_functions import data_reader, inlined, node_functions
from prunus.custom.functions import functions_of, outer_names, uncompiled
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError
from prunus.hardware import clock

MOST_CLASSES = 32
"""The code of so many classes is kept, that of those which were solved last."""

_compiled: OrderedDict[Any, Mapping[str, Any]] = OrderedDict()
_compiling = threading.RLock()


def compiled_functions(problem: CustomProblem) -> Mapping[str, Any]:
    """Return what native code calls of a problem, by name; see ``node_functions``.

    The code is for data with these names and dimensions, of any size. It belongs to what the
    functions compute, not to their class: a constant that they read may have changed since the last
    solve, and classes that are made anew for each solve share it.

    Raises ``InputError`` if a function cannot be compiled.
    """
    kind = type(problem)
    dimensions = tuple(value.ndim if isinstance(value, np.ndarray) else 0 for value in problem.data)
    key = functions_of(kind).digest, kind.repeating, problem.data._fields, dimensions
    with _compiling:
        if key not in _compiled:
            with clock.paused():
                _compiled[key] = _compile(problem)
        _compiled.move_to_end(key)
        while len(_compiled) > MOST_CLASSES:
            _compiled.popitem(last=False)
        return _compiled[key]


def _compile(problem: CustomProblem) -> Mapping[str, Any]:
    """Compile one function of the user's after the other, so that errors name the one at fault."""
    kind = type(problem)
    users = {}
    for name, function in functions_of(kind).named.items():
        if name == "root":
            continue  # it is called once, in Python
        try:
            made = _with_helpers(function)
            made.compile(_parameters(problem, name))
        except NumbaError as error:
            raise compile_error(kind, name, function, error) from error
        returned = made.nopython_signatures[-1].return_type
        if name in ("bound", "guide") and not isinstance(returned, types.Integer | types.Boolean):
            raise InputError(
                f"{kind.__name__}.{name} must return a whole number in every case, not {returned}: "
                "divide by //, and end every path with return"
            )
        users[name] = made
    sign = -1 if kind.maximise else 1
    return node_functions(data_reader(problem.data), users, sign=sign, repeating=kind.repeating)


def _parameters(problem: CustomProblem, name: str) -> tuple[types.Type, ...]:
    """Return the types that native code calls a user's function with."""
    # Numba would take an array that is read-only for one of another type.
    sample = (
        np.zeros((1,) * value.ndim, np.int64) if isinstance(value, np.ndarray) else 0
        for value in problem.data
    )
    data, state = numba.typeof(type(problem.data)(*sample)), types.int64[::1]
    if name == "descend":
        return data, state, types.int64, types.int64
    return (data, state, types.int64) if problem.repeating else (data, state, FREE, types.int64)


def _with_helpers(function: Any, inside: tuple[FunctionType, ...] = ()) -> Any:
    """Return a user's function, ready to be compiled together with the functions that it calls."""
    written = uncompiled(function)
    if written in inside:
        raise InputError(f"{written.__name__} calls itself, which is not possible: write a loop")
    names = outer_names(written)
    for name, value in names.items():
        if isinstance(uncompiled(value), FunctionType):
            names[name] = _with_helpers(value, (*inside, written))
    cells = tuple(
        CellType(names.get(name, cell.cell_contents))
        for name, cell in zip(written.__code__.co_freevars, written.__closure__ or (), strict=True)
    )
    # Nothing but what it reads: the rest of its module is not kept alive by its code.
    scope = {**names, "__builtins__": written.__globals__["__builtins__"], "__name__": __name__}
    again = FunctionType(written.__code__, scope, written.__name__, written.__defaults__, cells)
    again.__kwdefaults__ = written.__kwdefaults__
    return inlined(again)
