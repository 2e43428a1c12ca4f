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

from prunus.hardware import clock
from prunus.hardware.jit.function import CompiledFunction

_PRIVATE = "_nrt", "no_cpython_wrapper", "no_cfunc_wrapper"
"""Options that Numba does not document, or that need help to be safe."""


def njit(*, cache: bool = False, **options: Any) -> Callable[[Any], Any]:
    """Do what Numba's ``njit`` does; the clock stands still while code is compiled or loaded.

    Numba is imported when something has to be compiled. Where nothing can be kept, it is compiled
    anew in each process.

    ``cache`` keeps the compiled code on disk; other options are Numba's.
    """
    make = partial(_numbas, options=options)
    return lambda function: CompiledFunction(function, make, keep=cache)


def _numbas(function: Any, options: dict[str, Any]) -> Any:
    """Make Numba's function of a function."""
    import numba

    from prunus.hardware.jit.supported import unsupported

    missing = unsupported()
    if missing is not None:
        _say_that_it_is_plain(missing)
        options = {name: value for name, value in options.items() if name not in _PRIVATE}
    is_linked = options.get("no_cpython_wrapper", False)
    made = _linked(function, options) if is_linked else numba.njit(**options)(function)
    if hasattr(made, "compile"):  # NUMBA_DISABLE_JIT leaves functions as they are
        made.compile = clock.paused()(made.compile)
    return made


def _linked(function: Any, options: dict[str, Any]) -> Any:
    """Compile what only compiled code calls."""
    import numba

    from prunus.hardware.jit.linked import LinkedOnly, be_the_same_for_constants, let_python_in

    dispatcher = numba.njit(**options, pipeline_class=LinkedOnly)(function)
    let_python_in(dispatcher)
    be_the_same_for_constants(dispatcher)
    return dispatcher


@functools.cache
def _say_that_it_is_plain(missing: str) -> None:
    warnings.warn(
        f"{missing}: every run compiles again, for a few seconds, and searches are slower",
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
