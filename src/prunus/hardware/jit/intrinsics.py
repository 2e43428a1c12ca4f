"""Functions for compiled code whose instructions are written one by one, for LLVM."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from prunus.hardware.jit.later import BaseContext, Signature, ir, types


class Call(NamedTuple):
    """A call whose instructions are to be written: what Numba tells of it."""

    context: BaseContext
    builder: ir.IRBuilder
    signature: Signature
    args: Sequence[ir.Value]

    def address(self, array_type: types.Array, array: ir.Value) -> ir.Value:
        """Return the address of an array's first element."""
        return self.context.make_array(array_type)(self.context, self.builder, array).data

    def extent_of(self, array_type: types.Array, array: ir.Value, axis: int) -> ir.Value:
        """Return the size of an array along an axis."""
        shape = self.context.make_array(array_type)(self.context, self.builder, array).shape
        return self.builder.extract_value(shape, axis)

    def data(self, place: int) -> ir.Value:
        """Return the address of the first element of an argument, an array."""
        return self.address(self.signature.args[place], self.args[place])

    def extent(self, place: int, axis: int) -> ir.Value:
        """Return the size of an argument, an array, along an axis."""
        return self.extent_of(self.signature.args[place], self.args[place], axis)


Intrinsic: TypeAlias = "tuple[Signature, Callable[[Call], ir.Value]] | None"
"""What the body of an intrinsic returns: its Numba signature, and what writes its instructions."""


class intrinsic:  # noqa: N801
    """Do what Numba's ``intrinsic`` does, when compiled code first uses the function.

    ``define`` gets the types of the arguments.
    """

    def __init__(self, define: Callable[..., Intrinsic]) -> None:
        self._define = define
        functools.update_wrapper(self, define)

    def __call__(self, *arguments: object) -> Any:
        raise NotImplementedError(f"{self._define.__name__} is for compiled code")

    @functools.cached_property
    def _numba_type_(self) -> Any:
        """What Numba asks any object for that compiled code names."""
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic as numbas

        context = cpu_target.typing_context
        function = numbas(_for_numba(self._define))
        context.refresh()
        return context.resolve_value_type(function)


def _for_numba(define: Callable[..., Intrinsic]) -> Callable[..., Any]:
    """Return what Numba expects: with the typing context before the types."""

    @functools.wraps(define)
    def defined(typing_context: object, *kinds: types.Type) -> Any:
        made = define(*kinds)
        if made is None:
            return None
        signature, write = made

        def generate(context: BaseContext, builder: Any, called: Any, args: Any) -> ir.Value:
            return write(Call(context, builder, called, args))

        return signature, generate

    own = inspect.signature(define)
    first = inspect.Parameter("typing_context", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [first, *own.parameters.values()]
    defined.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    return defined
