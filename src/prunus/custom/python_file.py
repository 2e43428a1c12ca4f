"""A problem from a Python file: ``FILE.py:NAME``, as the command line takes it."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from prunus.custom.problem import CustomProblem
from prunus.errors import InputError, PrunusError

_SOURCE = re.compile(r"(.+\.py):([^\W\d]\w*)")


def is_python_source(source: str) -> bool:
    """Tell whether a source is a name in a Python file."""
    return _SOURCE.fullmatch(source) is not None


def load_problem(source: str) -> CustomProblem:
    """Run a Python file and return a problem that it holds.

    ``source`` is ``"FILE.py:NAME"``: the name of a problem in the file, or of what makes one when
    it is called without arguments. Raises ``InputError`` if there is no such file or name, if it is
    something else, or if the file fails.
    """
    match = _SOURCE.fullmatch(source)
    if match is None:
        raise InputError(f"{source} is not of the form FILE.py:NAME")
    path, name = Path(match[1]), match[2]
    if not path.is_file():
        raise InputError(f"there is no file {path}")
    found: Any = getattr(_module(path), name, None)
    if found is None:
        raise InputError(f"{path} has no object named {name}")
    if callable(found) and not isinstance(found, CustomProblem):
        if any(p.default is p.empty for p in inspect.signature(found).parameters.values()):
            raise InputError(
                f"{source} takes arguments; name a function without arguments that returns a "
                "problem"
            )
        with _told(path):
            found = found()
    if not isinstance(found, CustomProblem):
        raise InputError(f"{source} is not a problem of your own but {type(found).__name__}")
    return found


def _module(path: Path) -> Any:
    """Run a file as the module that it is called, once."""
    name = path.stem
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == str(path.resolve()):
        return known
    # What it imports may lie beside it, and so does it for whoever imports it by its name.
    sys.path.insert(0, str(path.resolve().parent))
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None or known is not None:
        raise InputError(f"{path} cannot be imported as {name}: give the file another name")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _told(path):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]  # half of it
        raise
    return module


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say in one sentence what goes wrong in the file, and where."""
    try:
        yield
    except PrunusError:
        raise
    except SystemExit as error:
        raise InputError(
            f"{path} leaves Python with exit code {error.code}; guard what only a script should do "
            "by: if __name__ == '__main__'"
        ) from error
    except Exception as error:
        place, words = str(path), str(error)
        if isinstance(error, SyntaxError):
            # Of the file itself, or of one that it imports.
            place, words = f"{error.filename}, line {error.lineno}", error.msg
        for entry in traceback.extract_tb(error.__traceback__):
            if Path(entry.filename) == path.resolve() and not isinstance(error, SyntaxError):
                place = f"{path}, line {entry.lineno}"
        raise InputError(f"{place}: {type(error).__name__}: {words}") from error
