"""The functions of a user's class: found, checked, and told apart by what they compute."""

from __future__ import annotations

import ast
import dis
import hashlib
import inspect
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from prunus.custom.misspelt import parameters_of
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError

_NAMES = ("root", "descend", "feasible", "bound", "guide")


class UserFunctions:
    """The functions that a class defines, as the user wrote them.

    ``named`` has those that there are and that are needed, in a fixed order; ``digest`` is the same
    for functions that compute the same, in this and in any other process.
    """

    def __init__(self, kind: type[CustomProblem]) -> None:
        found = {name: _find(kind, name) for name in _NAMES}
        if kind.counts_solutions:
            found.update(bound=None, guide=None)
        for name in ("descend", "feasible" if kind.counts_solutions else "bound"):
            if found[name] is None:
                raise _missing(kind, name)
        self.named: dict[str, FunctionType] = {n: f for n, f in found.items() if f is not None}
        if found["guide"] is None:
            del found["guide"]  # so that what had none before it was known stays the same
        self.digest = _digest([kind.maximise, kind.counts_solutions, *found.values()])


def functions_of(kind: type[CustomProblem]) -> UserFunctions:
    """Return the functions of a class.

    Raises ``InputError`` if one is missing, is not static, or takes other parameters.
    """
    key: Any = kind
    return _found(key)


@cache
def _found(kind: Any) -> UserFunctions:
    return UserFunctions(kind)


def uncompiled(function: Any) -> Any:
    """Return a function as it was written, also if somebody has compiled it."""
    return getattr(function, "py_func", function)


def outer_names(function: FunctionType) -> dict[str, Any]:
    """Return what a function refers to by name, outside itself: other functions, constants."""
    found = dict(inspect.getclosurevars(function).nonlocals)
    for name in _names(function.__code__):
        if name in function.__globals__:
            found[name] = function.__globals__[name]
    return found


def _names(code: CodeType) -> Iterator[str]:
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield step.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _find(kind: type[CustomProblem], name: str) -> Any:
    found = inspect.getattr_static(kind, name, None)
    if found is None:
        return None
    where = f"{kind.__name__}.{name}"
    wanted = ", ".join(parameters_of(name, repeating=kind.repeating))
    if not isinstance(found, staticmethod):
        raise InputError(
            f"{where} must be a static function: write @staticmethod above def {name}({wanted}); "
            "put what it needs from an instance into data"
        )
    function = uncompiled(found.__func__)
    if not isinstance(function, FunctionType):
        raise InputError(f"{where} must be a function written with def {name}({wanted})")
    parameters = inspect.signature(function).parameters.values()
    usual = all(p.kind is p.POSITIONAL_OR_KEYWORD and p.default is p.empty for p in parameters)
    if not usual or len(parameters) != len(parameters_of(name, repeating=kind.repeating)):
        raise InputError(
            f"{where} must take the parameters ({wanted}), not {inspect.signature(function)}"
        )
    return function


def _missing(kind: type[CustomProblem], name: str) -> InputError:
    wanted = ", ".join(parameters_of(name, repeating=kind.repeating))
    return InputError(
        f"{kind.__name__} has no function {name}: write @staticmethod def {name}({wanted})"
    )


def _digest(parts: list[Any]) -> str:
    """Return what tells functions and constants from others."""
    digest = hashlib.sha256()
    seen: set[int] = set()

    def add(value: Any) -> None:
        value = uncompiled(value)
        if isinstance(value, FunctionType):
            if id(value) in seen:
                return
            seen.add(id(value))
            digest.update(_meaning(value).encode())
            for name, other in sorted(outer_names(value).items()):
                digest.update(name.encode())
                add(other)
        elif isinstance(value, np.ndarray):
            digest.update(f"{value.dtype}{value.shape}".encode())
            digest.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, bool | int | float | str | tuple | None):
            digest.update(repr(value).encode())
        else:
            digest.update(getattr(value, "__name__", type(value).__name__).encode())

    for part in parts:
        add(part)
    return digest.hexdigest()[:16]


def _meaning(function: Callable[..., Any]) -> str:
    """Return the text of a function without comments and layout; its code if it has no text."""
    tree = syntax_tree(function)
    if tree is not None:
        return ast.dump(ast.Module([tree], []))
    code = function.__code__
    return repr((code.co_code, _constants(code), code.co_names, code.co_varnames))


def _constants(code: CodeType) -> list[Any]:
    return [_constants(c) if isinstance(c, CodeType) else c for c in code.co_consts]


def syntax_tree(function: Callable[..., Any]) -> ast.FunctionDef | None:
    """Return the syntax tree of a function, lines counted as in its file.

    None if there is no text, or if what stands in the file by now is something else.
    """
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    if not isinstance(tree, ast.FunctionDef):
        return None
    tree.decorator_list = []
    if not _is_of(function, first):
        return None
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:] or [ast.Pass()]
    return ast.fix_missing_locations(ast.increment_lineno(tree, first - 1))


def _is_of(function: Any, first: int) -> bool:
    """Tell whether a function's file, compiled again, has the same function at its line."""
    code = function.__code__
    try:
        text = "".join(inspect.findsource(function)[0])
        parts = [compile(text, "", "exec", dont_inherit=True)]
    except (OSError, SyntaxError, ValueError):
        return False
    for part in parts:  # grows while it is gone through
        parts += [inner for inner in part.co_consts if isinstance(inner, CodeType)]
    return any(
        (part.co_name, part.co_firstlineno, part.co_code) == (code.co_name, first, code.co_code)
        for part in parts
    )
