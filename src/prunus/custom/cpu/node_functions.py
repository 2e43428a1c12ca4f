"""What native code calls of a user's problem: a few functions that Numba's ``cfunc`` compiles.

Each takes a table of pointers and one of numbers, see ``prunus::custom::Problem``, and returns 1 if
one of the user's functions has raised an exception. All children of a node are rated by one call,
into which the user's functions are inlined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np
from numba import carray, types

from prunus.custom.cpu.free_items import free_items
from prunus.custom.plain_tree import INFEASIBLE
from prunus.custom.problem import CustomProblem
from prunus.model.arrays import Int64Array

# The places in the tables; a problem's data follow.
ITEMS, FREE, WORDS, STATES, COSTS, ARRAYS = range(6)
STATE, MOST, BASE, NUMBERS = range(4)

_NUMBERS = types.CPointer(types.int64)
_SIGNATURE = types.int32(types.CPointer(_NUMBERS), _NUMBERS, types.int64, types.int64)

Compiled = Callable[..., Any]


def inlined(function: Any) -> Compiled:
    """Have a function compiled when compiled code calls it, into its caller."""
    made: Compiled = numba.njit(nogil=True, forceinline=True)(function)
    return made


def data_tables(problem: CustomProblem, base: int) -> tuple[list[Int64Array], list[int]]:
    """Return the arrays of a user's data, and the table of numbers; see ``data_reader``."""
    arrays: list[Int64Array] = []
    numbers = [problem.state, max(problem.radix), base]
    for value in problem.data:
        if isinstance(value, np.ndarray):
            arrays.append(np.ascontiguousarray(value, np.int64))
            numbers += value.shape
        else:
            numbers.append(value)
    return arrays, numbers


def data_reader(data: Any) -> Compiled:
    """Return what makes the named tuple of a user's data from the tables, for arrays of any size.

    ``data`` says which fields are arrays, and of how many dimensions.
    """
    arrays, numbers, fields = ARRAYS, NUMBERS, []
    for value in data:
        if isinstance(value, np.ndarray):
            shape = "".join(f"numbers[{numbers + d}], " for d in range(value.ndim))
            fields.append(f"carray(pointers[{arrays}], ({shape}))")
            arrays, numbers = arrays + 1, numbers + value.ndim
        else:
            fields.append(f"numbers[{numbers}]")
            numbers += 1
    scope = {"carray": carray, "Data": type(data)}
    exec(f"def read(pointers, numbers):\n    return Data({', '.join(fields)})", scope)
    return inlined(scope["read"])


def node_functions(
    read: Compiled, users: Mapping[str, Compiled], *, sign: int, repeating: bool
) -> dict[str, Any]:
    """Compile ``descend``, ``bound``, ``walk`` and, if there is one, ``guide``.

    ``users`` has the user's functions; ``sign`` is -1 where one maximises.
    """
    descend = users["descend"]
    feasible = _of_node(users.get("feasible"), repeating)
    bound = _of_node(users.get("bound"), repeating)
    constrained, bounded = feasible is not None, bound is not None

    @inlined
    def cost(data: Any, numbers: Any, state: Any, free: Any, level: int) -> Any:
        if constrained and not feasible(data, state, free, level):
            return INFEASIBLE
        return sign * bound(data, state, free, level) - numbers[BASE] if bounded else 0

    @_callable
    def descend_to(pointers: Any, numbers: Any, level: int, item: int) -> None:
        state = carray(pointers[STATES], (numbers[STATE],))
        descend(read(pointers, numbers), state, level, item)

    def rated(rate: Compiled) -> Any:
        @_callable
        def rate_children(pointers: Any, numbers: Any, level: int, count: int) -> None:
            data = read(pointers, numbers)
            words, most = pointers[WORDS], numbers[MOST]
            items, siblings = carray(pointers[ITEMS], (count,)), carray(pointers[FREE], (count,))
            states = carray(pointers[STATES], (most, numbers[STATE]))
            costs = carray(pointers[COSTS], (most,))
            for k in range(count):
                item = items[k]
                row = np.uint64(item)  # Numba asks whether a signed index is negative
                state = states[row]
                descend(data, state, level, item)
                free = free_items(pointers[FREE], count - 1, words, most, item)
                costs[row] = rate(data, numbers, state, free, level + 1)
                if not repeating and k + 1 < count:
                    siblings[k] = item

        return rate_children

    @_callable
    def walk(pointers: Any, numbers: Any, first: int, last: int) -> None:
        data = read(pointers, numbers)
        order, costs = carray(pointers[ITEMS], (last,)), carray(pointers[COSTS], (1,))
        states = carray(pointers[STATES], (last + 1, numbers[STATE]))
        items, words = carray(pointers[FREE], (last + 1,)), pointers[WORDS]
        value, limit = INFEASIBLE, costs[0]
        for level in range(first, last):
            item = order[level]
            for k in range(numbers[STATE]):
                states[level + 1, k] = states[level, k]
            descend(data, states[level + 1], level, item)
            if constrained and not repeating:
                words[item >> 6] ^= 1 << (item & 63)
                place = 0
                while items[place] != item:
                    place += 1
                for k in range(place, last - level):
                    items[k] = items[k + 1]
            if constrained or level + 1 == last:
                free = free_items(pointers[FREE], last - level - 1, words, numbers[MOST], -1)
                value = cost(data, numbers, states[level + 1], free, level + 1)
                if value >= limit:
                    break
        costs[0] = value

    made = {"descend": descend_to, "bound": rated(cost), "walk": walk}
    if "guide" in users:
        users_guide = _of_node(users["guide"], repeating)

        @inlined
        def guide(data: Any, numbers: Any, state: Any, free: Any, level: int) -> Any:
            return sign * users_guide(data, state, free, level)

        made["guide"] = rated(guide)
    return made


def _of_node(function: Compiled | None, repeating: bool) -> Any:
    """Return what calls a function of a node with its free items, which arrays of values lack."""
    if function is None or not repeating:
        return function
    return inlined(lambda data, state, free, level: function(data, state, level))


def _callable(function: Any) -> Any:
    """Compile what native code calls; an exception becomes the number 1."""
    inner = inlined(function)

    def outer(pointers: Any, numbers: Any, first: int, second: int) -> int:
        try:
            inner(pointers, numbers, first, second)
        except Exception:
            return 1
        return 0

    return numba.cfunc(_SIGNATURE, nogil=True)(outer)
