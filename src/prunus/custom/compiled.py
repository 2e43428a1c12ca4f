"""A user's functions compiled for the search on cores: what its ``branch`` and ``descend`` are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import CellType, FunctionType
from typing import Any, NamedTuple

from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from prunus.custom.first import templates
from prunus.custom.free import free_items
from prunus.custom.functions import functions_of, helpers, plain
from prunus.custom.plain import INFEASIBLE
from prunus.custom.problem import OwnProblem
from prunus.errors import InputError
from prunus.hardware.jit.compiled import inlined
from prunus.treesearch.interval.cpu.compiled_search import CompiledSearch, compile_search
from prunus.treesearch.interval.cpu.item_sets import trailing_zeros

__all__ = ["Compiled", "Data", "compiled"]


class Data(NamedTuple):
    """What the compiled functions know of a problem.

    Attributes
    ----------
    own
        The user's data.
    levels
        Items to fix.
    base
        Is subtracted from every cost, so that none is negative.
    """

    own: Any
    levels: int
    base: int


@intrinsic
def whole(typingctx: Any, value: Any) -> Any:
    """Pass an integer on, and do not compile if it is anything else."""
    if not isinstance(value, types.Integer | types.Boolean):
        raise TypingError(f"bound must return a whole number in every case, not {value}")

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, args[0], signature.args[0], types.int64)

    return types.int64(value), codegen


def _nothing(data, state):  # type: ignore[no-untyped-def]
    """Stand in for ``root`` where the user has none."""


def _always(data, state, free, depth):  # type: ignore[no-untyped-def]
    """Stand in for ``feasible`` where the user has none."""
    return True


def _zero(data, state, free, depth):  # type: ignore[no-untyped-def]
    """Stand in for ``bound`` where solutions are counted."""
    return 0


def _root(data, state):  # type: ignore[no-untyped-def]
    """Write the root's state into row 0."""
    for k in range(state.shape[1]):
        state[0, k] = 0
    own_root(data.own, state[0])  # type: ignore[name-defined]  # noqa: F821


def _descend(data, state, level, item, direction):  # type: ignore[no-untyped-def]
    """Write the state of the child that fixes ``item``."""
    child = state[level + 1]
    for k in range(state.shape[1]):
        child[k] = state[level, k]
    own_descend(data.own, child, level, item)  # type: ignore[name-defined]  # noqa: F821


def _cost(data, state, level, free, row):  # type: ignore[no-untyped-def]
    """Bound the cost below the node with the state in a level's row, its free items in another."""
    items = free_items(free, row, data.levels - level)
    if not own_feasible(data.own, state[level], items, level):  # type: ignore[name-defined]  # noqa: F821
        return INFEASIBLE
    value = whole(own_bound(data.own, state[level], items, level))  # type: ignore[name-defined]  # noqa: F821
    return SIGN * value - data.base  # type: ignore[name-defined]  # noqa: F821


def _branch(data, state, level, free, todo, bounds, ub, forced):  # type: ignore[no-untyped-def]
    """Make and bound every child of a node; keep those below ``ub``."""
    for word in range(free.shape[1]):
        everyone = free[level, word]
        bits = everyone
        kept = everyone
        while bits != 0:
            bit = trailing_zeros(bits)
            bits &= bits - 1
            item = word * 32 + bit
            descend(data, state, level, item, 0)  # type: ignore[name-defined]  # noqa: F821
            # The child's free items: for this moment in its parent's row.
            free[level, word] = everyone & ~(1 << bit) & 0xFFFFFFFF
            bound = cost(data, state, level + 1, free, level)  # type: ignore[name-defined]  # noqa: F821
            free[level, word] = everyone
            bounds[level, 0, item] = bound
            if bound >= ub:
                kept &= ~(1 << bit) & 0xFFFFFFFF
        todo[level, word] = kept
    return 0


@dataclass(frozen=True, slots=True)
class Compiled:
    """The functions of a class, compiled.

    Attributes
    ----------
    search
        The search.
    root
        Writes the root's state.
    dive, improve
        Find first solutions, see ``first``.
    trace
        Walks down one path.
    """

    search: CompiledSearch
    root: Any
    dive: Any
    improve: Any
    trace: Any


def compiled(kind: type[OwnProblem]) -> Compiled:
    """Compile the functions of a class; what is compiled is kept on disk under their digest.

    Numba compiles when they are first called, and finds fault then.
    """
    key: Any = kind
    return _compiled(key)


@cache
def _compiled(kind: Any) -> Compiled:
    own = functions_of(kind)
    scope: dict[str, Any] = {
        "own_root": _ready(own.root or _nothing),
        "own_descend": _ready(own.descend),
        "own_feasible": _of_node(kind, own.feasible) or inlined(_always),
        "own_bound": _of_node(kind, own.bound) or inlined(_zero),
        "SIGN": -1 if kind.maximise else 1,
    }
    root, descend, cost = (_with(scope, f) for f in (_root, _descend, _cost))
    node = {"root": root, "descend": descend, "cost": cost}
    branch = _with(node, _branch)
    name = f"{kind.__name__}_{own.digest}"
    search = compile_search(
        name, branch, descend, counting=kind.counts_solutions, repeating=kind.repeating
    )
    eager = "feasible" in own.named
    return Compiled(
        search, *(templates(name, {**node, "EAGER": eager, "REPEATING": kind.repeating}))
    )


def _without_free(data, state, free, depth):  # type: ignore[no-untyped-def]
    """Call a function of a node where no items are used up."""
    return own_function(data, state, depth)  # type: ignore[name-defined]  # noqa: F821


def _of_node(kind: type[OwnProblem], function: Any) -> Any:
    """Compile a function of a node, ``bound`` or ``feasible``."""
    if function is None:
        return None
    ready = _ready(function)
    return _with({"own_function": ready}, _without_free) if kind.repeating else ready


def _with(scope: dict[str, Any], template: Any) -> Any:
    """Compile a template with the functions that it calls."""
    return inlined(FunctionType(template.__code__, {**globals(), **scope}, template.__name__))


def _ready(function: Any, inside: tuple[Any, ...] = ()) -> Any:
    """Compile a user's function and the functions that it calls."""
    written = plain(function)
    if written in inside:
        raise InputError(f"{written.__name__} calls itself, which is not possible: write a loop")
    found = {
        name: _ready(value, (*inside, written))
        for name, value in helpers(written).items()
        if isinstance(plain(value), FunctionType) and not hasattr(plain(value), "__numba__")
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
