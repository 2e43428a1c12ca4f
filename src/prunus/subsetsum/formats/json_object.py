"""Subset sum as JSON: ``{"weights": [3, 34, 4], "target": 7}``, names and objective if wanted."""

from __future__ import annotations

import json
from typing import Any

from prunus.errors import InputError
from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.textfile import TextFile
from prunus.subsetsum.problem import SubsetSum

__all__ = ["dumps", "loads", "recognises"]

_FIELDS = ("weights", "target", "objective", "item_names", "name")


def recognises(file: TextFile) -> Evidence:
    """Tell whether a file begins as JSON does: no other format does, and no other is in JSON."""
    begins = next(file.numbered()).text.lstrip()[:1]
    return Evidence.CERTAIN if begins in ("{", "[") else Evidence.NONE


def loads(file: TextFile, request: Request = ANYTHING) -> SubsetSum:
    """Read the instance.

    Raises
    ------
    InputError
        Naming the line, if it is not JSON, or the field that is missing, unknown or wrong.
    """
    try:
        found: Any = json.loads(file.text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise file.error(f"not JSON, {error.msg}", error.lineno) from None
    except InputError as error:
        raise file.error(str(error)) from None
    except ValueError:  # an integer of thousands of digits
        raise file.error("a number in it has thousands of digits") from None
    except RecursionError:
        raise file.error("lists in it are nested hundreds deep") from None
    for field in ("weights", "target"):
        if not isinstance(found, dict) or field not in found:
            raise file.error(
                f"there is no field {field!r} in it; a JSON file holds a subset sum, "
                '{"weights": [3, 34, 4], "target": 7}'
            )
    for field in found:
        if field not in _FIELDS:
            raise file.error(f"{field!r} is none of the fields {', '.join(_FIELDS)}")
    return SubsetSum(
        found["weights"],
        found["target"],
        objective=found.get("objective", "sum"),
        item_names=found.get("item_names"),
        name=found.get("name") or file.stem,
    )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of an object; refuse one that is there twice, of which Python drops one."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the field {twice!r} is there twice")
    return found


def dumps(problem: SubsetSum, separator: str = "") -> str:
    """Write everything there is to an instance."""
    fields = {name: getattr(problem, name) for name in _FIELDS}
    return json.dumps({name: value for name, value in fields.items() if value is not None}) + "\n"
