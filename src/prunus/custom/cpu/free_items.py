"""The free items of a node as users' compiled functions see them: ``for j in``, ``in``, ``len``.

They are the items in increasing order, with a -1 behind them, and a bit an item. Neither an array
nor anything else that Numba has would do: in an array it looks for an item from the beginning on,
and loops over one are compiled to gathers, which take several times as long.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.imputils import RefType, iternext_impl
from numba.extending import (
    intrinsic,
    lower_builtin,
    make_attribute_wrapper,
    models,
    overload,
    register_model,
)

_POINTER = types.CPointer(types.int64)


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

_FIELDS = {
    "items": _POINTER,
    "count": types.int64,
    "words": _POINTER,  # 64 bits each
    "most": types.int64,  # the number of all items
    "taken": types.int64,  # one that is not free whatever the bits say
}


@register_model(_Free)
class _FreeModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: types.Type) -> None:
        super().__init__(manager, kind, list(_FIELDS.items()))


@register_model(_Iterator)
class _IteratorModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: types.Type) -> None:
        members = [("items", _POINTER), ("next", types.EphemeralPointer(types.int64))]
        super().__init__(manager, kind, members)


for _name in _FIELDS:
    make_attribute_wrapper(_Free, _name, _name)


@intrinsic
def free_items(
    context: Any, items: Any, count: Any, words: Any, most: Any, taken: Any
) -> tuple[Any, Any]:
    """Return the free items, given what they consist of."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        free = cgutils.create_struct_proxy(FREE)(context, builder)
        for name, value in zip(_FIELDS, arguments, strict=True):
            setattr(free, name, value)
        return free._getvalue()

    return FREE(*_FIELDS.values()), codegen


@lower_builtin("getiter", _Free)
def _begin(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    free = cgutils.create_struct_proxy(FREE)(context, builder, arguments[0])
    each = cgutils.create_struct_proxy(ITERATOR)(context, builder)
    each.items = free.items
    each.next = cgutils.alloca_once_value(builder, context.get_constant(types.int64, 0))
    return each._getvalue()


@lower_builtin("iternext", _Iterator)
@iternext_impl(RefType.UNTRACKED)
def _next(context: Any, builder: Any, signature: Any, arguments: Any, result: Any) -> None:
    each = cgutils.create_struct_proxy(ITERATOR)(context, builder, arguments[0])
    place = builder.load(each.next)
    item = builder.load(builder.gep(each.items, [place]))
    builder.store(builder.add(place, place.type(1)), each.next)
    result.set_valid(builder.icmp_signed(">=", item, item.type(0)))
    result.yield_(item)


# Numba holds the signatures of an overload and of what it returns against each other, annotations
# included.


@overload(len)
def _len(free: types.Type) -> Callable[..., int] | None:
    def length(free: types.Type) -> int:
        return int(free.count)

    return length if isinstance(free, _Free) else None


@overload(operator.contains)
def _contains(free: types.Type, item: types.Type) -> Callable[..., bool] | None:
    def contains(free: types.Type, item: types.Type) -> bool:
        known = item != free.taken and 0 <= item < free.most
        return bool(known and (free.words[item >> 6] >> (item & 63)) & 1 != 0)

    whole = isinstance(item, types.Integer | types.Boolean)
    return contains if isinstance(free, _Free) and whole else None
