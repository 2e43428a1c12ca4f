"""A compiled function, as Python calls it: its code comes from the disk where it is kept there.

Numba is imported, and makes its own function of it, when there is something to compile.
"""

from __future__ import annotations

import functools
import hashlib
import threading
import warnings
from collections.abc import Callable
from typing import Any

from prunus.hardware import clock
from prunus.hardware.jit import machine_code
from prunus.hardware.jit.code_files import CodeFiles
from prunus.hardware.jit.kinds import Kinds, in_words, kinds_of

_loading = threading.RLock()


class CompiledFunction:
    """A function that is compiled when it is first called with arguments of new types.

    ``make`` makes Numba's function of it, without a cache; with ``keep`` its code is kept on disk.
    """

    def __init__(self, function: Any, make: Callable[[Any], Any], *, keep: bool = False) -> None:
        self.py_func = function
        self._make = make
        self._keep = keep
        self._parameters = function.__code__.co_argcount
        self._entries: dict[Any, Callable[..., Any]] = {}
        self._linked = 0
        self._being_compiled = ""
        functools.update_wrapper(self, function)

    def __call__(self, *arguments: object, **named: object) -> Any:
        if named or not self._keep:
            return self.dispatcher(*arguments, **named)
        kinds = kinds_of(arguments)
        return (self._entries.get(kinds) or self._first(kinds, arguments))(*arguments)

    def entry(self, *arguments: Any) -> Callable[..., Any]:
        """Return what calls the code for arguments of these kinds, without asking for the kinds.

        Asking takes half a microsecond an argument. What is called with others than it was
        compiled for reads and writes anywhere.
        """
        return self._first(kinds_of(arguments), arguments)

    def __reduce__(self) -> Any:
        return functools.partial(CompiledFunction, keep=self._keep), (self.py_func, self._make)

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's function."""
        with _loading:
            made = self._make(self.py_func)
            if self._files is not None and hasattr(made, "_cache"):
                from prunus.hardware.jit.cache import KernelCache
                from prunus.hardware.jit.supported import unsupported

                if unsupported() is None:
                    made._cache = KernelCache(self.py_func, self._files, self._keep_machine_code)
            return made

    @property
    def _numba_type_(self) -> Any:
        """What Numba asks any object for that compiled code names."""
        return self.dispatcher._numba_type_

    @property
    def found(self) -> int:
        """For how many tuples of types code was found on disk."""
        made = vars(self).get("dispatcher")
        return self._linked + (sum(made.stats.cache_hits.values()) if made else 0)

    @property
    def is_ready(self) -> bool:
        """Whether some code is compiled, in this process or on disk."""
        made = vars(self).get("dispatcher")
        return bool(
            self._entries
            or (made is not None and made.overloads)
            or (self._files is not None and self._files.holds_code())
        )

    def is_ready_for(self, *arguments: object) -> bool:
        """Whether code for arguments of these kinds is compiled, in this process or on disk.

        Where only Numba can tell, that for any arguments counts.
        """
        kinds = kinds_of(arguments)
        if kinds is None or self._files is None or not machine_code.is_possible():
            return self.is_ready
        return kinds in self._entries or self._files.load(self._key(kinds)) is not None

    @functools.cached_property
    def _files(self) -> CodeFiles | None:
        """Where code is kept."""
        if not self._keep:
            return None
        try:
            return CodeFiles(self.py_func)
        except OSError:
            _say_that_nothing_is_kept()
            return None

    def _first(self, kinds: Kinds | None, arguments: tuple[object, ...]) -> Callable[..., Any]:
        """Return what to call with arguments of such kinds, from now on."""
        if kinds is None or len(arguments) != self._parameters:
            entry: Callable[..., Any] = self.dispatcher
            return entry
        with clock.paused(), _loading:
            if kinds not in self._entries:
                self._entries[kinds] = self._from_disk(kinds) or self._compiled(kinds, arguments)
            return self._entries[kinds]

    def _from_disk(self, kinds: Kinds) -> Callable[..., Any] | None:
        """Return code without Numba; None if there is none."""
        files = self._files
        if files is None or self.py_func.__closure__ or not machine_code.is_possible():
            return None
        key = self._key(kinds)
        code = machine_code.unpacked(key, files.load(key))
        entry = None if code is None else machine_code.link(code, self.py_func)
        self._linked += entry is not None
        return entry

    def _compiled(self, kinds: Kinds, arguments: tuple[object, ...]) -> Callable[..., Any]:
        """Return what Numba makes of the function, or finds on disk."""
        made = self.dispatcher
        if not hasattr(made, "compile"):
            return made  # type: ignore[no-any-return]
        import numba

        self._being_compiled = self._key(kinds)
        try:
            return made.compile(tuple(map(numba.typeof, arguments)))  # type: ignore[no-any-return]
        finally:
            self._being_compiled = ""

    def _key(self, kinds: Kinds) -> str:
        """Return what code is for: the function, the kinds of its arguments, the processor."""
        name = "" if self._files is None else self._files.name
        function = f"{name} {hashlib.sha256(self.py_func.__code__.co_code).hexdigest()}"
        return f"{function} ({in_words(kinds)}) {machine_code.processor()}"

    def _keep_machine_code(self, compiled: Any) -> bool:
        """Keep what Numba has compiled for a call; tell whether that was possible."""
        if not self._being_compiled or self.py_func.__closure__ or not machine_code.is_possible():
            return False
        code = machine_code.machine_code_of(compiled)
        if code is None:
            return False
        assert self._files is not None
        self._files.save(self._being_compiled, machine_code.packed(self._being_compiled, code))
        return True


@functools.cache
def _say_that_nothing_is_kept() -> None:
    warnings.warn(
        "compiled code cannot be kept on disk, because neither the folder of prunus nor a "
        "cache folder of the user is writable: every run compiles again, for a few seconds; set "
        "NUMBA_CACHE_DIR to a writable folder",
        stacklevel=5,
    )
