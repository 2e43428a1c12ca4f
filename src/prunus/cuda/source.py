"""Kernel sources: files of this package, joined to one text and specialised by constants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

from prunus.errors import DeviceError, missing_extra

__all__ = ["compile_only", "options", "source"]

_INCLUDE = re.compile(r'^#include "([^"]+)"\n', re.MULTILINE)


@cache
def source(path: str) -> str:
    """Return a kernel file with everything it includes from this package in place.

    One text, because compiled kernels are cached under a digest of what is compiled.

    Parameters
    ----------
    path
        The file, relative to the package, e.g. ``"flowshop/search.cu"``.
    """
    seen = set()

    def read(name: str) -> str:
        if name in seen or name == "emulated.hpp":
            return ""
        seen.add(name)
        text = resources.files("prunus").joinpath(name).read_text("utf-8")
        return _INCLUDE.sub(lambda match: read(match[1]), text).replace("#pragma once\n", "")

    return read(path)


def options(constants: Mapping[str, int | str]) -> tuple[str, ...]:
    """Return the compiler's options for a specialisation."""
    return ("-std=c++17", *(f"-D{name}={value}" for name, value in constants.items()))


def compile_only(path: str, constants: Mapping[str, int | str], architecture: str) -> bytes:
    """Compile a kernel for an architecture; needs no GPU.

    Parameters
    ----------
    path, constants
        The kernel file and what specialises it.
    architecture
        For example ``"sm_90"``.

    Returns
    -------
    bytes
        The machine code (a cubin).

    Raises
    ------
    MissingExtraError
        If CuPy is not installed.
    DeviceError
        If the compiler finds fault with the kernel; the message is the compiler's.
    """
    try:
        from cupy.cuda import nvrtc
    except ImportError as error:
        raise missing_extra("compiling for a GPU", "cuda13") from error
    program = nvrtc.createProgram(source(path), path, (), ())
    try:
        nvrtc.compileProgram(program, (*options(constants), f"-arch={architecture}"))
        return bytes(nvrtc.getCUBIN(program))
    except nvrtc.NVRTCError as error:
        log = nvrtc.getProgramLog(program)
        raise DeviceError(f"{path} does not compile for {architecture}: {log}") from error
    finally:
        nvrtc.destroyProgram(program)
