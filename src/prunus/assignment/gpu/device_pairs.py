"""Pairs of an assignment that are found on the GPU that the costs lie on, and stay there."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from prunus.assignment.cost_limit import FAR, checked_limit, rounded_to
from prunus.assignment.gpu.stack import TOO_LARGE, sooner_alone
from prunus.assignment.gpu.stack_kernel import Status, price_type, stack_kernel
from prunus.assignment.problem import Assignment
from prunus.assignment.solver import AssignmentOptions, run
from prunus.errors import InputError, OptionError
from prunus.hardware.cuda.borrowed import Borrowed, borrow
from prunus.hardware.device import Device
from prunus.hardware.devices import Devices, available_cores
from prunus.model.arrays import AnyArray, Int64Array, Number
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor

WORDS = {
    Status.INFEASIBLE: "cost matrix is infeasible",
    Status.INVALID: "matrix contains invalid numeric entries",
    Status.WRONG_SIZES: "sizes are negative or larger than the matrix",
}

_FLOATS = "half_t", "bfloat_t", "float", "double"

_EXACT = AssignmentOptions(method="exact", start="greedy", order="sequential")

OnHost = Callable[[AnyArray, AnyArray | None], tuple[Int64Array, Int64Array]]


def device_pairs(
    costs: Any,
    *,
    maximise: bool,
    limit: float | None,
    sizes: object,
    check: bool,
    on_host: OnHost,
    there: bool,
) -> tuple[Any, Any]:
    """Solve a matrix or a stack in one launch, and return rows and columns as its library's arrays.

    Options are those of ``linear_sum_assignment``. ``on_host`` solves copies of ``costs`` and of
    ``sizes`` where sums are beyond 64 bits; without ``there`` it does so in any case.
    """
    held = borrow(costs, "cost matrix")
    ndim = len(held.shape)
    if ndim not in (2, 3):
        raise InputError(f"expected a matrix (2-D array), got a {ndim} array")
    *stack, agents, jobs = held.shape
    pairs = (*stack, min(agents, jobs))
    made = [held.indices(pairs) for _ in range(2)]
    if 0 in held.shape:
        return tuple(held.given_back(array) for array, _ in made)
    sizes_held, size_fields = _sizes(held, sizes, stack)
    if not there:
        return _from_host(held, sizes_held, on_host)
    number = checked_limit(limit, maximise)
    device = held.device
    count = stack[0] if stack else 1
    if sizes is None and sooner_alone(agents * jobs, count) and not device.is_recorded():
        try:
            return _one_by_one(costs, held, maximise, number, check=check)
        except _HugeError:
            return _from_host(held, None, on_host)
    fields: dict[str, int] = {}
    if number is not None:
        if price_type(held.kind) == "i64" and number != int(number):
            return _from_host(held, sizes_held, on_host)
        fields["limit"] = _limit_bits(held.kind, number, maximise)
        fields["far"] = abs(number) > FAR and held.kind in _FLOATS
    kinds = held.kind, held.index
    limited = number is not None
    kernel = stack_kernel(device, count, (agents, jobs), kinds, maximise=maximise, limited=limited)
    flag = _Flag.of(device) if check else None
    whole, down, across = held.strides if stack else (0, *held.strides)
    kernel.launch(
        device, count, values=held.address, agents=agents, jobs=jobs,
        whole=whole, down=down, across=across, row=made[0][1], column=made[1][1],
        flag=flag.address if flag else 0, **size_fields, **fields,
    )  # fmt: skip
    if flag is not None:
        word = flag.read(device)
        if word % 8 == Status.TOO_LARGE:
            warnings.warn(f"solving on the CPU, since {TOO_LARGE}", stacklevel=5)
            return _from_host(held, sizes_held, on_host)
        if word:
            prefix = f"matrix {word // 8}: " if stack else ""
            raise InputError(prefix + WORDS[word % 8])
    return tuple(held.given_back(array) for array, _ in made)


def unmatched_there(costs: Any, pairs: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return the rows and the columns of one matrix that are in no pair, as arrays like these.

    Waits for the pairs. Raises ``InputError`` if it is a stack.
    """
    held = borrow(costs, "cost matrix")
    if len(held.shape) != 2:
        raise InputError("return_unmatched is for one matrix, not for a stack")
    rows, columns = (
        held.put(np.setdiff1d(np.arange(size), borrow(part, "pairs").read()))
        for size, part in zip(held.shape, pairs, strict=True)
    )
    return rows, columns


