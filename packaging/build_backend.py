"""The build backend: scikit-build-core's, with the compiler of ziglang where there is none.

Kernels for CPU cores are C++. A machine without a C++ compiler gets Zig's, a package of some 100 MB
that is needed for the build alone.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from typing import Any

from scikit_build_core import build as backend
from scikit_build_core.build import (
    build_sdist,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ZIG = "ziglang>=0.14"


def has_compiler() -> bool:
    """Return whether CMake will find a C++ compiler."""
    names = ["c++", "g++", "clang++"]
    if sys.platform == "win32":
        # Visual Studio is found by its installer, not on the path.
        installer = Path(os.environ.get("PROGRAMFILES(X86)", "")) / "Microsoft Visual Studio"
        names += ["cl", "clang-cl", str(installer / "Installer" / "vswhere.exe")]
    return bool(os.environ.get("CXX")) or any(map(shutil.which, names))


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return what the build needs besides pyproject.toml's list."""
    return [*backend.get_requires_for_build_wheel(config_settings), *_compiler()]


def get_requires_for_build_editable(config_settings: Any = None) -> list[str]:
    """Return the same for an editable installation."""
    return [*backend.get_requires_for_build_editable(config_settings), *_compiler()]


def build_wheel(*arguments: Any, **named: Any) -> str:
    """Build a wheel."""
    _use_zig_if_needed()
    return backend.build_wheel(*arguments, **named)


def build_editable(*arguments: Any, **named: Any) -> str:
    """Build what an editable installation needs."""
    _use_zig_if_needed()
    return backend.build_editable(*arguments, **named)


def _compiler() -> list[str]:
    return [] if has_compiler() else [ZIG]


def _use_zig_if_needed() -> None:
    """Let CMake find Zig's compiler if there is no other."""
    if has_compiler():
        return
    if importlib.util.find_spec("ziglang") is None:
        sys.exit(
            "prunus: no C++ compiler was found. Install one (Debian: apt-get install g++), or the "
            "package ziglang, which brings one: pip install ziglang"
        )
    print(
        "prunus: no C++ compiler was found; building with that of the package ziglang", flush=True
    )
    folder = Path(tempfile.mkdtemp(prefix="prunus-zig-"))
    os.environ["CXX"] = str(_program(folder, "c++"))
    archiver, index = _program(folder, "ar"), _program(folder, "ranlib")
    options = [f"-DCMAKE_AR={archiver.as_posix()}", f"-DCMAKE_RANLIB={index.as_posix()}"]
    os.environ["CMAKE_ARGS"] = " ".join([os.environ.get("CMAKE_ARGS", ""), *options]).strip()


def _program(folder: Path, name: str) -> Path:
    """Write a program that is one of Zig's commands."""
    if sys.platform == "win32":
        file = folder / f"zig-{name}.bat"
        file.write_text(f'@"{sys.executable}" -m ziglang {name} %*\n')
    else:
        file = folder / f"zig-{name}"
        file.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ziglang {name} "$@"\n')
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file
