"""Compiled functions whose callees are filled in: one search, compiled for each problem."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

from prunus.hardware.jit.compiled import inlined, outer

__all__ = ["compile_template", "inline_template"]

Compiled = Callable[..., Any]


def compile_template(
    template: Callable[..., Any], name: str, **insertions: Any
) -> Callable[..., Any]:
    """Compile a function that Python calls, with other functions and constants as its globals.

    The code is kept on disk. Its name there holds a digest of the files of the inserted functions:
    Numba and `prunus.hardware.jit.kernel_cache` notice changes in this package only.

    Parameters
    ----------
    template
        A plain function; ``name`` tells what it is compiled for.
    **insertions
        What the template's globals are to be, by name.
    """
    digest = hashlib.blake2b(digest_size=6)
    for file in sorted(filter(None, map(_source_file, insertions.values()))):
        digest.update(Path(file).read_bytes())
    function = _filled(template, insertions)
    function.__qualname__ = f"{template.__name__}_{name}_{digest.hexdigest()}"
    compiled: Compiled = outer(function)
    return compiled


def inline_template(template: Callable[..., Any], **insertions: Any) -> Callable[..., Any]:
    """Compile a function that compiled code calls and inlines, see ``compile_template``."""
    compiled: Compiled = inlined(_filled(template, insertions))
    return compiled


def _filled(template: Any, insertions: Mapping[str, Any]) -> FunctionType:
    function = FunctionType(
        template.__code__, {**template.__globals__, **insertions}, template.__name__
    )
    function.__module__ = template.__module__
    return function


def _source_file(inserted: Any) -> str | None:
    function = getattr(inserted, "py_func", None)
    return None if function is None else inspect.getsourcefile(function)
