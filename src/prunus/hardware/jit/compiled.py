"""How the inner loops of the searches are compiled: they run fast, and compile quickly.

Without the interpreter lock, and without Numba's reference counts: Numba raises and lowers the
atomic count of each array argument at every call that it cannot prune, which in a loop of a hundred
nanoseconds a node costs as much as the node. Such functions allocate nothing; their callers keep
the arrays alive. What only compiled code calls gets no entry for Python either: unpacking the
tuples of arrays that these functions take would be most of their code, and of the time to compile
it; Python may call them all the same, which compiles one then. Nor is it machine code by itself:
see `prunus.hardware.jit.linked`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from prunus.hardware.jit.kernel_cache import njit

__all__ = ["inlined", "inner", "outer", "reducing"]

_njit = partial(njit, nogil=True, _nrt=False)
_inner = partial(_njit, no_cpython_wrapper=True, no_cfunc_wrapper=True)

inner: Callable[[Any], Any] = _inner()
"""Compile a function that compiled code calls."""

inlined: Callable[[Any], Any] = _inner(forceinline=True)
"""The same, always inlined: a call that passes a tuple of arrays pushes all their parts."""

reducing: Callable[[Any], Any] = _inner(fastmath={"nnan", "nsz"})
"""The same for largest and least numbers of many, none of which is NaN: many at a time."""

outer: Callable[[Any], Any] = _njit(cache=True, no_cfunc_wrapper=True)
"""Compile a function that Python calls; its code is kept on disk."""
