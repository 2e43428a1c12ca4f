"""How the inner loops of the searches are compiled: they run fast, and compile quickly.

Without the interpreter lock, and without Numba's reference counts: Numba raises and lowers the
atomic count of each array argument at every call that it cannot prune, which in a loop of a hundred
nanoseconds a node costs as much as the node. Such functions allocate nothing; their callers keep
the arrays alive. What only compiled code calls gets no entry for Python either: unpacking the
tuples of arrays that these functions take would be most of their code, and of the time to compile
it; Python may call them all the same, which compiles one then. Nor is it machine code by itself:
see `prunus.hardware.jit.linked`.

All of this but the interpreter lock needs Numba's inside. Where that is not as it was tested, the
same functions are compiled by Numba as it comes.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numba

from prunus.hardware import clock
from prunus.hardware.jit.supported import unsupported

__all__ = ["inlined", "inner", "is_ready", "njit", "outer", "reducing"]

_PRIVATE = "_nrt", "no_cpython_wrapper", "no_cfunc_wrapper"
"""Options that Numba does not document, or that need help to be safe."""


def njit(*, cache: bool = False, **options: Any) -> Callable[[Any], Any]:
    """Do what Numba's ``njit`` does; the clock stands still while code is compiled or loaded.

    Where nothing can be kept, it is compiled anew in each process.

    Parameters
    ----------
    cache
        Keep the compiled code on disk.
    **options
        Numba's.
    """
    plain = unsupported() is not None
    if plain:
        _say_that_it_is_plain()
        options = {name: value for name, value in options.items() if name not in _PRIVATE}
    is_linked = options.get("no_cpython_wrapper", False)

    def decorate(function: Any) -> Any:
        dispatcher = _linked(function, options) if is_linked else numba.njit(**options)(function)
        dispatcher.compile = clock.paused()(dispatcher.compile)
        if cache and not plain:
            _keep(dispatcher)
        return dispatcher

    return decorate


def is_ready(dispatcher: Any) -> bool:
    """Tell whether some code of a function is compiled, in this process or on disk."""
    kept = getattr(dispatcher._cache, "holds_code", None)
    return bool(dispatcher.overloads) or (kept is not None and kept())


def _linked(function: Any, options: dict[str, Any]) -> Any:
    """Compile what only compiled code calls."""
    from prunus.hardware.jit.linked import LinkedOnly, be_the_same_for_constants, let_python_in

    dispatcher = numba.njit(**options, pipeline_class=LinkedOnly)(function)
    let_python_in(dispatcher)
    be_the_same_for_constants(dispatcher)
    return dispatcher


def _keep(dispatcher: Any) -> None:
    """Keep what is compiled of a function on disk."""
    from prunus.hardware.jit.cache import KernelCache

    try:
        dispatcher._cache = KernelCache(dispatcher.py_func)
    except OSError:
        _say_that_nothing_is_kept()


@functools.cache
def _say_that_nothing_is_kept() -> None:
    warnings.warn(
        "compiled code cannot be kept on disk, since neither the folder of prunus nor a cache "
        "folder of the user can be written: every run compiles anew, for some seconds; set "
        "NUMBA_CACHE_DIR to a folder that can be written",
        stacklevel=5,
    )


@functools.cache
def _say_that_it_is_plain() -> None:
    warnings.warn(
        f"{unsupported()}: every run compiles anew, for some seconds, and searches are slower",
        stacklevel=4,
    )


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
