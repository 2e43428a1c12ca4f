"""The functions of a user's class: found, checked, and told apart by what they compute."""

from __future__ import annotations

import ast
import dis
import hashlib
import inspect
import textwrap
from collections.abc import Iterator
from enum import Enum, EnumType
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from prunus.custom.misspelt import parameters_of
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError

_NAMES = ("root", "descend", "feasible", "bound", "guide")
_LIBRARIES = ("builtins", "math", "operator", "cmath", "numpy", "numba")


class UserFunctions:
    """The functions that a class defines, as the user wrote them.

    ``named`` has those that there are and that are needed, in a fixed order.
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
        self._parts = [kind.maximise, kind.counts_solutions, *found.values()]

    @property
    def digest(self) -> str:
        """What is the same for functions that compute the same, in this and in any other process.

        It says what the functions, and all that they call, read by name at this moment: a constant
        may be another in the next solve. Raises ``InputError`` if they read something of which it
        cannot tell whether it is still the same.
        """
        return _digest(self._parts)


def functions_of(kind: type[CustomProblem]) -> UserFunctions:
    """Return the functions of a class.

    Raises ``InputError`` if one is missing, is not static, or takes other parameters.
    """
    return UserFunctions(kind)


def uncompiled(function: Any) -> Any:
    """Return a function as it was written, also if somebody has compiled it."""
    return getattr(function, "py_func", function)


def outer_names(function: FunctionType) -> dict[str, Any]:
    """Return what a function refers to by name, outside itself: other functions, constants."""
    return {path: value for path, value in _read_by(function) if "." not in path}


def _read_by(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Give what a function reads outside itself; of a module or an enumeration also what of it."""
    cells = inspect.getclosurevars(function).nonlocals
    codes = [function.__code__]
    for code in codes:  # grows while it is gone through
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        steps = [step for step in dis.get_instructions(code) if step.opname != "EXTENDED_ARG"]
        for place, step in enumerate(steps):
            scope = {"LOAD_GLOBAL": function.__globals__, "LOAD_NAME": function.__globals__}
            names = scope.get(step.opname, cells if step.opname == "LOAD_DEREF" else {})
            if step.argval not in names:
                continue
            path, value = step.argval, names[step.argval]
            yield path, value
            for following in steps[place + 1 :]:
                holds = isinstance(value, ModuleType | EnumType)
                if not holds or following.opname not in ("LOAD_ATTR", "LOAD_METHOD"):
                    break
                path, value = f"{path}.{following.argval}", getattr(value, following.argval, None)
                yield path, value


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

    def add(value: Any, path: str) -> None:
        value = uncompiled(value)
        if isinstance(value, FunctionType):
            if id(value) in seen:
                return
            seen.add(id(value))
            digest.update(_meaning(value.__code__).encode())
            for default in (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()):
                add(default, f"a default of {value.__name__}")
            # Names before paths: what is read of modules follows.
            for name, other in sorted(_read_by(value), key=lambda read: ("." in read[0], read[0])):
                if "." not in name or not _is_of_a_library(other):
                    digest.update(name.encode())
                    add(other, f"{name!r}, which {value.__name__} reads,")
        elif isinstance(value, np.ndarray) and value.dtype != object:
            digest.update(f"{value.dtype}{value.shape}".encode())
            digest.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, EnumType):
            members: Any = value
            digest.update(repr([(each.name, each.value) for each in members]).encode())
        elif isinstance(value, Enum):
            digest.update(f"{type(value).__name__}.{value.name}".encode())
            add(value.value, path)
        elif isinstance(value, tuple) and not _is_plain(value):
            for part in value:
                add(part, path)
        elif _is_plain(value):
            digest.update(repr(value).encode())
        elif isinstance(value, ModuleType | type) or _is_of_a_library(value):
            digest.update(getattr(value, "__name__", type(value).__name__).encode())
        else:
            raise InputError(
                f"{path} is a {type(value).__name__}, of which prunus cannot tell whether it "
                "changes between two solves: use numbers, tuples and arrays, or put it into data"
            )

    for part in parts:
        add(part, "a function")
    return digest.hexdigest()[:16]


def _is_plain(value: Any) -> bool:
    """Tell whether a value's text says all of it."""
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return isinstance(value, bool | int | float | complex | str | bytes | range | np.generic | None)


def _is_of_a_library(value: Any) -> bool:
    """Tell whether something is a function of Python, NumPy or Numba, which stays what it is."""
    owner = getattr(value, "__module__", None) or type(getattr(value, "__self__", None)).__module__
    return callable(value) and str(owner).partition(".")[0] in _LIBRARIES


@lru_cache(maxsize=1000)
def _meaning(code: CodeType) -> str:
    """Return a function's text without comments and layout; its code if it has no text."""
    tree = syntax_tree(code)
    if tree is not None:
        return ast.dump(ast.Module([tree], []))
    return repr((code.co_code, _constants(code), code.co_names, code.co_varnames))


def _constants(code: CodeType) -> list[Any]:
    return [_constants(c) if isinstance(c, CodeType) else c for c in code.co_consts]


def syntax_tree(function: FunctionType | CodeType) -> ast.FunctionDef | None:
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
    code = function if isinstance(function, CodeType) else function.__code__
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
