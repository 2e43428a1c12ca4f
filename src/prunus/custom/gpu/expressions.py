"""Expressions of the translated subset of Python, in CUDA C++: integers, and what holds them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from prunus.custom.functions import uncompiled
from prunus.errors import InputError


@dataclass(frozen=True, slots=True)
class Array:
    """The kind of an array in the data: its field's name and its shape."""

    field: str
    shape: tuple[int, ...]


INT, STATE, FREE, DATA, NOTHING = "int", "state", "free", "data", "nothing"
Kind = str | Array
"""What an expression is."""

_BINARY = {
    ast.Add: "({} + {})",
    ast.Sub: "({} - {})",
    ast.Mult: "({} * {})",
    ast.FloorDiv: "floor_div({}, {})",
    ast.Mod: "floor_mod({}, {})",
    ast.BitAnd: "({} & {})",
    ast.BitOr: "({} | {})",
    ast.BitXor: "({} ^ {})",
    ast.LShift: "({} << {})",
    ast.RShift: "({} >> {})",
}
_COMPARISONS = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def letters(name: str) -> str:
    """Return a name in letters that every compiler knows."""
    return "".join(c if (c.isascii() and c.isalnum()) or c == "_" else f"u{ord(c):x}" for c in name)


class Expressions:
    """Translates the expressions of one function.

    ``where`` names the function in errors; ``names`` has the kinds of its parameters, ``outside``
    what it refers to by name outside itself, ``data`` the values of the data's fields, ``positive``
    the names that are never negative. ``call`` translates a helper for arguments of some kinds and
    returns its name in C++ and what it returns.
    """

    def __init__(
        self,
        where: str,
        names: dict[str, Kind],
        outside: dict[str, Any],
        data: Any,
        positive: set[str],
        call: Callable[[FunctionType, tuple[Kind, ...]], tuple[str, Kind]],
    ) -> None:
        self.where, self.names, self.outside, self.data = where, names, outside, data
        self.positive, self._helper = positive, call

    def refuse(self, node: ast.AST, what: str) -> NoReturn:
        """Raise ``InputError`` for what cannot be translated."""
        line = getattr(node, "lineno", None)
        raise InputError(
            f"{self.where}{'' if line is None else f', line {line}'}: {what} cannot be translated "
            "for a GPU; keep to integers, data, state, free, if, for, while and functions of "
            "these, or search on the CPU"
        )

    def integer(self, node: ast.expr) -> str:
        """Translate what must be an integer."""
        code, kind = self.expression(node)
        if kind != INT:
            self.refuse(node, f"{ast.unparse(node)!r}, where a number must stand,")
        return code

    def test(self, node: ast.expr) -> str:
        """Translate a condition."""
        if isinstance(node, ast.BoolOp):
            sign = " && " if isinstance(node.op, ast.And) else " || "
            return f"({sign.join(self.test(value) for value in node.values)})"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"!{self.test(node.operand)}"
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        return f"({self.integer(node)} != 0)"

    def expression(self, node: ast.expr) -> tuple[str, Kind]:
        """Translate any expression; return it and its kind."""
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            self.refuse(node, repr(ast.unparse(node)))
        found: tuple[str, Kind] = method(node)
        return found

    def _constant(self, node: ast.Constant) -> tuple[str, Kind]:
        if not isinstance(node.value, int):
            self.refuse(node, repr(node.value))
        return self.number(node, int(node.value)), INT

    def number(self, node: ast.AST, value: int) -> str:
        """Return a number as a literal."""
        if not -(2**63) < value < 2**63:
            self.refuse(node, f"{value}, of more than 63 bits,")
        return f"(NUM){value}LL" if value >= 0 else f"(NUM)({value}LL)"

    def _name(self, node: ast.Name) -> tuple[str, Kind]:
        if node.id in self.names:
            return f"v_{letters(node.id)}", self.names[node.id]
        value = self.outside.get(node.id)
        if isinstance(value, bool | int | np.integer | np.bool_):
            return self.number(node, int(value)), INT
        return self.refuse(node, f"the name {node.id!r}")

    def _attribute(self, node: ast.Attribute) -> tuple[str, Kind]:
        code, kind = self.expression(node.value)
        if kind == DATA and node.attr in self.data._fields:
            value = getattr(self.data, node.attr)
            if isinstance(value, np.ndarray):
                return f"{code}.f_{letters(node.attr)}", Array(node.attr, value.shape)
            return f"{code}.f_{letters(node.attr)}", INT
        return self.refuse(node, repr(ast.unparse(node)))

    def _subscript(self, node: ast.Subscript) -> tuple[str, Kind]:
        if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            _, kind = self.expression(node.value.value)
            place = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if isinstance(kind, Array) and isinstance(place, int) and place < len(kind.shape):
                return self.number(node, kind.shape[place]), INT
        places: list[ast.expr] = []
        held: ast.expr = node
        while isinstance(held, ast.Subscript):
            inner = held.slice
            places[:0] = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            held = held.value
        code, kind = self.expression(held)
        if kind != STATE and not isinstance(kind, Array):
            self.refuse(node, repr(ast.unparse(node)))
        if len(places) != (len(kind.shape) if isinstance(kind, Array) else 1):
            self.refuse(node, f"{ast.unparse(node)!r}, a part of an array that is no number,")
        # A place counted from the end costs a comparison, where one cannot be ruled out.
        safe = all(self.never_negative(place) for place in places)
        inside = ", ".join(self.integer(place) for place in places)
        return f"{code}.{'at' if safe else 'get'}({inside})", INT

    def _binop(self, node: ast.BinOp) -> tuple[str, Kind]:
        left, right = self.integer(node.left), self.integer(node.right)
        return self.binary(node, node.op, left, right), INT

    def binary(self, node: ast.AST, op: ast.operator, left: str, right: str) -> str:
        """Translate an operation on two numbers."""
        if isinstance(op, ast.Pow):
            return f"power({left}, {right})"
        if type(op) not in _BINARY:
            self.refuse(node, "'/', which makes a float," if isinstance(op, ast.Div) else "this")
        return _BINARY[type(op)].format(left, right)

    def _unaryop(self, node: ast.UnaryOp) -> tuple[str, Kind]:
        if isinstance(node.op, ast.Not):
            return f"(NUM)({self.test(node)})", INT
        sign = {ast.USub: "-", ast.UAdd: "", ast.Invert: "~"}[type(node.op)]
        return f"({sign}{self.integer(node.operand)})", INT

    def _boolop(self, node: ast.BoolOp) -> tuple[str, Kind]:
        parts = [self.integer(value) for value in node.values]
        code = parts[-1]
        for part in reversed(parts[:-1]):
            code = (
                f"({part} ? {code} : (NUM)0)"
                if isinstance(node.op, ast.And)
                else f"({part} ? {part} : {code})"
            )
        return code, INT

    def _compare(self, node: ast.Compare) -> tuple[str, Kind]:
        return f"(NUM){self._comparison(node)}", INT

    def _comparison(self, node: ast.Compare) -> str:
        parts, left = [], node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                held, kind = self.expression(right)
                if kind != FREE:
                    self.refuse(node, f"{ast.unparse(node)!r}, where only free can be asked,")
                sign = "" if isinstance(op, ast.In) else "!"
                parts.append(f"{sign}{held}.has({self.integer(left)})")
            elif type(op) in _COMPARISONS:
                sign = _COMPARISONS[type(op)]
                parts.append(f"{self.integer(left)} {sign} {self.integer(right)}")
            else:
                self.refuse(node, repr(ast.unparse(node)))
            left = right
        return f"({' && '.join(parts)})"

    def _ifexp(self, node: ast.IfExp) -> tuple[str, Kind]:
        yes, no = self.integer(node.body), self.integer(node.orelse)
        return f"({self.test(node.test)} ? {yes} : {no})", INT

    def _call(self, node: ast.Call) -> tuple[str, Kind]:
        if not isinstance(node.func, ast.Name) or node.keywords:
            self.refuse(node, f"the call {ast.unparse(node)!r}")
        name = node.func.id
        if name in self.outside and name not in self.names:
            helper = uncompiled(self.outside[name])
            if isinstance(helper, FunctionType):
                given = [self.expression(argument) for argument in node.args]
                made, gives = self._helper(helper, tuple(kind for _, kind in given))
                return f"{made}({', '.join(code for code, _ in given)})", gives
            self.refuse(node, f"the call of {name!r}")
        return self._builtin(node, name), INT

    def _builtin(self, node: ast.Call, name: str) -> str:
        if name == "len" and len(node.args) == 1:
            code, kind = self.expression(node.args[0])
            if kind == FREE:
                return f"{code}.count()"
            if kind == STATE:
                return "(NUM)STATE_SIZE"
            if isinstance(kind, Array):
                return self.number(node, kind.shape[0])
        elif name in ("min", "max") and len(node.args) > 1:
            code = self.integer(node.args[0])
            for argument in node.args[1:]:
                code = f"{name}_of({code}, {self.integer(argument)})"
            return code
        elif name in ("abs", "int", "bool") and len(node.args) == 1:
            if name == "bool":
                return f"(NUM)({self.test(node.args[0])})"
            code = self.integer(node.args[0])
            return f"abs_of({code})" if name == "abs" else code
        return self.refuse(node, f"the call {ast.unparse(node)!r}")

    def never_negative(self, node: ast.expr) -> bool:
        """Tell whether an expression is known not to be negative."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int) and node.value >= 0
        if isinstance(node, ast.Name):
            value = self.outside.get(node.id)
            known = node.id not in self.names and isinstance(value, int) and value >= 0
            return known or node.id in self.positive
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            value = getattr(self.data, node.attr, None)
            known = self.names.get(node.value.id) == DATA
            return known and isinstance(value, int) and value >= 0
        if isinstance(node, ast.BinOp) and isinstance(
            node.op, ast.Add | ast.Mult | ast.FloorDiv | ast.Mod | ast.RShift
        ):
            return self.never_negative(node.left) and self.never_negative(node.right)
        return isinstance(node, ast.Call) and ast.unparse(node.func) == "len"
