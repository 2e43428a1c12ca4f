"""Functions of the translated subset of Python, in CUDA C++.

What is written is one line without directives and comments, which a constant of the compiler can
hold. Every number is a ``NUM``, 32 or 64 bits; every local variable is one, declared at the top.
"""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

import numpy as np

from prunus.custom.functions import outer_names, syntax_tree, uncompiled
from prunus.custom.gpu.expressions import (
    DATA,
    FREE,
    INT,
    NOTHING,
    STATE,
    Array,
    Expressions,
    Kind,
    letters,
)
from prunus.custom.gpu.local_names import assigned, positive_names
from prunus.errors import InputError

_TYPES = {INT: "NUM", STATE: "State", FREE: "const Free&", DATA: "const Tables&"}


class Translator:
    """Translates functions and whatever they call.

    ``kind`` is the name of the user's class, for errors; ``code`` the functions in C++, what is
    called first.
    """

    def __init__(self, kind: str, data: Any) -> None:
        self.code: list[str] = []
        self._kind, self._data = kind, data
        self._made: dict[tuple[Any, ...], tuple[str, Kind]] = {}
        self._open: list[FunctionType] = []
        self._count = 0

    def function(self, function: FunctionType, kinds: tuple[Kind, ...]) -> tuple[str, Kind]:
        """Translate a function for arguments of some kinds; return its name and what it returns."""
        key = function, kinds
        if key not in self._made:
            if function in self._open:
                raise InputError(
                    f"{function.__name__} calls itself, which is not possible: write a loop"
                )
            self._open.append(function)
            self._count += 1
            name = f"user_{letters(function.__name__)}_{self._count}"
            body = _Body(self, function, kinds)
            text, gives = body.translated(name)
            self.code.append(text)
            self._made[key] = name, gives
            self._open.pop()
        return self._made[key]


