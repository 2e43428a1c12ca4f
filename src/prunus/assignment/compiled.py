"""How the inner loops of the assignment solvers are compiled: quickly, besides running fast.

As in `prunus.treesearch.compiled`, without the interpreter lock and without reference counts. What
only compiled code calls gets no entry for Python either: unpacking the tuples of arrays that these
functions take would be most of their code, and of the time to compile it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prunus.kernel_cache import njit
from prunus.treesearch.compiled import outer

__all__ = ["inner", "outer", "reducing"]

inner: Callable[[Any], Any] = njit(
    nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True
)
"""Compile a function that compiled code calls."""

reducing: Callable[[Any], Any] = njit(
    nogil=True,
    _nrt=False,
    no_cpython_wrapper=True,
    no_cfunc_wrapper=True,
    fastmath={"nnan", "nsz"},
)
"""The same for largest and least numbers of many, none of which is NaN: many at a time."""
