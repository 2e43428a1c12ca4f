"""A user's problem in a checkpoint: which class, what data, and what tells them from others.

Nothing is pickled or imported: reading a file runs no code of its choice. The class is found by its
name among those of modules that are imported already. The attributes of the instance come back if
they are numbers, text, lists of these, or arrays. Else, or if the class is not there, whoever
resumes hands the problem over, made again.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.custom.array import ArrayProblem
from prunus.custom.functions import functions_of
from prunus.custom.instance_data import data_class
from prunus.custom.problem import CustomProblem
from prunus.errors import InputError, OptionError
from prunus.model.immutable import frozen

_DATA, _OTHER = "own.data.", "own.attribute."


def to_parts(problem: CustomProblem) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Take a problem apart."""
    kind = type(problem)
    words: dict[str, Any] = {
        "kind": "own",
        "module": kind.__module__,
        "class": kind.__qualname__,
        "functions": functions_of(kind).digest,
        "instance": _digest(problem),
        "whole": True,
        "numbers": {},
        "attributes": {},
        "fields": list(problem.data._fields),
        "choices": list(getattr(problem, "choices", ())),
    }
    arrays: dict[str, NDArray[Any]] = {}
    for name, value in zip(problem.data._fields, problem.data, strict=True):
        if isinstance(value, np.ndarray):
            arrays[_DATA + name] = value
        else:
            words["numbers"][name] = value
    for name, value in vars(problem).items():
        if name in ("data", "choices"):
            continue
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
            arrays[_OTHER + name] = value
        elif _is_plain(value):
            words["attributes"][name] = value
        else:
            words["whole"] = False
    return words, arrays


def from_parts(
    words: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], given: Any = None
) -> CustomProblem:
    """Put a problem together again, or check that the one that is given is the same.

    Raises ``InputError`` if the class is not to be found, if its functions are others by now, or if
    the problem that is given is another one.
    """
    name = words["class"]
    if given is not None:
        if type(given).__qualname__ != name or not isinstance(given, CustomProblem):
            raise OptionError(
                "problem", f"the checkpoint is of a {name}, not {type(given).__name__}"
            )
        if _digest(given) != words["instance"]:
            raise OptionError(
                "problem",
                f"the data of this {name} differ from those in the checkpoint; create it with "
                "the same data",
            )
        problem = given
    else:
        problem = _rebuilt(words, arrays)
    if functions_of(type(problem)).digest != words["functions"]:
        raise InputError(
            f"the functions of {name} have changed since the checkpoint was written, so its "
            "tree would be different; restore them, or start again"
        )
    return problem


def _rebuilt(words: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> CustomProblem:
    module, name = words["module"], words["class"]
    kind = _class(module, name)
    if kind is None or not words["whole"]:
        why = "has attributes that a checkpoint cannot hold" if kind else "is not imported here"
        raise OptionError(
            "problem",
            f"the checkpoint is of a {name} of {module}, which {why}; create it again and pass it",
        )
    problem: CustomProblem = kind.__new__(kind)
    values = [
        frozen(arrays[_DATA + field]) if _DATA + field in arrays else words["numbers"][field]
        for field in words["fields"]
    ]
    vars(problem).update(words["attributes"])
    vars(problem).update(
        {key.removeprefix(_OTHER): a for key, a in arrays.items() if key.startswith(_OTHER)}
    )
    problem.data = data_class(words["fields"])(*values)
    if isinstance(problem, ArrayProblem):
        problem.choices = tuple(words["choices"])
    return problem


def _class(module: str, name: str) -> Any:
    """Return the class of a name; None if there is none.

    Only modules that are loaded count: a file that is read must not decide which code runs.
    """
    try:
        found: Any = sys.modules[module]
        for part in name.split("."):
            found = getattr(found, part)
    except (KeyError, AttributeError):
        return None
    return found if isinstance(found, type) and issubclass(found, CustomProblem) else None


def _is_plain(value: Any) -> bool:
    """Tell whether JSON gives a value back as it was."""
    try:
        again = json.loads(json.dumps(value))
    except (TypeError, ValueError):
        return False
    return bool(again == value) and type(again) is type(value)


def _digest(problem: CustomProblem) -> str:
    """Return what tells an instance from others of its class."""
    digest = hashlib.sha256(repr((problem.radix, problem.state, problem.data._fields)).encode())
    for value in problem.data:
        array = np.asarray(value, np.int64)
        digest.update(repr(array.shape).encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]
