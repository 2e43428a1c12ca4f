"""Files of compiled code: kept until they are outdated, where nobody else writes.

Numba's own cache looks at the file of the outermost function alone, keeps an index that a killed
or a second process may damage, and writes wherever it can. A file here holds the code of one
function for one tuple of types; it begins with a digest of the rest, so that a damaged file is told
from an outdated one.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import inspect
import os
import pickle
import re
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from prunus.hardware.private_folder import is_trusted, is_writable

PACKAGE = Path(__file__).parents[2]

ABANDONED_S = 3600.0
"""Seconds after which a temporary file belongs to a process that was killed."""

_COMPILES = b"prunus.hardware.jit.", b"numba"
"""One of these stands in every file with code to be compiled."""

_IMPORTED = re.compile(rb"^ *(?:from|import) prunus\.([\w.]+)", re.MULTILINE)

Stamp: TypeAlias = "tuple[bytes, bytes, tuple[bytes, ...]]"
"""Digests of what code was compiled from: Numba, the package, other files."""


class CodeFiles:
    """The files with the code of one function.

    Raises ``FileNotFoundError`` if there is no folder to keep code in.
    """

    def __init__(self, function: Any) -> None:
        source = inspect.getfile(function)
        self.folder = _folder_for(source)
        self._function = function
        name = f"{Path(source).stem}.{function.__qualname__}-{function.__code__.co_firstlineno}"
        version = f"py{sys.version_info.major}{sys.version_info.minor}{sys.abiflags}"
        self.name = f"{re.sub(r'[<>]', '', name)}.{version}"

    def path(self, key: str) -> Path:
        """Return where the code for some types and processor is kept."""
        return self.folder / f"{self.name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.nbc"

    def all(self) -> Iterator[Path]:
        """Yield the files there are."""
        return self.folder.glob(f"{self.name}-*.nbc")

    def holds_code(self) -> bool:
        """Tell whether code of the function as it is now is kept."""
        for path in self.all():
            with contextlib.suppress(Exception):
                if self._is_current(*pickle.loads(_read(path)[32:])[:2]):
                    return True
        return False

    def load(self, key: str) -> bytes | None:
        """Return what was saved; None if nothing was, or it is outdated or damaged."""
        path = self.path(key)
        try:
            content = _read(path)
        except OSError:
            return None
        if hashlib.sha256(content[32:]).digest() != content[:32]:
            _say_that_some_is_damaged(self.folder)
            return None
        try:
            stamp, listing, code = pickle.loads(content[32:])
        except Exception:  # of an earlier version
            return None
        return code if self._is_current(stamp, listing) and isinstance(code, bytes) else None

    def save(self, key: str, code: bytes) -> None:
        """Keep code; where that fails the user is told, and it is compiled again next time."""
        content = pickle.dumps((self._stamp(), _listing(), code), protocol=-1)
        try:
            _write(self.path(key), hashlib.sha256(content).digest() + content)
        except OSError as error:
            warnings.warn(
                f"compiled code could not be kept on disk ({(error.strerror or '').lower()}); "
                "the next run compiles again",
                stacklevel=2,
            )

    def _stamp(self) -> Stamp:
        return versions(), _digest(), self._outside()

    def _outside(self) -> tuple[bytes, ...]:
        return tuple(map(_digest_of, _sources(self._function)))

    def _is_current(self, stamp: Stamp, listing: bytes) -> bool:
        """Tell whether nothing has changed since; files of the same time and size have not."""
        numba, package, outside = stamp
        return (
            numba == versions()
            and outside == self._outside()
            and (listing == _listing() or package == _digest())
        )


@functools.cache
def versions() -> bytes:
    """Return a digest of the versions of Numba and LLVM, which are not imported for it."""
    found = hashlib.sha256()
    for name in ("numba", "llvmlite"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin is not None:
            found.update(Path(spec.origin).with_name("_version.py").read_bytes())
    return found.digest()


@functools.cache
def _listing() -> bytes:
    """Return a digest of the names, sizes and times of the package's files: quicker than theirs."""
    whole = hashlib.sha256()
    folders = [str(PACKAGE)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    facts = entry.path, status.st_size, status.st_mtime_ns
                    whole.update(repr(facts).encode())
                elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return whole.digest()


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
    folders = [parent / "__pycache__", _user_folder() / below]
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        folders = [Path(chosen) / below, *folders]
    for folder in folders:
        if Path(source).is_file() and _is_usable(folder):
            return folder
    raise FileNotFoundError(f"no folder for the compiled code of {source}")


def _user_folder() -> Path:
    """Return the user's own folder for what can be made again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~"), "prunus", "Cache")
    if sys.platform == "darwin":
        return Path(os.path.expanduser("~/Library/Caches"), "prunus")
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "prunus")


@functools.cache
def _is_usable(folder: Path) -> bool:
    """Make a folder if need be; tell whether files can be kept in it that nobody else may write."""
    if not is_writable(folder):
        return False
    if is_trusted(folder.stat(), folder.parent):
        return True
    warnings.warn(
        f"compiled code is not kept in {folder}, because other users can write to it; remove "
        "that permission (chmod go-w), or set NUMBA_CACHE_DIR to a folder of your own",
        stacklevel=5,
    )
    return False


@functools.cache
def _say_that_some_is_damaged(folder: Path) -> None:
    warnings.warn(
        f"some of the compiled code kept in {folder} is damaged; it is compiled again", stacklevel=5
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
