"""Kernel sources: files of this package, joined to one text and specialised by constants."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from prunus.hardware.cuda.structs import header

_SPLITS = 12, 8
"""The version of NVRTC from which on it can compile on several cores; 12.4 had a fault there."""

_EMULATION = "emulated.hpp"
"""The tests' own header, with which kernels run on the processor; nobody else includes it."""

_INCLUDE = re.compile(r'^#include "([^"]+)"\n', re.MULTILINE)


@cache
def source(path: str) -> str:
    """Return a kernel file with everything it includes from this package in place.

    One text, because compiled kernels are cached under a digest of what is compiled. Includes that
    end in ``.h`` are made from the structures that a module declares, see ``structs``.

    The path is relative to the package, e.g. ``"flowshop/gpu/search.cu"``.
    """
    seen = set()

    def read(name: str) -> str:
        if name in seen:
            return ""
        seen.add(name)
        if name == _EMULATION:
            return f'#include "{name}"\n'
        if name.endswith(".h"):
            return header(name)
        text = resources.files("prunus").joinpath(name).read_text("utf-8")
        return _INCLUDE.sub(lambda match: read(match[1]), text).replace("#pragma once\n", "")

    return read(path)


def specialised(path: str, constants: Mapping[str, int | str]) -> str:
    """Return a kernel file with the constants that specialise it.

    They stand in the text: for options that it has not seen CuPy compiles an empty file first.
    """
    text = "".join(f"#define {name} {value}\n" for name, value in constants.items())
    return f"{text}#line 1\n{source(path)}"


def options(nvrtc: Any) -> tuple[str, ...]:
    """Return the options of a compiler, as CuPy knows it: on all cores, if it can."""
    return ("-std=c++17", *(("-split-compile=0",) if nvrtc.getVersion() >= _SPLITS else ()))
