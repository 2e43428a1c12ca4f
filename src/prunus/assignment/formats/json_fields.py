"""Assignment problems as fields of a JSON object: a matrix, points, or allowed pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment.problem import Assignment
from prunus.errors import InputError
from prunus.model.arrays import AnyArray
from prunus.model.scalar import brief

_COMMON = ("maximize", "agent_names", "job_names")
_MATRIX = ("values", "dtype", "cost_limit")
_POINTS = ("left", "right", "metric")
_PAIRS = ("agents", "jobs", "tails", "heads", "values", "dtype", "cost_limit")

FIELDS = tuple(dict.fromkeys((*_MATRIX, *_POINTS, *_PAIRS, *_COMMON)))
"""What an object may have."""

_TYPES = ("float32", "float64", "int32", "int64")


def to_fields(problem: Assignment) -> dict[str, Any]:
    """Return the fields of a problem; a forbidden pair of a matrix is null."""
    problem = problem.on_host()
    fields: dict[str, Any] = {
        "maximize": problem.maximise,
        "agent_names": problem.agent_names,
        "job_names": problem.job_names,
    }
    if problem.points is not None:
        left, right = problem.points
        return {"left": left.tolist(), "right": right.tolist(), "metric": problem.metric, **fields}
    if problem.cost_limit is not None:
        fields["cost_limit"] = problem.cost_limit
    if problem.arcs is not None:
        start, heads, values = problem.arcs
        tails = np.repeat(np.arange(problem.agents), np.diff(start))
        pairs = {"tails": tails.tolist(), "heads": heads.tolist(), **_typed(values)}
        return {"agents": problem.agents, "jobs": problem.jobs, **pairs, **fields}
    assert problem.matrix is not None
    return {**_typed(problem.matrix), **fields}


def _typed(values: AnyArray) -> dict[str, Any]:
    listed = values.tolist()
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        kept = values.astype(object)
        kept[~np.isfinite(values)] = None
        listed = kept.tolist()
    return {"values": listed, "dtype": values.dtype.name}


def from_fields(fields: dict[str, Any]) -> Assignment:
    """Return the problem of some fields.

    Raises ``InputError`` if they do not go together.
    """
    rest = {name: fields[name] for name in ("name", *_COMMON) if name in fields}
    given = fields.keys() - rest.keys()
    if "left" in given:
        _check(given, _POINTS)
        return Assignment.from_points(
            fields["left"], fields.get("right"), metric=fields.get("metric", "euclidean"), **rest
        )
    if "values" not in given:
        raise InputError("an assignment problem needs the field 'values', or 'left' for points")
    rest["cost_limit"] = fields.get("cost_limit")
    if "tails" in given:
        _check(given, _PAIRS)
        missing = [name for name in _PAIRS[:5] if name not in given]
        if missing:
            raise InputError(f"allowed pairs need the field {missing[0]!r}, too")
        pairs = {name: fields[name] for name in ("agents", "jobs", "tails", "heads")}
        return Assignment.from_arcs(**pairs, values=_array(fields, np.nan), **rest)
    _check(given, _MATRIX)
    return Assignment(_array(fields, -np.inf if rest.get("maximize") else np.inf), **rest)


def _check(given: set[str], known: tuple[str, ...]) -> None:
    """Refuse fields of another form of the problem."""
    others = sorted(given - set(known))
    if others:
        raise InputError(f"the fields {others[0]!r} and {known[0]!r} do not go together")


def _array(fields: dict[str, Any], nothing: float) -> Any:
    """Return the values, of the type that is named; what is null is forbidden."""
    values, wanted = fields["values"], fields.get("dtype")
    if wanted not in (None, *_TYPES):
        raise InputError(f"the field 'dtype' is {brief(wanted)}, not one of {', '.join(_TYPES)}")
    if isinstance(values, list):
        values = _without_null(values, nothing)
    if wanted is None:
        return values
    try:
        array = np.array(values)
    except ValueError:
        return values  # a ragged matrix, which the class refuses in words
    if array.dtype.kind not in "iuf" or (array.dtype.kind == "f") != wanted.startswith("float"):
        return values
    return array.astype(wanted)


def _without_null(values: list[Any], nothing: float) -> list[Any]:
    filled = (nothing if each is None else each for each in values)
    return [_without_null(each, nothing) if isinstance(each, list) else each for each in filled]
