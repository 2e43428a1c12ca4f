"""Words of memory that several threads read and write at once, for compiled code.

Each is an entry of an int64 array. A load sees everything that was written before the store, or
the addition, that it sees.
"""

from __future__ import annotations

import platform

from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import cgutils, ir, types


def _place(call: Call) -> ir.Value:
    return call.builder.gep(call.data(0), [call.args[1]])


@intrinsic
def load(words: types.Array, at: types.Integer) -> Intrinsic:
    """Return a word."""

    def generate(call: Call) -> ir.Value:
        return call.builder.load_atomic(_place(call), "acquire", 8)

    return types.int64(words, types.intp), generate


@intrinsic
def store(words: types.Array, at: types.Integer, value: types.Integer) -> Intrinsic:
    """Write a word."""

    def generate(call: Call) -> ir.Value:
        call.builder.store_atomic(call.args[2], _place(call), "release", 8)
        return call.context.get_dummy_value()

    return types.void(words, types.intp, types.int64), generate


@intrinsic
def add(words: types.Array, at: types.Integer, value: types.Integer) -> Intrinsic:
    """Add to a word; return what it was."""

    def generate(call: Call) -> ir.Value:
        return call.builder.atomic_rmw("add", _place(call), call.args[2], "acq_rel")

    return types.int64(words, types.intp, types.int64), generate


@intrinsic
def pause() -> Intrinsic:
    """Tell the processor that this is a loop that waits."""

    def generate(call: Call) -> ir.Value:
        if platform.machine() in ("x86_64", "AMD64"):
            kind = ir.FunctionType(ir.VoidType(), [])
            name, module = "llvm.x86.sse2.pause", call.builder.module
            call.builder.call(cgutils.get_or_insert_function(module, kind, name), [])
        return call.context.get_dummy_value()

    return types.void(), generate
