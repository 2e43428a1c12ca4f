"""A user's functions compiled for the search on cores: what its ``branch`` and ``descend`` are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import CellType, FunctionType
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core.errors import TypingError

from prunus.custom.cpu.free_items import free_items
from prunus.custom.functions import functions_of, outer_names, uncompiled
from prunus.custom.heuristics.compiled import Heuristics, compile_heuristics
from prunus.custom.plain_tree import INFEASIBLE
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError
from prunus.hardware.jit.compiled import inlined
from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.template import inline_template
from prunus.model.arrays import Int64Array, UInt32Array
from prunus.treesearch.beam.compiled_beam import CompiledBeam, compile_beam
from prunus.treesearch.interval.cpu.compiled_search import CompiledSearch, compile_search
from prunus.treesearch.interval.cpu.item_sets import trailing_zeros


class SearchData(NamedTuple):
    """What the compiled functions know of a problem."""

    instance: Any
    """The user's data."""
    levels: int
    """Items to fix."""
    base: int
    """Is subtracted from every cost, so that none is negative."""


def _whole_number(name: str) -> Callable[..., int]:
    """Make what passes an integer on, and does not compile if a function returns anything else."""

    @intrinsic
    def passed_on(value: types.Type) -> Intrinsic:
        if not isinstance(value, types.Integer | types.Boolean):
            raise TypingError(f"{name} must return a whole number in every case, not {value}")

        def codegen(call: Call) -> ir.Value:
            kind = call.signature.args[0]
            return call.context.cast(call.builder, call.args[0], kind, types.int64)

        return types.int64(value), codegen

    made: Callable[..., int] = passed_on
    return made


_whole_bound, _whole_guide = _whole_number("bound"), _whole_number("guide")


# What the templates below call: a user's functions, compiled, and one another. The plain functions
# here stand for them, so that the templates can be read and checked, and in for those that a class
# need not have.


def user_root(data: object, state: Int64Array) -> None:
    """Leave the root's state all zeros."""


def user_descend(data: object, state: Int64Array, depth: int, item: int) -> None:
    """Change the state to that of a child; every class has its own."""
    raise NotImplementedError


def user_feasible(data: object, state: Int64Array, free: object, depth: int) -> bool:
    """Refuse nothing."""
    return True


def user_bound(data: object, state: Int64Array, free: object, depth: int) -> int:
    """Bound nothing, where solutions are counted."""
    return 0


def user_guide(data: object, state: Int64Array, free: object, depth: int) -> int:
    """Order nodes by nothing, where ``guide`` is missing and not called."""
    return 0


def user_function(data: object, state: Int64Array, depth: int) -> Any:
    """Stand for ``bound`` or ``feasible`` of a class whose items are never used up."""
    raise NotImplementedError


SIGN = 1


def root(data: SearchData, states: Int64Array) -> None:
    """Write the root's state into row 0."""
    for k in range(states.shape[1]):
        states[0, k] = 0
    user_root(data.instance, states[0])


def descend(data: SearchData, states: Int64Array, level: int, item: int, direction: int) -> None:
    """Write the state of the child that fixes ``item``."""
    child = states[level + 1]
    for k in range(states.shape[1]):
        child[k] = states[level, k]
    user_descend(data.instance, child, level, item)


def cost(data: SearchData, states: Int64Array, level: int, free: UInt32Array, row: int) -> int:
    """Bound the cost below the node with the state in a level's row, its free items in another."""
    items = free_items(free, row, data.levels - level)
    if not user_feasible(data.instance, states[level], items, level):
        return INFEASIBLE
    value = _whole_bound(user_bound(data.instance, states[level], items, level))
    return int(SIGN * value - data.base)


def guide(data: SearchData, states: Int64Array, level: int, free: UInt32Array, row: int) -> int:
    """Return what beams order a node by; its arguments are those of ``cost``."""
    items = free_items(free, row, data.levels - level)
    return int(SIGN * _whole_guide(user_guide(data.instance, states[level], items, level)))


