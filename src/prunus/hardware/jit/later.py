"""Parts of Numba and LLVM that are imported when something is compiled, and not before.

Most processes find all their code on disk, and importing a compiler takes longer than they do.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.core.base import BaseContext
    from numba.core.typing import Signature
    from numba.core.typing.context import BaseContext as TypingContext
else:

    class _Later:
        """A module that is imported when something of it is asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            value = getattr(importlib.import_module(self._name), name)
            setattr(self, name, value)
            return value

    ir, types = _Later("llvmlite.ir"), _Later("numba.core.types")
    cgutils = _Later("numba.core.cgutils")
    # For annotations alone.
    BaseContext = Signature = TypingContext = object


class intrinsic:  # noqa: N801
    """Do what Numba's ``intrinsic`` does, when compiled code first uses the function.

    ``define`` types the function, and generates its code.
    """

    def __init__(self, define: Callable[..., Any]) -> None:
        self._define = define
        functools.update_wrapper(self, define)

    def __call__(self, *arguments: object) -> Any:
        raise NotImplementedError(f"{self._define.__name__} is for compiled code")

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """What Numba asks any object for that compiled code names."""
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic as numbas

        context = cpu_target.typing_context
        function = numbas(self._define)
        context.refresh()
        return context.resolve_value_type(function)
