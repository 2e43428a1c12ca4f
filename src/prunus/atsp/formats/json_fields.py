"""An instance as fields of a JSON object, with ``null`` where there is no way."""

from __future__ import annotations

import math
from typing import Any

from prunus.atsp.problem import ATSP

FIELDS = ("distances", "closed", "start", "end", "city_names")


def to_fields(problem: ATSP) -> dict[str, Any]:
    """Return the fields of an instance; those that say what holds anyway are None."""
    whole = int if problem.integral else float
    rows = [
        [whole(distance) if distance < math.inf else None for distance in row]
        for row in problem.distances.tolist()
    ]
    return {
        "distances": rows,
        "closed": None if problem.closed else False,
        "start": problem.start,
        "end": problem.end,
        "city_names": problem.city_names,
    }


def from_fields(fields: dict[str, Any]) -> ATSP:
    """Make an instance of fields."""
    rows = fields.pop("distances")
    if isinstance(rows, list) and all(isinstance(row, list) for row in rows):
        rows = [[math.inf if distance is None else distance for distance in row] for row in rows]
    return ATSP(rows, **fields)
