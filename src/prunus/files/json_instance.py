"""Instances of every problem as JSON: ``{"problem": "flowshop", "processing_times": [[3, 2]]}``.

The fields are those that the problem's spec declares, and read like the arguments of its class.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from prunus.errors import InputError
from prunus.files.formats import ANYTHING, Evidence, Request
from prunus.files.json_object import is_json, load_object
from prunus.files.textfile import TextFile
from prunus.model.problem import Problem
from prunus.model.registry import AnySpec, known_specs, spec_of
from prunus.model.spec import JsonForm


def recognises(file: TextFile) -> Evidence:
    """Tell whether a file begins as JSON does: no other format does."""
    return Evidence.CERTAIN if is_json(file) else Evidence.NONE


def loads(file: TextFile, request: Request = ANYTHING) -> Problem:
    """Read the instance.

    Raises ``InputError`` naming the line, if it is not JSON, or the field that is missing, unknown
    or wrong.
    """
    found = load_object(file)
    if "status" in found and "objective" in found and "runtime" in found:
        raise file.error("this is a result; read it with prunus.load_result")
    try:
        return from_object({"name": file.stem, **{k: v for k, v in found.items() if v is not None}})
    except InputError as error:
        raise file.error(str(error)) from None


def dumps(problem: Problem, separator: str = "") -> str:
    """Write everything there is to an instance."""
    return json.dumps(to_object(problem), allow_nan=False, ensure_ascii=False) + "\n"


def to_object(problem: Problem) -> dict[str, Any]:
    """Return an instance as an object for JSON, which `from_object` makes an instance again.

    Raises ``InputError`` if problems of this class have no such form: they are made of code.
    """
    spec = spec_of(problem)
    if spec.json is None:
        raise InputError(spec.no_file(problem))
    fields = {"name": problem.name, **spec.json.to_fields(problem)}
    known = {name: value for name, value in fields.items() if value is not None}
    return {"problem": spec.kind, **known}


def from_object(fields: Mapping[str, Any]) -> Problem:
    """Return the instance of an object.

    Raises ``InputError`` if a field is missing, unknown or wrong.
    """
    spec, form = _form(fields)
    given = {name: value for name, value in fields.items() if name != "problem"}
    known = ("name", *form.fields)
    for name in given:
        if name not in known:
            raise InputError(
                f"{name!r} is none of the fields {', '.join(('problem', *known))} "
                f"of {spec.words.noun}"
            )
    for name in form.required:
        if name not in given:
            raise InputError(f"{spec.words.noun} needs the field {name!r}")
    problem: Problem = form.from_fields(given)
    return problem


def _form(fields: Mapping[str, Any]) -> tuple[AnySpec, JsonForm[Any]]:
    """Return whose fields these are: as ``problem`` says, or by the fields without that."""
    forms = [(spec, spec.json) for spec in known_specs() if spec.json is not None]
    kinds = ", ".join(spec.kind for spec, _ in forms)
    if "problem" in fields:
        found = [one for one in forms if one[0].kind == fields["problem"]]
        if not found:
            raise InputError(f"the field 'problem' is not one of {kinds}")
        return found[0]
    found = [one for one in forms if one[1].required and set(one[1].required) <= fields.keys()]
    if not found:
        raise InputError(
            f"the field 'problem', which says what the instance is, is missing: {kinds}; "
            'for example {"problem": "subsetsum", "weights": [3, 34, 4], "target": 7}'
        )
    return found[0]
