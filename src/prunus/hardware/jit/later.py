"""Parts of Numba and LLVM that are imported when something is compiled, and not before.

Most processes find all their code on disk, and importing a compiler takes longer than they do.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.core.base import BaseContext
    from numba.core.typing import Signature
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
    BaseContext = Signature = object
