"""Structures that the host and kernels share, declared once.

From one declaration come the NumPy type that the host fills and reads, and the text that kernels
include. A module that declares some lists them in ``STRUCTURES``; a kernel file then has
``#include "nqueens/gpu/layout.h"`` for those of ``prunus.nqueens.gpu.layout``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from prunus.model.arrays import AnyArray

_TYPES: dict[str, DTypeLike] = {
    "u8": np.uint8,
    "u16": np.uint16,
    "int": np.int32,
    "u32": np.uint32,
    "i64": np.int64,
    "u64": np.uint64,
    "float": np.float32,
    "double": np.float64,
    "price_t": np.uint64,
}
"""Types of C as ``portable.cuh`` names them; every pointer is 64 bits. Of ``price_t``, a number of
64 bits whose type a kernel is specialised for, the host writes the bits."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a structure."""

    name: str
    """Its name, for the host and in C."""
    type: str | Structure
    """Its type in C, or another structure."""
    note: str = ""
    """What it is, for readers of both."""
    count: int = 0
    """The length of an array; 0 for a single value."""


class Structure:
    """A structure of C and its NumPy type.

    Fields are given in their order in memory.
    """

    def __init__(self, name: str, *fields: Field) -> None:
        self.name = name
        self.fields = fields

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The type of NumPy, aligned as C aligns it."""
        kinds = [(field.name, _kind(field.type), (field.count,)) for field in self.fields]
        return np.dtype([kind if kind[2][0] else kind[:2] for kind in kinds], align=True)

    @property
    def bytes(self) -> int:
        return self.dtype.itemsize

    @property
    def words(self) -> int:
        """Its size in words of 64 bits."""
        assert self.bytes % 8 == 0, f"{self.name} is no whole number of 64-bit words"
        return self.bytes // 8

    def offset(self, name: str) -> int:
        """Return where a field begins, in bytes."""
        fields = self.dtype.fields
        assert fields is not None
        return fields[name][1]

    def record(self, **values: int | float) -> AnyArray:
        """Return one structure on the host, an array of length 1: these values, else zeros."""
        record = np.zeros(1, self.dtype)
        for name, value in values.items():
            record[name] = value
        return record

    @cached_property
    def text(self) -> str:
        """The declaration in C."""
        lines = [f"struct {self.name} {{"]
        for field in self.fields:
            kind = field.type.name if isinstance(field.type, Structure) else field.type
            many = f"[{field.count}]" if field.count else ""
            note = f" // {field.note}" if field.note else ""
            lines.append(f"    {kind} {field.name}{many};{note}")
        return "\n".join([*lines, "};", ""])


def _kind(kind: str | Structure) -> DTypeLike:
    if isinstance(kind, Structure):
        return kind.dtype
    return np.uint64 if kind.endswith("*") else _TYPES[kind]


def header(path: str) -> str:
    """Return what a kernel includes under a path: the structures of the module of that name."""
    module = import_module("prunus." + path.removesuffix(".h").replace("/", "."))
    structures: tuple[Structure, ...] = module.STRUCTURES
    return "\n".join(structure.text for structure in structures)