def _branch(
    data: SearchData,
    states: Int64Array,
    level: int,
    free: UInt32Array,
    waiting: UInt32Array,
    bounds: Int64Array,
    cutoff: int,
    forced: int,
) -> int:
    """Make and bound every child of a node; keep those below the cutoff."""
    for word in range(free.shape[1]):
        everyone = free[level, word]
        bits = everyone
        kept = everyone
        while bits != 0:
            bit = trailing_zeros(bits)
            bits &= bits - 1
            item = word * 32 + bit
            descend(data, states, level, item, 0)
            # The child's free items: for this moment in its parent's row.
            free[level, word] = everyone & ~(1 << bit) & 0xFFFFFFFF
            bound = cost(data, states, level + 1, free, level)
            free[level, word] = everyone
            bounds[level, 0, item] = bound
            if bound >= cutoff:
                kept &= ~(1 << bit) & 0xFFFFFFFF
        waiting[level, word] = kept
    return 0


def _without_free(data: object, state: Int64Array, free: object, depth: int) -> Any:
    """Call a function of a node where no items are used up."""
    return user_function(data, state, depth)


@dataclass(frozen=True, slots=True)
class CompiledFunctions:
    """The functions of a class, compiled."""

    search: CompiledSearch
    """The tree search."""
    heuristics: Heuristics
    """First solutions, and a walk down one path."""
    beam: CompiledBeam | None
    """Beams; None where solutions are counted."""
    named: Mapping[str, Any]
    """The user's own by name, as the others call them."""


def compile_functions(kind: type[CustomProblem]) -> CompiledFunctions:
    """Compile the functions of a class; what is compiled is kept on disk under their digest.

    Numba compiles when they are first called, and finds fault then.
    """
    key: Any = kind
    return _compile(key)


@cache
def _compile(kind: type[CustomProblem]) -> CompiledFunctions:
    functions = functions_of(kind)
    named = {name: _ready(function) for name, function in functions.named.items()}
    users = {
        "user_root": named.get("root") or inlined(user_root),
        "user_descend": named["descend"],
        "user_feasible": _of_node(kind, named.get("feasible")) or inlined(user_feasible),
        "user_bound": _of_node(kind, named.get("bound")) or inlined(user_bound),
        "user_guide": _of_node(kind, named.get("guide")) or inlined(user_guide),
        "SIGN": -1 if kind.maximise else 1,
    }
    node = {
        "root": inline_template(root, **users),
        "descend": inline_template(descend, **users),
        "cost": inline_template(cost, **users),
    }
    name = functions.digest  # of classes with the same functions none is compiled again
    branch = inline_template(_branch, **node)
    search = compile_search(
        name,
        branch,
        node["descend"],
        counting=kind.counts_solutions,
        repeating=kind.repeating,
    )
    heuristics = compile_heuristics(
        name, **node, EAGER="feasible" in functions.named, REPEATING=kind.repeating
    )
    beam = None
    if not kind.counts_solutions:
        guided = inline_template(guide, **users) if "guide" in functions.named else None
        beam = compile_beam(
            name, branch, node["descend"], heuristics.complete, guided, repeating=kind.repeating
        )
    return CompiledFunctions(search, heuristics, beam, named)


def _of_node(kind: type[CustomProblem], ready: Any) -> Any:
    """Return what calls a function of a node, such as ``bound``, if there is one."""
    if ready is None or not kind.repeating:
        return ready
    return inline_template(_without_free, user_function=ready)


def _ready(function: Any, inside: tuple[FunctionType, ...] = ()) -> Any:
    """Compile a user's function and the functions that it calls."""
    written = uncompiled(function)
    if written in inside:
        raise InputError(f"{written.__name__} calls itself, which is not possible: write a loop")
    found = {
        name: _ready(value, (*inside, written))
        for name, value in outer_names(written).items()
        if isinstance(uncompiled(value), FunctionType)
        and not hasattr(uncompiled(value), "__numba__")
    }
    cells = tuple(
        CellType(found.get(name, cell.cell_contents))
        for name, cell in zip(written.__code__.co_freevars, written.__closure__ or (), strict=True)
    )
    # Numba keeps on disk which module a function is of, and imports it when it loads the code: the
    # user's may not be there next time, as that of a notebook or a script that has another name.
    scope = {**written.__globals__, **found, "__name__": __name__}
    again = FunctionType(written.__code__, scope, written.__name__, None, cells)
    return inlined(again)