class _Body:
    """One function."""

    def __init__(self, translator: Translator, function: FunctionType, kinds: Any) -> None:
        tree = syntax_tree(function)
        owner, name = translator._kind, function.__name__
        where = f"{owner}.{name}" if len(translator._open) == 1 else f"{owner}: {name}"
        if tree is None:
            raise InputError(
                f"{where} cannot be translated for a GPU: its source cannot be found, because "
                "it was typed in or created by exec; put the class into a file, or search on "
                "the CPU"
            )
        self._tree = tree
        self._parameters = [argument.arg for argument in tree.args.args]
        if len(self._parameters) != len(kinds):
            raise InputError(f"{where} is called with {len(kinds)} arguments")
        names: dict[str, Kind] = dict(zip(self._parameters, kinds, strict=True))
        self._locals = sorted({*assigned(tree)} - {*names})
        names |= dict.fromkeys(self._locals, INT)
        outside = outer_names(uncompiled(function))
        positive = positive_names(tree, kinds)
        self._x = Expressions(
            where, names, outside, translator._data, positive, translator.function
        )
        self._kinds = kinds
        self._loops = [
            loop
            for loop in ast.walk(tree)
            if isinstance(loop, ast.For) and names.get(ast.unparse(loop.iter)) == FREE
        ]
        self._count = 0

    def translated(self, name: str) -> tuple[str, Kind]:
        """Return the function in C++, and what it returns."""
        gives = any(isinstance(n, ast.Return) and n.value for n in ast.walk(self._tree))
        body = "".join(map(self._statement, self._tree.body))
        parameters = ", ".join(
            f"{self._type(kind)} v_{letters(parameter)}"
            for parameter, kind in zip(self._parameters, self._kinds, strict=True)
        )
        local = "".join(f"NUM v_{letters(name)} = 0; " for name in self._locals)
        end = "return 0; " if gives else ""
        text = f"DEVICE {'NUM' if gives else 'void'} {name}({parameters}) {{ {local}{body}{end}}} "
        return text, INT if gives else NOTHING

    def _type(self, kind: Kind) -> str:
        if isinstance(kind, Array):
            return f"const Field_{letters(kind.field)}&"
        if kind not in _TYPES:
            self._x.refuse(self._tree, "an argument that is no value")
        return _TYPES[kind]

    def _block(self, body: list[ast.stmt]) -> str:
        return "{ " + "".join(map(self._statement, body)) + "} "

    def _statement(self, node: ast.stmt) -> str:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            self._x.refuse(node, f"the statement {ast.unparse(node).splitlines()[0]!r}")
        found: str = method(node)
        return found

    def _pass(self, node: ast.Pass) -> str:
        return "; "

    def _break(self, node: ast.Break) -> str:
        return "break; "

    def _continue(self, node: ast.Continue) -> str:
        return "continue; "

    def _expr(self, node: ast.Expr) -> str:
        if isinstance(node.value, ast.Constant):
            return ""
        return f"{self._x.expression(node.value)[0]}; "

    def _return(self, node: ast.Return) -> str:
        return "return; " if node.value is None else f"return {self._x.integer(node.value)}; "

    def _if(self, node: ast.If) -> str:
        other = f"else {self._block(node.orelse)}" if node.orelse else ""
        return f"if ({self._x.test(node.test)}) {self._block(node.body)}{other}"

    def _while(self, node: ast.While) -> str:
        if node.orelse:
            self._x.refuse(node, "while with else")
        return f"while ({self._x.test(node.test)}) {self._block(node.body)}"

    def _assign(self, node: ast.Assign) -> str:
        targets = node.targets
        if len(targets) == 1 and isinstance(targets[0], ast.Tuple):
            return self._several(node, targets[0])
        if len(targets) == 1:
            return f"{self._target(targets[0])} = {self._x.integer(node.value)}; "
        value = self._fresh()
        stores = "".join(f"{self._target(target)} = {value}; " for target in targets)
        return f"{{ const NUM {value} = {self._x.integer(node.value)}; {stores}}} "

    def _several(self, node: ast.Assign, target: ast.Tuple) -> str:
        if not isinstance(node.value, ast.Tuple) or len(node.value.elts) != len(target.elts):
            self._x.refuse(node, repr(ast.unparse(node)))
        values = [(self._fresh(), self._x.integer(value)) for value in node.value.elts]
        reads = "".join(f"const NUM {name} = {value}; " for name, value in values)
        stores = "".join(
            f"{self._target(part)} = {name}; "
            for part, (name, _) in zip(target.elts, values, strict=True)
        )
        return f"{{ {reads}{stores}}} "

    def _annassign(self, node: ast.AnnAssign) -> str:
        if node.value is None:
            return ""
        return f"{self._target(node.target)} = {self._x.integer(node.value)}; "

    def _augassign(self, node: ast.AugAssign) -> str:
        target = self._target(node.target)
        value = self._x.binary(node, node.op, target, self._x.integer(node.value))
        return f"{target} = {value}; "

    def _target(self, node: ast.expr) -> str:
        """Translate what is assigned to."""
        if isinstance(node, ast.Name) and self._x.names[node.id] == INT:
            return f"v_{letters(node.id)}"
        if isinstance(node, ast.Subscript):
            _, held = self._x.expression(node.value)
            if held == STATE:
                return self._x.integer(node)
            self._x.refuse(node, f"{ast.unparse(node)!r}, which is not of the state but changed,")
        return self._x.refuse(node, f"an assignment to {ast.unparse(node)!r}")

    def _for(self, node: ast.For) -> str:
        if node.orelse or not isinstance(node.target, ast.Name):
            self._x.refuse(node, "for with else" if node.orelse else "for with several names")
        if self._x.names[node.target.id] != INT:
            self._x.refuse(node, f"a loop that changes {node.target.id!r}")
        variable = f"v_{letters(node.target.id)}"
        call = node.iter
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "range" and not call.keywords:
            return self._range(node, call, variable)
        code, kind = self._x.expression(node.iter)
        body = "".join(map(self._statement, node.body))
        if kind == FREE:
            each = self._fresh()
            head = f"for (Each<{self._together(node)}> {each}({code}); {each}.next(); ) {{ "
            return f"{head}if (!{each}.mine()) continue; {variable} = {each}.item; {body}}} "
        if isinstance(kind, Array) and len(kind.shape) == 1:
            at = self._fresh()
            head = f"for (NUM {at} = 0; {at} < {kind.shape[0]}; {at}++) {{ "
            return f"{head}{variable} = {code}.at({at}); {body}}} "
        return self._x.refuse(node, f"a loop over {ast.unparse(node.iter)!r}")

    def _together(self, node: ast.For) -> int:
        """Tell whether all lanes visit what any of them has free, rather than each its own.

        They read the same at the same moment then, but some do nothing. One H200: a single loop is
        1.4 times as fast with each lane on its own, loops inside one another .8 to .93 times.
        """
        inside = [other for other in self._loops if other in ast.walk(node)]
        around = [other for other in self._loops if node in ast.walk(other)]
        return int(len(inside) + len(around) > 2)

    def _range(self, node: ast.For, call: ast.Call, variable: str) -> str:
        if not 1 <= len(call.args) <= 3:
            self._x.refuse(node, repr(ast.unparse(call)))
        arguments = [self._x.integer(argument) for argument in call.args]
        start, stop = (
            (self._x.number(node, 0), *arguments)[-2:] if len(arguments) < 3 else arguments[:2]
        )
        step = 1
        if len(arguments) == 3:
            known = self._known(call.args[2])
            if known is None or known == 0:
                self._x.refuse(node, "range with a step that is no constant")
            step = known
        at, end = self._fresh(), self._fresh()
        head = (
            f"for (NUM {at} = {start}, {end} = {stop}; {at} {'<' if step > 0 else '>'} {end}; "
            f"{at} += {step}) {{ {variable} = {at}; "
        )
        body = "".join(map(self._statement, node.body))
        return f"{head}{body}}} "

    def _known(self, node: ast.expr) -> int | None:
        """Return the value of an expression that is a constant, as far as that is easily seen."""
        if isinstance(node, ast.Constant):
            return node.value if isinstance(node.value, int) else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self._known(node.operand)
            return None if value is None else -value
        if isinstance(node, ast.Name) and node.id not in self._x.names:
            value = self._x.outside.get(node.id)
            return int(value) if isinstance(value, int | np.integer) else None
        return None

    def _fresh(self) -> str:
        self._count += 1
        return f"t{self._count}"
