"""The items that are free at a node, as compiled functions see them: a set in increasing order.

A set is a row of 32-bit words, a bit an item. ``for j in free`` visits the bits that are set,
``j in free`` looks at one, ``len(free)`` is known.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.base import BaseContext
from numba.core.datamodel.manager import DataModelManager
from numba.core.imputils import RefType, iternext_impl, lower_builtin
from numba.core.typing.templates import Signature
from numba.extending import models, overload, register_model

from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic


class _Iterator(types.SimpleIteratorType):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__("FreeItemsIterator", types.int64)


class _Free(types.IterableType):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__("FreeItems")

    @property
    def iterator_type(self) -> types.Type:
        return ITERATOR


FREE, ITERATOR = _Free(), _Iterator()
_WORDS = types.CPointer(types.uint32)


@register_model(_Free)
class _FreeModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: DataModelManager, kind: types.Type) -> None:
        members = [("words", _WORDS), ("size", types.int64), ("count", types.int64)]
        super().__init__(manager, kind, members)


@register_model(_Iterator)
class _IteratorModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: DataModelManager, kind: types.Type) -> None:
        members = [
            ("words", _WORDS),
            ("size", types.int64),
            ("word", types.EphemeralPointer(types.int64)),
            ("bits", types.EphemeralPointer(types.uint32)),
        ]
        super().__init__(manager, kind, members)


@intrinsic
def free_items(sets: types.Type, level: types.Type, count: types.Type) -> Intrinsic:
    """Return the set in a level's row, which has ``count`` items."""

    def codegen(call: Call) -> ir.Value:
        builder, size = call.builder, call.extent(0, 1)
        made = cgutils.create_struct_proxy(FREE)(call.context, builder)
        made.words = builder.gep(call.data(0), [builder.mul(call.args[1], size)])
        made.size, made.count = size, call.args[2]
        return made._getvalue()

    return FREE(sets, types.int64, types.int64), codegen


@intrinsic
def _count(free: types.Type) -> Intrinsic:
    def codegen(call: Call) -> ir.Value:
        return cgutils.create_struct_proxy(FREE)(call.context, call.builder, call.args[0]).count

    return types.int64(free), codegen


@intrinsic
def _holds(free: types.Type, item: types.Type) -> Intrinsic:
    def codegen(call: Call) -> ir.Value:
        builder, item = call.builder, call.args[1]
        made = cgutils.create_struct_proxy(FREE)(call.context, builder, call.args[0])
        word = item.type
        inside = builder.icmp_unsigned("<", item, builder.shl(made.size, word(5)))
        place = builder.select(inside, builder.lshr(item, word(5)), word(0))
        bits = builder.load(builder.gep(made.words, [place]))
        shift = builder.trunc(builder.and_(item, word(31)), bits.type)
        bit = builder.trunc(builder.lshr(bits, shift), ir.IntType(1))
        return builder.and_(inside, bit)

    return types.boolean(free, types.int64), codegen


@overload(len)
def _len_of_free(free: types.Type) -> Callable[..., int] | None:
    # Numba holds the signatures against each other, annotations included.
    def length(free: types.Type) -> int:
        return int(_count(free))

    return length if isinstance(free, _Free) else None


@overload(operator.contains)
def _free_contains(free: types.Type, item: types.Type) -> Callable[..., bool] | None:
    def contains(free: types.Type, item: types.Type) -> bool:
        return bool(_holds(free, item))

    whole = isinstance(item, types.Integer | types.Boolean)
    return contains if isinstance(free, _Free) and whole else None


@lower_builtin("getiter", _Free)
def _begin(
    context: BaseContext, builder: ir.IRBuilder, signature: Signature, args: Sequence[ir.Value]
) -> ir.Value:
    made = cgutils.create_struct_proxy(FREE)(context, builder, args[0])
    each = cgutils.create_struct_proxy(ITERATOR)(context, builder)
    each.words, each.size = made.words, made.size
    each.word = cgutils.alloca_once_value(builder, made.size.type(-1))
    each.bits = cgutils.alloca_once_value(builder, ir.IntType(32)(0))
    return each._getvalue()


@lower_builtin("iternext", _Iterator)
@iternext_impl(RefType.UNTRACKED)
def _next(
    context: BaseContext,
    builder: ir.IRBuilder,
    signature: Signature,
    args: Sequence[ir.Value],
    result: Any,
) -> None:
    each = cgutils.create_struct_proxy(ITERATOR)(context, builder, args[0])
    look, more, ends, gives, done = (
        builder.append_basic_block(name) for name in ("look", "more", "ends", "gives", "done")
    )
    builder.branch(look)
    builder.position_at_end(look)
    bits = builder.load(each.bits)
    builder.cbranch(builder.icmp_unsigned("!=", bits, bits.type(0)), gives, more)
    builder.position_at_end(more)
    word = builder.add(builder.load(each.word), each.size.type(1))
    builder.store(word, each.word)
    inside = builder.icmp_signed("<", word, each.size)
    fetch = builder.append_basic_block("fetch")
    builder.cbranch(inside, fetch, ends)
    builder.position_at_end(fetch)
    builder.store(builder.load(builder.gep(each.words, [word])), each.bits)
    builder.branch(look)
    builder.position_at_end(ends)
    result.set_valid(context.get_constant(types.boolean, False))
    builder.branch(done)
    builder.position_at_end(gives)
    lowest = builder.cttz(bits, ir.IntType(1)(1))
    builder.store(builder.and_(bits, builder.sub(bits, bits.type(1))), each.bits)
    first = builder.shl(builder.load(each.word), each.size.type(5))
    result.set_valid(context.get_constant(types.boolean, True))
    result.yield_(builder.add(first, builder.zext(lowest, each.size.type)))
    builder.branch(done)
    builder.position_at_end(done)
