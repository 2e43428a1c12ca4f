"""How the inner loops of the tree search are compiled.

Without the interpreter lock, and without Numba's reference counts: Numba raises and lowers the
atomic count of each array argument at every call that it cannot prune, which in a loop of a hundred
nanoseconds a node costs as much as the node. Such functions allocate nothing; their callers keep
the arrays alive.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prunus.kernel_cache import njit

__all__ = ["inlined", "inner", "outer"]

inner: Callable[[Any], Any] = njit(nogil=True, _nrt=False)
"""Compile a function that compiled code calls."""

inlined: Callable[[Any], Any] = njit(nogil=True, _nrt=False, forceinline=True)
"""The same, always inlined: a call that passes a tuple of arrays pushes all their parts."""

outer: Callable[[Any], Any] = njit(nogil=True, _nrt=False, cache=True)
"""Compile a function that Python calls; its code is kept on disk."""
