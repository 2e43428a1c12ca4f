"""Numba's cache, for functions whose code only Numba can load."""

from __future__ import annotations

import hashlib
import pickle
import re
from collections.abc import Callable
from typing import Any

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from prunus.hardware.jit.code_files import CodeFiles


class KernelCache(_Cache):  # type: ignore[misc]
    """What Numba asks for the compiled code of one function.

    ``compiled`` is called with what was compiled, and tells whether it has kept that itself.
    """

    def __init__(self, function: Any, files: CodeFiles, compiled: Callable[[Any], bool]) -> None:
        self._function = function
        self._files = files
        self._compiled = compiled
        self._enabled = True

    @property
    def cache_path(self) -> str:
        return str(self._files.folder)

    def enable(self) -> None:
        """Load and save from now on."""
        self._enabled = True

    def disable(self) -> None:
        """Neither load nor save from now on."""
        self._enabled = False

    def flush(self) -> None:
        """Forget all code of the function."""
        for path in self._files.all():
            path.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function for a signature, None if none is kept or it is outdated."""
        if not self._enabled:
            return None
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        kept = self._files.load(_words(key))
        if kept is None:
            return None
        try:
            kept_key, payload = pickle.loads(kept)
        except Exception:  # a class of arguments that has moved: the code is of an earlier version
            return None
        return CompileResult._rebuild(target_context, *payload) if kept_key == key else None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function."""
        if self._compiled(data) or not self._enabled:
            return
        if not data.library.has_dynamic_globals and not any(data.lifted):
            key = self._key(sig, data.codegen)
            self._files.save(_words(key), dumps((key, data._reduce())))

    def _key(self, sig: object, codegen: Any) -> tuple[Any, ...]:
        """Return what code is for: types, processor, the function itself."""
        cells = tuple(cell.cell_contents for cell in self._function.__closure__ or ())
        parts = self._function.__code__.co_code, dumps(cells)
        digests = (hashlib.sha256(part).hexdigest() for part in parts)
        # The name as well: functions that differ in a constant alone have the same byte code.
        return sig, codegen.magic_tuple(), self._files.name, *digests


def _words(key: tuple[Any, ...]) -> str:
    return re.sub(r"0x[0-9a-f]+", "", str(key))  # a function's address, say
