"""The names of a function of the translated subset: which are set, which never negative."""

from __future__ import annotations

import ast

from prunus.custom.gpu.expressions import DATA, INT, STATE, Kind


def assigned(tree: ast.AST) -> list[str]:
    """Return the names that a function assigns to."""
    return [
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]


def positive_names(tree: ast.FunctionDef, kinds: tuple[Kind, ...]) -> set[str]:
    """Return the names that are never negative: indices of loops, an item, a depth."""
    stores = assigned(tree)
    found = set()
    loops: dict[str, list[ast.For]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            loops.setdefault(node.target.id, []).append(node)
    for name, several in loops.items():
        if stores.count(name) == len(several) and all(map(_upwards, several)):
            found.add(name)
    if kinds[:2] == (DATA, STATE):
        parameters = [argument.arg for argument in tree.args.args]
        numbers = [p for p, kind in zip(parameters, kinds, strict=True) if kind == INT]
        found |= {*numbers} - {*stores}
    return found


def _upwards(loop: ast.For) -> bool:
    """Tell whether a loop's index is never negative."""
    call = loop.iter
    if not isinstance(call, ast.Call) or len(call.args) == 1:
        return True
    first = call.args[0]
    start = first.value if isinstance(first, ast.Constant) else -1
    return len(call.args) == 2 and isinstance(start, int) and start >= 0
