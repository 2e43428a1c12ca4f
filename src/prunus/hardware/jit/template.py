"""Compiled functions whose callees are filled in: one search, compiled for each problem."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from prunus.hardware.jit.compiled import CompiledFunction, inlined, outer


def compile_template(
    template: Callable[..., Any], name: str, **insertions: Any
) -> CompiledFunction:
    """Compile a function that Python calls, with other functions and constants as its globals.

    The code is kept on disk.

    The template is a plain function, ``name`` what it is compiled for; ``insertions`` are what its
    globals are to be, by name.
    """
    function = _filled(template, insertions)
    function.__qualname__ = f"{template.__name__}_{name}"
    compiled: CompiledFunction = outer(function)
    return compiled


def inline_template(template: Callable[..., Any], **insertions: Any) -> CompiledFunction:
    """Compile a function that compiled code calls and inlines, see ``compile_template``."""
    compiled: CompiledFunction = inlined(_filled(template, insertions))
    return compiled


def _filled(template: Any, insertions: Mapping[str, Any]) -> FunctionType:
    function = FunctionType(
        template.__code__, {**template.__globals__, **insertions}, template.__name__
    )
    function.__module__ = template.__module__
    return function
