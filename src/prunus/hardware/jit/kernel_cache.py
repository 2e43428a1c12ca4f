"""Compiled code is kept on disk between runs: until it is outdated, and if there is room for it.

Importing this module sees to both; it has to come before anything that is compiled, so `njit` is
taken from here.
"""

from __future__ import annotations

import functools
import hashlib
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

from prunus.hardware.jit.linked import LinkedOnly, be_the_same_for_constants
from prunus.runtime import clock

__all__ = ["digest", "njit"]

_PACKAGE = Path(__file__).parents[2]
_COMPILED = re.compile(rb"\bn?jit\b|\binlined\b|@inner\b|@outer\b")
_IMPORTED = re.compile(rb"^\s*(?:from|import) prunus\.([\w.]+)", re.MULTILINE)


def njit(*, cache: bool = False, **options: Any) -> Callable[[Any], Any]:
    """Do what Numba's ``njit`` does; the clock stands still while code is compiled or loaded.

    Where nothing can be kept, it is compiled anew in each process.

    Parameters
    ----------
    cache
        Keep the compiled code on disk. Numba raises where neither the folder of the package nor
        one of the user's can be written, as in many containers.
    **options
        Numba's.
    """
    linked = options.get("no_cpython_wrapper", False)
    compiler = numba.njit(**options, **({"pipeline_class": LinkedOnly} if linked else {}))

    def decorate(function: Any) -> Any:
        dispatcher = compiler(function)
        dispatcher.compile = clock.standing()(dispatcher.compile)
        if linked:
            _let_python_in(dispatcher)
            be_the_same_for_constants(dispatcher)
        if cache:
            try:
                dispatcher.enable_caching()
            except RuntimeError:
                _say_that_nothing_is_kept()
        return dispatcher

    return decorate


def _let_python_in(dispatcher: Any) -> None:
    """Make an entry for Python when Python first calls what has none: Numba would crash."""

    @functools.cache
    def entry() -> Any:
        def call(*arguments: Any) -> Any:
            return dispatcher(*arguments)

        return numba.njit(call)

    def add_overload(compiled: Any) -> None:
        dispatcher.overloads[tuple(compiled.signature.args)] = compiled

    dispatcher.add_overload = add_overload
    # Numba calls what this returns.
    dispatcher._compile_for_args = lambda *arguments: entry()


@functools.cache
def _say_that_nothing_is_kept() -> None:
    warnings.warn(
        "compiled code cannot be kept on disk, since neither the folder of prunus nor a cache "
        "folder of the user can be written: every run compiles anew, for some seconds; set "
        "NUMBA_CACHE_DIR to a folder that can be written",
        stacklevel=4,
    )


def digest(package: Path) -> bytes:
    """Return a digest of all files with code to be compiled, and of what they import.

    Compiled code contains that of the functions it calls and the constants it names, wherever they
    stand; Numba looks at the file of the outermost function alone.
    """
    texts: dict[Path, bytes] = {}
    for path in sorted(package.rglob("*.py")):
        text = path.read_bytes()
        if _COMPILED.search(text):
            texts[path] = text
    for name in {name for text in texts.values() for name in _IMPORTED.findall(text)}:
        path = package.joinpath(*name.decode().split("."))
        for module in (path.with_suffix(".py"), path / "__init__.py"):
            if module not in texts and module.is_file():
                texts[module] = module.read_bytes()
    whole = hashlib.sha256()
    for path in sorted(texts):
        whole.update(hashlib.sha256(texts[path]).digest())
    return whole.digest()


@functools.cache
def _digest() -> bytes:
    return digest(_PACKAGE)


def _know_what_is_inside() -> None:
    """Let Numba forget what it compiled of this package when any of its compiled files changes."""
    locator = caching._SourceFileBackedLocatorMixin
    stamp = locator.get_source_stamp

    @functools.wraps(stamp)
    def whole(self: Any) -> Any:
        own = stamp(self)
        return (own, _digest()) if _PACKAGE in Path(self._py_file).parents else own

    locator.get_source_stamp = whole


def _tolerate_failures() -> None:
    """Let Numba go on with code that it could not save; it warns instead, once a process.

    Numba compiles a function, registers it and then saves it; an error in the last step would come
    out of whatever called the function.
    """
    save = caching.Cache.save_overload

    @functools.wraps(save)
    def tolerant(self: Any, signature: Any, data: Any) -> None:
        try:
            save(self, signature, data)
        except OSError as error:
            warnings.warn(
                f"compiled code could not be kept on disk ({(error.strerror or '').lower()}); "
                "the next run compiles again",
                stacklevel=2,
            )

    caching.Cache.save_overload = tolerant


def _forget_what_cannot_be_read() -> None:
    """Let Numba compile anew where its list of what is kept cannot be read.

    The list names the classes of arguments: of an earlier version, in which a class stood in
    another module, reading it fails before anything could tell that it is outdated.
    """
    load = caching.IndexDataCacheFile._load_index

    @functools.wraps(load)
    def forgetful(self: Any) -> Any:
        try:
            return load(self)
        except OSError:
            raise
        except Exception:  # whatever unpickling may come upon
            return {}

    caching.IndexDataCacheFile._load_index = forgetful


_know_what_is_inside()
_tolerate_failures()
_forget_what_cannot_be_read()
