"""Words of memory that several threads read and write at once, for compiled code.

Each is an entry of an int64 array. A load sees everything that was written before the store, or
the addition, that it sees.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from typing import TypeAlias

from prunus.hardware.jit.later import (
    BaseContext,
    Signature,
    TypingContext,
    cgutils,
    intrinsic,
    ir,
    types,
)

Values: TypeAlias = "Sequence[ir.Value]"
Intrinsic: TypeAlias = "tuple[Signature, Callable[..., ir.Value]]"
"""What an intrinsic returns: its signature, and what writes its code."""


def _place(
    context: BaseContext, builder: ir.IRBuilder, signature: Signature, args: Values
) -> ir.Value:
    array = context.make_array(signature.args[0])(context, builder, args[0])
    return builder.gep(array.data, [args[1]])


@intrinsic
def load(typing: TypingContext, words: types.Array, at: types.Integer) -> Intrinsic:
    """Return a word."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, args: Values
    ) -> ir.Value:
        return builder.load_atomic(_place(context, builder, signature, args), "acquire", 8)

    return types.int64(words, types.intp), generate


@intrinsic
def store(
    typing: TypingContext, words: types.Array, at: types.Integer, value: types.Integer
) -> Intrinsic:
    """Write a word."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, args: Values
    ) -> ir.Value:
        builder.store_atomic(args[2], _place(context, builder, signature, args), "release", 8)
        return context.get_dummy_value()

    return types.void(words, types.intp, types.int64), generate


@intrinsic
def add(
    typing: TypingContext, words: types.Array, at: types.Integer, value: types.Integer
) -> Intrinsic:
    """Add to a word; return what it was."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, args: Values
    ) -> ir.Value:
        place = _place(context, builder, signature, args)
        return builder.atomic_rmw("add", place, args[2], "acq_rel")

    return types.int64(words, types.intp, types.int64), generate


@intrinsic
def pause(typing: TypingContext) -> Intrinsic:
    """Tell the processor that this is a loop that waits."""

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, args: Values
    ) -> ir.Value:
        if platform.machine() in ("x86_64", "AMD64"):
            kind = ir.FunctionType(ir.VoidType(), [])
            call = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse2.pause")
            builder.call(call, [])
        return context.get_dummy_value()

    return types.void(), generate
