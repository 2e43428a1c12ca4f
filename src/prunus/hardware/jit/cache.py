"""Compiled code is kept on disk between runs: until it is outdated, and where nobody else writes.

Numba's own cache looks at the file of the outermost function alone, keeps an index that a killed
or a second process may damage, and writes wherever it can. This one belongs to the functions of
this package only, and Numba's stays as it is for everybody else. A file holds the code of one
function for one tuple of types; it begins with a digest of the rest, so that a damaged file is told
from an outdated one.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import os
import pickle
import re
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numba
from numba.core import config
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.misc.appdirs import AppDirs

from prunus.hardware.private_folder import is_trusted

__all__ = ["KernelCache", "digest"]

PACKAGE = Path(__file__).parents[2]

ABANDONED_S = 3600.0
"""Seconds after which a temporary file belongs to a process that was killed."""

_COMPILES = b"prunus.hardware.jit.", b"numba"
"""One of these stands in every file with code to be compiled."""

_IMPORTED = re.compile(rb"^ *(?:from|import) prunus\.([\w.]+)", re.MULTILINE)


class KernelCache(_Cache):  # type: ignore[misc]
    """What Numba asks for the compiled code of one function.

    Parameters
    ----------
    function
        The function.

    Raises
    ------
    FileNotFoundError
        If there is no folder to keep code in.
    """

    def __init__(self, function: Any) -> None:
        source = inspect.getfile(function)
        self._folder = _folder_for(source)
        self._function = function
        name = f"{Path(source).stem}.{function.__qualname__}-{function.__code__.co_firstlineno}"
        version = f"py{sys.version_info.major}{sys.version_info.minor}{sys.abiflags}"
        self._name = f"{re.sub(r'[<>]', '', name)}.{version}"
        self._stamp = numba.__version__, _digest(), tuple(map(_digest_of, _sources(function)))
        self._enabled = True

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def enable(self) -> None:
        """Load and save from now on."""
        self._enabled = True

    def disable(self) -> None:
        """Neither load nor save from now on."""
        self._enabled = False

    def flush(self) -> None:
        """Forget all code of the function."""
        for path in self._folder.glob(f"{self._name}-*.nbc"):
            path.unlink(missing_ok=True)

    def holds_code(self) -> bool:
        """Tell whether code of the function as it is now is kept."""
        for path in self._folder.glob(f"{self._name}-*.nbc"):
            with contextlib.suppress(Exception):
                if pickle.loads(_read(path)[32:])[0] == self._stamp:
                    return True
        return False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function for a signature, None if none is kept or it is outdated."""
        if not self._enabled:
            return None
        target_context.refresh()
        path, key = self._path_and_key(sig, target_context.codegen())
        try:
            content = _read(path)
        except OSError:
            return None
        if hashlib.sha256(content[32:]).digest() != content[:32]:
            _say_that_some_is_damaged(self._folder)
            return None
        try:
            stamp, rest = pickle.loads(content[32:])
            if stamp != self._stamp:
                return None
            kept, payload = pickle.loads(rest)
        except Exception:  # a class of arguments that has moved: the code is of an earlier version
            return None
        return CompileResult._rebuild(target_context, *payload) if kept == key else None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function; where that fails the user is told, and the function is used."""
        if not self._enabled or data.library.has_dynamic_globals or any(data.lifted):
            return
        path, key = self._path_and_key(sig, data.codegen)
        content = pickle.dumps((self._stamp, dumps((key, data._reduce()))), protocol=-1)
        try:
            _write(path, hashlib.sha256(content).digest() + content)
        except OSError as error:
            warnings.warn(
                f"compiled code could not be kept on disk ({(error.strerror or '').lower()}); "
                "the next run compiles again",
                stacklevel=2,
            )

    def _path_and_key(self, sig: Any, codegen: Any) -> tuple[Path, Any]:
        """Return where code is kept, and what it is for: types, processor, the function itself."""
        cells = tuple(cell.cell_contents for cell in self._function.__closure__ or ())
        parts = self._function.__code__.co_code, dumps(cells)
        digests = (hashlib.sha256(part).hexdigest() for part in parts)
        # The name as well: functions that differ in a constant alone have the same byte code.
        key = sig, codegen.magic_tuple(), self._name, *digests
        words = re.sub(r"0x[0-9a-f]+", "", str(key))  # a function's address, say
        name = hashlib.sha256(words.encode()).hexdigest()[:16]
        return self._folder / f"{self._name}-{name}.nbc", key


def _read(path: Path) -> bytes:
    """Return what is in a file that the user, or who owns the folder, has written."""
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)), "rb") as stream:
        if not is_trusted(os.fstat(stream.fileno()), path.parent):
            raise PermissionError
        return stream.read()


def _write(path: Path, content: bytes) -> None:
    """Write a file, all of it or nothing, that nobody else may change."""
    _clear_up(path.parent)
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        with open(os.open(temporary, flags, 0o644), "wb") as stream:
            stream.write(content)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


@functools.cache
def _clear_up(folder: Path) -> None:
    """Remove what processes that were killed while they wrote have left, once a process."""
    before = time.time() - ABANDONED_S
    for path in folder.glob("*.nbc.*.tmp"):
        with contextlib.suppress(OSError):
            if path.lstat().st_mtime < before:
                path.unlink()


def _folder_for(source: str) -> Path:
    """Return the folder for a file's compiled code: the first that can be used.

    That is below ``NUMBA_CACHE_DIR`` if it is set, else beside the file, else in the user's own
    cache folder.
    """
    parent = Path(source).resolve().parent
    below = f"{parent.name}_{hashlib.sha256(str(parent).encode()).hexdigest()[:32]}"
    user = Path(AppDirs(appname="prunus", appauthor=False).user_cache_dir)
    folders = [parent / "__pycache__", user / below]
    if config.CACHE_DIR:
        folders = [Path(config.CACHE_DIR) / below, *folders]
    for folder in folders:
        if Path(source).is_file() and _is_usable(folder):
            return folder
    raise FileNotFoundError(f"no folder for the compiled code of {source}")


@functools.cache
def _is_usable(folder: Path) -> bool:
    """Make a folder if need be; tell whether files can be kept in it that nobody else may write."""
    if not folder.is_absolute():  # there is no home folder: it would be below the current one
        return False
    try:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        if is_trusted(folder.stat(), folder.parent):
            return True
    except OSError:
        return False
    warnings.warn(
        f"compiled code is not kept in {folder}, since others may write there; take their "
        "right away (chmod go-w), or set NUMBA_CACHE_DIR to a folder of your own",
        stacklevel=5,
    )
    return False


@functools.cache
def _say_that_some_is_damaged(folder: Path) -> None:
    warnings.warn(
        f"some of the compiled code kept in {folder} is damaged; it is compiled anew", stacklevel=5
    )


def digest(package: Path) -> bytes:
    """Return a digest of all files with code to be compiled, and of what they import.

    Compiled code contains that of the functions it calls and the constants it names, wherever they
    stand.
    """
    texts: dict[Path, bytes] = {}
    for path in sorted(package.rglob("*.py")):
        text = path.read_bytes()
        if any(word in text for word in _COMPILES):
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
    return digest(PACKAGE)


def _sources(function: Any) -> list[str]:
    """Return the files outside the package of a function and of the compiled ones it names."""
    named = (function.__globals__.get(name) for name in function.__code__.co_names)
    inside = (getattr(value, "py_func", None) for value in named)
    files = {inspect.getfile(part) for part in (function, *inside) if part is not None}
    return sorted(file for file in files if not Path(file).resolve().is_relative_to(PACKAGE))


@functools.cache
def _digest_of(source: str) -> bytes:
    return hashlib.sha256(Path(source).read_bytes()).digest()
