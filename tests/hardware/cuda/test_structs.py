"""Structures that are declared once lie in memory as compilers lay them out."""

from __future__ import annotations

import ctypes
import re
import subprocess
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import prunus
from prunus.hardware.cuda.source import source
from prunus.hardware.cuda.structs import Field, Structure, header
from tests.hardware.cuda.compilers import compile_only
from tests.hardware.cuda.emulated import COMPILER

PACKAGE = Path(prunus.__file__).parent
INCLUDE = re.compile(r'^#include "([^"]+\.h)"$', re.MULTILINE)
HEADERS = sorted({n for p in PACKAGE.rglob("*.cu*") for n in INCLUDE.findall(p.read_text("utf-8"))})

INNER = Structure("Inner", Field("a", "u8"), Field("b", "u64"), Field("c", "u16"))
ODD = Structure(
    "Odd",
    *(Field("first", "u8"), Field("many", "u32", "", 3), Field("inner", INNER, "", 2)),
    *(Field("x", "float"), Field("pointer", "const u32*"), Field("y", "double"), Field("z", "int")),
)
"""Whatever a declaration may hold, with room between."""


def structures(name):
    """Return the structures of a header."""
    return import_module("prunus." + name[:-2].replace("/", ".")).STRUCTURES


EVERY = {
    "odd": (INNER.text + ODD.text, (INNER, ODD)),
    **{name: (header(name), structures(name)) for name in HEADERS},
}


def declared(text):
    """Return a text of C++ that can be compiled by itself: what pointers point to is declared."""
    types = "typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32;\n"
    types += "typedef unsigned long long u64; typedef long long i64;\n"
    types += "typedef double price_t;\n"
    known = {"u8", "u16", "u32", "u64", "i64", "int", "float", "double", "uint4", "price_t", "char"}
    pointed = set(re.findall(r"(\w+)\*", text)) - known - set(re.findall(r"struct (\w+)", text))
    return types + "".join(f"struct {name};\n" for name in sorted(pointed)) + text


def layout(structure):
    """Return the size and the offsets as NumPy has them."""
    return [structure.bytes, *(structure.offset(field.name) for field in structure.fields)]


def measured(structure):
    """Return the same as expressions of C++."""
    offsets = [f"__builtin_offsetof({structure.name}, {field.name})" for field in structure.fields]
    return [f"sizeof({structure.name})", *offsets]


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_numpy_and_a_compiler_agree(name, tmp_path):
    """Sizes and offsets of every structure of every header."""
    text, every = EVERY[name]
    code = "struct uint4 { unsigned x, y, z, w; };\n" + declared(text)
    for structure in every:
        values = ", ".join(measured(structure))
        code += f'extern "C" const u64 of_{structure.name}[] = {{{values}}};\n'
    (tmp_path / "layout.cpp").write_text(code.replace("const u64 of", "u64 of"))
    made = tmp_path / "layout.so"
    subprocess.run(
        [COMPILER, "-w", "-shared", "-fPIC", str(tmp_path / "layout.cpp"), "-o", str(made)],
        check=True,
    )
    library = ctypes.CDLL(str(made))
    for structure in every:
        expected = layout(structure)
        array = (ctypes.c_uint64 * len(expected)).in_dll(library, f"of_{structure.name}")
        assert list(array) == expected, structure.name


@pytest.mark.extras
@pytest.mark.parametrize("name", EVERY)
def test_numpy_and_the_compiler_of_kernels_agree(name, monkeypatch):
    """The same for NVRTC, which refuses a kernel in which something lies elsewhere."""
    text, every = EVERY[name]
    checks = [
        f'static_assert({there} == {here}, "{there}");\n'
        for structure in every
        for there, here in zip(measured(structure), layout(structure), strict=True)
    ]
    kernel = 'extern "C" __global__ void nothing() {}\n'
    code = declared(text) + "".join(checks) + kernel
    monkeypatch.setattr(import_module("prunus.hardware.cuda.source"), "source", lambda path: code)
    assert compile_only("layout.cu", {}, "sm_90")
    code = code.replace(" == ", " == 1 + ", 1)
    with pytest.raises(AssertionError, match=r"static assertion|static_assert"):
        compile_only("layout.cu", {}, "sm_90")


def test_kernels_get_the_declaration_once():
    """The text of a kernel holds each structure in the place of its include, notes included."""
    assert HEADERS
    for name in HEADERS:
        for structure in structures(name):
            assert header(name).count(f"struct {structure.name} {{") == 1
    text = source("nqueens/gpu/sweep.cu")
    assert text.count("struct Search {") == 1
    assert "u64 budget; // nanoseconds of a launch\n" in text
    assert "    u32 control[8];" in text


def test_a_record_holds_what_is_given_and_zeros():
    """Names stand for places; what is misspelt is refused."""
    record = ODD.record(first=3, x=0.5)[0]
    assert (record["first"], record["x"], record["z"]) == (3, 0.5, 0)
    assert record["many"].tolist() == [0, 0, 0]
    assert ODD.dtype["inner"].shape == (2,)
    assert ODD.dtype["pointer"] == np.uint64
    with pytest.raises(ValueError, match="no field"):
        ODD.record(frist=3)
