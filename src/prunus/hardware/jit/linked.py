"""What only compiled code calls is optimised and made machine code where it is called, and once.

Numba takes each function for one that somebody may call: it optimises it, makes machine code of it,
and then links a copy into whatever calls it, where both are done again. Of a function that only
compiled code calls, the first machine code is never run and the first optimising is lost work. Here
such a function stays as Numba's own passes leave it; each function that Python calls is optimised
as a whole, with all that it calls.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NoPythonSupportedFeatureValidation


class _NoEnvironment:
    """A code generator for functions that are never run by themselves: they need no globals."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: the place to be written does not exist."""


class _Unfinished(JITCodeLibrary):  # type: ignore[misc]
    """A library that is only linked into others."""

    @property
    def codegen(self) -> Any:
        return _NoEnvironment(self._codegen)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0


@register_pass(mutates_CFG=False, analysis_only=True)
class _BeUnfinished(FunctionPass):  # type: ignore[misc]
    """Have what comes next write into a library that is only linked into others."""

    _name = "prunus_be_unfinished"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        codegen = state.targetctx.codegen()
        state.library = _Unfinished(codegen, state.func_id.func_qualname)
        return False


class LinkedOnly(CompilerBase):  # type: ignore[misc]
    """Numba's compiler for what only compiled code calls."""

    def define_pipelines(self) -> list[Any]:
        """Numba's passes, and one before the last."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_BeUnfinished, NoPythonSupportedFeatureValidation)
        passes.finalize()
        return [passes]


def be_the_same_for_constants(dispatcher: Any) -> None:
    """Compile once for all numbers: Numba would do so for each constant that callers name."""
    template = dispatcher.get_call_template

    def general(args: Any, kws: Any) -> Any:
        kinds = {name: types.unliteral(kind) for name, kind in kws.items()}
        return template(tuple(map(types.unliteral, args)), kinds)

    dispatcher.get_call_template = general


def let_python_in(dispatcher: Any) -> None:
    """Make an entry for Python when Python first calls what has none: Numba would crash."""

    @functools.cache
    def entry() -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            return dispatcher(*arguments)

        return numba.njit(call)  # type: ignore[no-any-return]

    def add_overload(compiled: Any) -> None:
        dispatcher.overloads[tuple(compiled.signature.args)] = compiled

    dispatcher.add_overload = add_overload
    # Numba calls what this returns.
    dispatcher._compile_for_args = lambda *arguments: entry()
