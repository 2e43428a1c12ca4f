"""The tree of a user's problem in plain Python: the slow twin of everything that is compiled.

Runs the user's functions as they stand, one node at a time, and finds fault with what the compiled
code would not notice: a float, an index out of range, a number that is too large.
"""

from __future__ import annotations

import operator
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.custom.functions import functions_of
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError

INFEASIBLE = 2**62
"""The cost of what cannot become a solution; that of everything else is smaller."""


class _State(list[int]):
    """A node's state, which refuses what is no integer, or one of too many bits."""

    def __init__(self, values: Iterable[int], bits: int) -> None:
        super().__init__(values)
        self._bits = bits

    def __setitem__(self, place: Any, value: Any) -> None:
        if isinstance(place, slice):
            raise TypeError("state is written one number at a time, not by slices")
        super().__setitem__(place, _whole(value, f"state[{place}] is set to", self._bits))


@dataclass(frozen=True, slots=True)
class Node:
    """A node: what is fixed, the state, what may be fixed next."""

    prefix: tuple[int, ...]
    state: tuple[int, ...]
    free: tuple[int, ...]

    @property
    def depth(self) -> int:
        """How many items are fixed."""
        return len(self.prefix)


def cost_sign(problem: CustomProblem) -> int:
    """Return what an objective is multiplied by to be minimised."""
    return -1 if problem.maximise else 1


class PlainTree:
    """The tree of one problem.

    Its methods raise ``InputError`` if a function is wrong, with its name, its line and what to do.
    """

    def __init__(self, problem: CustomProblem) -> None:
        self.problem = problem
        self._functions = functions_of(type(problem)).named
        self._data = type(problem.data)(
            *(_as_integers(v) if isinstance(v, np.ndarray) else v for v in problem.data)
        )

    def root(self) -> Node:
        """Return the root."""
        state = _State([0] * self.problem.state, self.problem.bits)
        if "root" in self._functions:
            self._call("root", self._data, state)
        return Node((), tuple(state), tuple(range(self.problem.radix[0])))

    def child(self, node: Node, item: int) -> Node:
        """Return a child."""
        state = _State(node.state, self.problem.bits)
        self._call("descend", self._data, state, node.depth, item)
        if self.problem.repeating:
            following = self.problem.radix[node.depth + 1 : node.depth + 2]
            free = tuple(range(following[0])) if following else ()
        else:
            free = tuple(j for j in node.free if j != item)
        return Node((*node.prefix, item), tuple(state), free)

    def cost(self, node: Node) -> int:
        """Return a lower bound of the cost below a node: of the objective, to be minimised."""
        if "feasible" in self._functions and not self._of_node("feasible", node):
            return INFEASIBLE
        return self._number("bound", node) if "bound" in self._functions else 0

    def guide(self, node: Node) -> int | None:
        """Return what beams order a node by, less being better; None for its cost."""
        return self._number("guide", node) if "guide" in self._functions else None

    def objective(self, node: Node) -> int:
        """Return the cost of a full path according to ``evaluate``."""
        return cost_of(self.problem, np.array(node.prefix, np.int64))

    def leaves_below(self, node: Node) -> Iterator[Node]:
        """Give all full paths below a node."""
        if len(node.prefix) == len(self.problem.radix):
            yield node
        else:
            for item in node.free:
                yield from self.leaves_below(self.child(node, item))

    def _of_node(self, name: str, node: Node) -> Any:
        """Return what a function says of a node."""
        free = () if self.problem.repeating else (node.free,)
        state = _State(node.state, self.problem.bits)
        return self._call(name, self._data, state, *free, node.depth)

    def _number(self, name: str, node: Node) -> int:
        """Return the number that a function says, to be minimised."""
        where = f"{type(self.problem).__name__}.{name} returns"
        value = _whole(self._of_node(name, node), where, self.problem.bits)
        return cost_sign(self.problem) * value

    def _call(self, name: str, *arguments: Any) -> Any:
        kind = type(self.problem).__name__
        try:
            return self._functions[name](*arguments)
        except InputError as error:
            raise InputError(f"{kind}.{name}: {error}") from None
        except (Exception, SystemExit) as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            depth = {"root": None, "descend": 2}.get(name, -1)
            where = "" if depth is None else f", called with depth {arguments[depth]}"
            raise InputError(
                f"{kind}.{name}, line {last.lineno}{where}, raised {type(error).__name__}: {error}"
            ) from error


def _as_integers(array: NDArray[np.int64]) -> NDArray[Any]:
    """Return Python's integers, which do not overflow without a word, read-only."""
    integers = array.astype(object)
    integers.flags.writeable = False
    return integers


def cost_of(problem: CustomProblem, solution: Any) -> int:
    """Return the cost of a solution according to ``evaluate``."""
    kind = type(problem).__name__
    try:
        value = problem.evaluate(solution)
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(
            f"{kind}.evaluate raised {type(error).__name__} for {solution.tolist()}: {error}"
        ) from error
    if problem.counts_solutions:
        return 0 if value else INFEASIBLE
    if value is None:
        return INFEASIBLE
    return cost_sign(problem) * _whole(value, f"{kind}.evaluate returns", 64)


def _whole(value: Any, what: str, bits: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(
            f"{what} {value!r}, which is not a whole number: scale and round in the data, and "
            "divide with //"
        ) from None
    if not -(2 ** (bits - 2)) < number < 2 ** (bits - 2):
        raise InputError(f"{what} {number}, which does not fit in {bits - 2} bits")
    return number
