"""Read a saved result and check everything that can be checked."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from prunus.errors import InputError
from prunus.files.json_instance import from_object
from prunus.files.json_object import load_object
from prunus.files.paths import path_text
from prunus.files.textfile import TextFile
from prunus.model.arrays import AnyArray, Int64Array, Number
from prunus.model.problem import Problem
from prunus.model.registry import spec_of
from prunus.model.scalar import brief
from prunus.result import RESULT_FORMAT, HistoryEntry, Result, Status
from prunus.runtime.duals import Duals
from prunus.runtime.status import final_status
from prunus.runtime.trace import Trace
from prunus.view import wording


def load_result(path: str | os.PathLike[str], *, problem: Problem | None = None) -> Result:
    """Read a result that `Result.save`, or ``prunus solve --output r.json``, has written.

    Its solution is evaluated again. Arrays among the statistics come back as lists.

    Parameters
    ----------
    path
        The file.
    problem
        The problem, if the file does not contain it: a problem of your own, or a result written by
        the command line.

    Returns
    -------
    Result
        Equal to the saved one, apart from that.

    Raises
    ------
    InputError
        If the file holds no result, is of a newer version, or contradicts itself.
    """
    name = path_text(path)
    file = TextFile.load(name)
    found = load_object(file)
    try:
        return _result(found, problem)
    except InputError as error:
        raise file.error(str(error)) from None


def contradiction(
    problem: Problem, objective: Number | None, solution: Int64Array | None
) -> str | None:
    """Evaluate a solution anew; return a sentence if it is not worth what is said, else None."""
    if solution is None:
        return None
    value = problem.evaluate(solution)
    if wording.counts_solutions(problem):
        return None if value == 0 else f"the placement shown is no solution: {value} queens attack"
    if value == objective:
        return None
    return f"the solution evaluates to {value}, but its objective is given as {objective}"


def _result(found: dict[str, Any], given: Problem | None) -> Result:
    form = found.get("format")
    if form != RESULT_FORMAT:
        known, _, _ = RESULT_FORMAT.rpartition(" ")
        if isinstance(form, str) and form.startswith(known):
            raise InputError(f"it is a {form} of a later version of prunus; install that version")
        raise InputError("this is not a result saved by prunus")
    problem = _problem(found, given)
    take = _Fields(found)
    solution = take("solution", list, none=True)
    result = Result(
        problem=problem,
        status=_one_of_status(take("status", str)),
        objective=take("objective", (int, float), none=True),
        bound=take("bound", (int, float), none=True),
        solution=None if solution is None else _numbers(solution, "solution", np.int64),
        runtime=take("runtime", (int, float)),
        nodes=take("nodes", int),
        explored=take("explored", (int, float)),
        history=tuple(_entry(each) for each in take("history", list)),
        method=take("method", str),
        devices=tuple(_texts(take("devices", list), "devices")),
        stopped_by=take("stopped_by", str, none=True),
        seed=take("seed", int),
        statistics=_statistics(take("statistics", dict)),
        trace=_trace(found.get("trace")),
        upper_bound=take("upper_bound", int, none=True),
        duals=_duals(found.get("duals")),
    )
    wrong = contradiction(problem, result.objective, result.host_solution) or _overstated(result)
    if wrong is not None:
        raise InputError(wrong)
    return result


def _overstated(result: Result) -> str | None:
    """Return a sentence if objective and bound do not make the status of a result, else None."""
    counting = wording.counts_solutions(result.problem)
    if not counting and (result.objective is None) != (result.host_solution is None):
        return "of the objective and the solution one is missing"
    proven = {
        final_status(
            complete=complete,
            objective=result.objective,
            bound=result.bound,
            upper_bound=result.upper_bound,
            maximise=result.problem.maximise,
            counting=counting,
        )
        for complete in (False, True)
    }
    if (result.status, result.bound) in proven:
        return None
    return (
        f"the status cannot be {result.status} with the objective {result.objective} and the "
        f"bound {result.bound}"
    )


def _problem(found: dict[str, Any], given: Problem | None) -> Problem:
    instance = found.get("instance")
    if instance is not None and not isinstance(instance, dict):
        raise InputError("the field 'instance' is not an object")
    kept = None if instance is None else from_object(instance)
    problem = kept if given is None else given
    if problem is None:
        raise InputError("it does not contain the problem; pass it with problem=")
    spec_of(problem)
    said = found.get("problem")
    if said != wording.identity(problem):
        # A problem made again may have another name.
        of = {**said, "name": None} if isinstance(said, dict) else said
        if of != {**wording.identity(problem), "name": None}:
            raise InputError(f"it is the result of another problem, {brief(said)}")
    return problem


class _Fields:
    """Takes fields out of an object, each of a type."""

    def __init__(self, found: Mapping[str, Any], where: str = "") -> None:
        self._found, self._where = found, where

    def __call__(self, name: str, kind: Any, *, none: bool = False) -> Any:
        """Return a field; raise ``InputError`` if it is missing or of another type."""
        if name not in self._found:
            raise InputError(f"the field {self._where + name!r} is missing")
        value = self._found[name]
        if value is None and none:
            return None
        if not isinstance(value, kind) or isinstance(value, bool):
            raise InputError(f"the field {self._where + name!r} cannot be {brief(value)}")
        if isinstance(value, float) and not math.isfinite(value):
            raise InputError(f"the field {self._where + name!r} is not finite")
        return value


_SHOWN = "checkpoints", "compile_time", "earlier_nodes", "earlier_runtime", "search_time"
"""Statistics that a printed result or a plot reads."""


def _statistics(found: dict[str, Any]) -> dict[str, Any]:
    take = _Fields(found, "statistics.")
    for name in _SHOWN:
        if name in found:
            take(name, (int, float))
    for pair in take("bounds", list) if "bounds" in found else ():
        if not (isinstance(pair, list) and len(pair) == 2 and all(map(_is_finite, pair))):
            raise InputError("the field 'statistics.bounds' is not made of times and bounds")
    return found


def _is_finite(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and math.isfinite(value)


def _one_of_status(word: str) -> Status:
    try:
        return Status(word)
    except ValueError:
        raise InputError(f"the field 'status' cannot be {brief(word)}") from None


def _entry(found: Any) -> HistoryEntry:
    if not isinstance(found, dict):
        raise InputError("an entry of the field 'history' is not an object")
    take = _Fields(found, "history.")
    return HistoryEntry(
        time=take("time", (int, float)),
        objective=take("objective", (int, float)),
        nodes=take("nodes", int),
        source=take("source", str),
        bound=take("bound", (int, float), none=True),
    )


def _duals(found: Any) -> Duals | None:
    if found is None:
        return None
    if not isinstance(found, dict):
        raise InputError("the field 'duals' is not an object")
    take = _Fields(found, "duals.")
    return Duals(*(_prices(take(name, list), f"duals.{name}") for name in ("agents", "jobs")))


def _prices(values: list[Any], name: str) -> AnyArray:
    """Return an array of int64, of Python integers where these are too large, or of float64."""
    prices = np.array(values, dtype=object)
    kinds = {type(price) for price in prices.flat}
    if not kinds <= {int, float}:
        raise InputError(f"the field {name!r} does not hold numbers")
    if float in kinds:
        prices = prices.astype(np.float64)
        if not np.isfinite(prices).all():
            raise InputError(f"the field {name!r} is not finite")
        return prices
    fits = all(-(2**63) <= price < 2**63 for price in prices.flat)
    return prices.astype(np.int64) if fits else prices


def _trace(found: Any) -> Trace | None:
    if found is None:
        return None
    if not isinstance(found, dict):
        raise InputError("the field 'trace' is not an object")
    take = _Fields(found, "trace.")
    devices = tuple(_texts(take("devices", list), "trace.devices"))
    if not devices:
        raise InputError("the field 'trace' has no devices")
    time = _numbers(take("time", list), "trace.time", np.float64)
    columns = {
        name: _rows(take(name, list), len(devices), f"trace.{name}", kind)
        for name, kind in (
            ("nodes", np.int64),
            ("steals", np.int64),
            ("active", np.int64),
            ("idle", np.float64),
        )
    }
    if any(len(column) != len(time) for column in columns.values()):
        raise InputError("the columns of the field 'trace' have different lengths")
    return Trace(devices=devices, time=time, **columns)


def _rows(found: list[Any], width: int, what: str, kind: type[np.int64 | np.float64]) -> AnyArray:
    """Return rows of numbers, one for each device."""
    if not all(isinstance(row, list) and len(row) == width for row in found):
        raise InputError(f"the field {what!r} does not have one number per device in each row")
    return _numbers(found, what, kind).reshape(-1, width)


def _texts(found: list[Any], what: str) -> list[str]:
    if not all(isinstance(each, str) for each in found):
        raise InputError(f"the field {what!r} holds something that is not text")
    return found


def _numbers(found: list[Any], what: str, kind: type[np.int64 | np.float64]) -> AnyArray:
    try:
        array = np.array(found)
    except (ValueError, OverflowError):
        raise InputError(f"the field {what!r} holds lists of different lengths") from None
    if array.size and array.dtype.kind not in ("iu" if kind is np.int64 else "iuf"):
        raise InputError(f"the field {what!r} holds something that is not a number")
    if not np.isfinite(array).all():
        raise InputError(f"the field {what!r} is not finite")
    return array.astype(kind)