def _from_host(held: Borrowed, sizes: Any, on_host: OnHost) -> tuple[Any, Any]:
    """Solve a copy on the host; pairs that a limit leaves out of one matrix are -1 at the end."""
    pairs = on_host(held.read(), None if sizes is None else held.read(sizes))
    found = np.full((2, *held.shape[:-2], min(held.shape[-2:])), -1)
    found[..., : pairs[0].shape[-1]] = pairs
    return held.put(found[0]), held.put(found[1])


class _HugeError(Exception):
    """Unsigned integers are beyond int64."""


def _one_by_one(
    costs: Any, held: Borrowed, maximise: bool, limit: Number | None, *, check: bool
) -> tuple[Any, Any]:
    """Solve large matrices one after the other by the method for these."""
    if limit is not None and price_type(held.kind) == "i64":
        limit = min(max(limit, -(2**63)), 2**63 - 1)
    *stack, agents, jobs = held.shape
    found = np.full((2, *stack, min(agents, jobs)), -1)
    for k in range(stack[0]) if stack else (None,):
        words = "" if k is None else f"matrix {k}: "
        matrix, into = (costs, found) if k is None else (costs[k], found[:, k])
        try:
            solution = _on_whole_card(matrix, maximise, limit)
        except OptionError:
            raise
        except InputError:
            if held.kind == "u64":
                raise _HugeError from None
            solution, wrong = None, Status.INVALID
        else:
            wrong = Status.INFEASIBLE
        if solution is not None:
            rows = np.flatnonzero(solution >= 0)
            into[:, : len(rows)] = rows, solution[rows]
        elif check:
            raise InputError(words + WORDS[wrong])
    return held.put(found[0]), held.put(found[1])


def _on_whole_card(matrix: Any, maximise: bool, limit: Number | None) -> Int64Array | None:
    """Return the job of each agent, None if there is no assignment."""
    problem = Assignment(matrix, maximize=maximise, cost_limit=limit)
    incumbent = Incumbent(maximise=maximise)
    devices = Devices(available_cores(), automatic=True)
    outcome = run(problem, _EXACT, devices, Monitor(incumbent), 0)
    assert outcome.complete
    return None if incumbent.best is None else incumbent.best.solution


def _sizes(held: Borrowed, sizes: object, stack: list[int]) -> tuple[Any, dict[str, int]]:
    """Return the sizes on the device, and what the kernel has to know of them."""
    if sizes is None:
        return None, {}
    array, address = held.whole_numbers(sizes)
    shape = tuple(array.shape)
    if not stack or shape not in ((stack[0],), (stack[0], 2)):
        raise OptionError(
            "sizes", "needs a stack and must have the shape (count,) or (count, 2)", shape
        )
    return array, {"sizes": address, "parts": 1 if len(shape) == 1 else 2}


def _limit_bits(kind: str, limit: Number, maximise: bool) -> int:
    """Return a limit of costs as the bits of a price."""
    sign = -1 if maximise else 1
    if price_type(kind) == "double":
        value = rounded_to(np.float32 if kind == "float" else np.float64, limit)
        value = limit if np.isinf(value) else value
        return int(np.float64(sign * value).view(np.int64))
    return min(max(sign * int(limit), -(2**62)), 2**62)


class _Flag:
    """A word of the host's memory into which a kernel writes what is wrong, one a thread."""

    _held = threading.local()

    def __init__(self, device: Device) -> None:
        self._word, self.address = device.mapped(1)

    @classmethod
    def of(cls, device: Device) -> _Flag:
        """Return the flag of this thread, put down."""
        flags: dict[Any, _Flag] = cls._held.__dict__
        key = type(device), device.index
        flag = flags.get(key) or flags.setdefault(key, cls(device))
        flag._word[0] = 0
        return flag

    def read(self, device: Device) -> int:
        """Wait for the kernel, and return the word."""
        device.finish()
        return int(self._word[0])
